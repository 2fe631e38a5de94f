import { PROTOCOLS } from "./protocols/protocols.ts";
import { isFields } from "./reply.ts";

/** The address of an endpoint, with its secrets kept apart. */
export interface Address {
  /** The URL without a name and password. */
  readonly url: string;
  /** The URL as it may be shown: also without the values of query fields. */
  readonly shown: string;
  /** The `authorization` header for a name and password in the address. */
  readonly authorization?: string;
  /** Whether the host is OpenAI's. */
  readonly isOpenai: boolean;
  /** Whether requests stay on this machine. */
  readonly isLoopback: boolean;
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
}

/** Separates addresses in one text, as in the settings of a run. */
export const SEPARATOR = ", ";

/** Reads one address or several: a list, or a text with {@linkcode SEPARATOR} between them. */
export function readAddresses(baseUrl: string | readonly string[]): readonly Address[] {
  return listAddresses(baseUrl).map(readAddress);
}

/** Lists the base URLs of an endpoint without repeats. */
export function listAddresses(baseUrl: string | readonly string[]): readonly string[] {
  return typeof baseUrl === "string" ? baseUrl.split(SEPARATOR) : [...new Set(baseUrl)];
}

/** Parses a base URL. */
export function readAddress(baseUrl: string): Address {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw refuse("an address that begins with http:// or https://", baseUrl);
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  const path = Object.values(PROTOCOLS).map(({ path }) => path).find((path) => url.pathname.endsWith(path));
  if (path !== undefined) throw refuse(`the part before ${path}`, baseUrl);
  const { username, password } = url;
  const [user, secret] = [username, password].map((text) => decode(text, baseUrl)) as [string, string];
  const login = `${user}:${secret}`;
  const basic = new TextEncoder().encode(login).toBase64();
  const hasLogin = username !== "" || password !== "";
  url.username = "";
  url.password = "";
  url.hash = "";
  const values = [...url.searchParams.values()];
  return {
    url: url.href.replace(/\/(?=$|\?)/, ""),
    shown: `${url.origin}${url.pathname === "/" ? "" : url.pathname}${listFields(url.searchParams)}`,
    ...(hasLogin ? { authorization: `Basic ${basic}` } : {}),
    isOpenai: url.hostname === "api.openai.com",
    isLoopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname),
    secrets: hasLogin ? [secret, login, basic, ...values] : values,
  };
}

/** Decodes a name or password, which are percent-encoded in an address. */
function decode(text: string, baseUrl: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse("an address whose name and password are percent-encoded, with %25 for a percent sign", baseUrl);
  }
}

function listFields(fields: URLSearchParams): string {
  const names = [...fields.keys()];
  return names.length === 0 ? "" : `?${names.map((name) => `${name}=…`).join("&")}`;
}

function refuse(wanted: string, baseUrl: string): RangeError {
  // A bad address can still hold a password or a key.
  const shown = baseUrl.replace(/\/\/.*@/s, "//…@").replace(/\?.*$/s, "?…");
  return new RangeError(`Cannot open the endpoint as base URL must be ${wanted}: current value is "${shown}"`);
}

/** A shorter secret is replaced only as a whole word, as it may occur in common words. */
const MIN_SECRET_CHARS = 8;

/** OpenAI's and Anthropic's keys, and keys that a server has partly masked. */
const LIKELY_KEYS = /\bsk-[\w*-]{4,}|[\w-]*\*{3,}[\w-]*/g;

/** A shorter secret may be a word of the model's own. */
const MIN_ECHO_CHARS = 16;

/** Returns a function that removes secrets from a model's text, as some servers echo the request. */
export function echoRemover(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter(({ length }) => length >= MIN_ECHO_CHARS);
  return (text) => long.reduce((rest, secret) => rest.replaceAll(secret, "[key]"), text);
}

/** Returns a function that replaces every secret, and anything that looks like a key, by `[key]`. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter((secret) => secret !== "").flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const patterns = [...new Set(forms)].map((form) => {
    const plain = RegExp.escape(form);
    return new RegExp(form.length < MIN_SECRET_CHARS ? `(?<![\\w-])${plain}(?![\\w-])` : plain, "g");
  });
  return (text) =>
    patterns.reduce((redacted, pattern) => redacted.replaceAll(pattern, "[key]"), text).replaceAll(
      LIKELY_KEYS,
      "[key]",
    );
}

/** Headers of the transport, which no option may set. */
const FIXED: readonly string[] = [
  ...["accept", "connection", "content-encoding", "content-length", "content-type", "host", "transfer-encoding"],
];

/** Additional headers of every request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Checks additional headers. No message shows their values, which are as secret as a key. */
export function readHeaders(headers: unknown): RequestHeaders {
  if (!isFields(headers)) {
    throw new TypeError("Cannot open the endpoint as headers must be names with values: current value is not shown");
  }
  const checked = Object.entries(headers).map(([name, value]): [string, string] => {
    const plain = name.trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(plain) || FIXED.includes(plain)) {
      throw new RangeError(
        `Cannot open the endpoint as the name of a header must be one such as api-key, and none of ${
          FIXED.join(", ")
        }: current value is ${JSON.stringify(name)}`,
      );
    }
    const text = typeof value === "string" ? value.trim() : "";
    if (!/^[\x20-\x7e]+$/.test(text)) {
      throw new TypeError(
        `Cannot open the endpoint as header ${plain} must be of visible ASCII characters: current value is not shown`,
      );
    }
    return [plain, text];
  });
  return Object.fromEntries(checked);
}

/**
 * Parses headers of text, one `name: value` per line, as in `OPENAI_CUSTOM_HEADERS`.
 *
 * @throws {SyntaxError} If a line is no header.
 */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(lines.map((line): [string, string] => {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name && value) return [name.toLowerCase(), value];
    throw new SyntaxError(
      "Cannot read the headers as each line must be a name, a colon and a value: current value is not shown",
    );
  }));
}
