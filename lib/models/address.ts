import { PROTOCOLS } from "./protocols/protocols.ts";
import { isFields } from "@/lib/base/mod.ts";

/** The address of an endpoint, with its secrets kept apart. */
export interface Address {
  readonly url: string;
  /** The URL as it may be shown: also without the values of query fields. */
  readonly shown: string;
  readonly isOpenai: boolean;
  readonly isLoopback: boolean;
  /** The values of query fields, which must not be shown. */
  readonly secrets: readonly string[];
}

/** Returns the address beside `/v1`, where servers have paths of their own. */
export function rootOf(address: string): string {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/v\d+\/?$/, "");
  return url.href;
}

/** Parses a base URL. */
export function readAddress(baseUrl: string): Address {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "" || baseUrl.includes(", ")) {
    throw refuseAddress("an address that begins with http:// or https://", baseUrl);
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  const path = Object.values(PROTOCOLS).map(({ path }) => path).find((path) => url.pathname.endsWith(path));
  if (path !== undefined) throw refuseAddress(`the part before ${path}`, baseUrl);
  if (url.username !== "" || url.password !== "") {
    throw refuseAddress("an address without a name and password, which belong in the key or in --header", baseUrl);
  }
  url.hash = "";
  const names = [...url.searchParams.keys()].map((name) => `${name}=…`);
  return {
    url: url.href.replace(/\/(?=$|\?)/, ""),
    shown: `${url.origin}${url.pathname === "/" ? "" : url.pathname}${names.length === 0 ? "" : `?${names.join("&")}`}`,
    isOpenai: url.hostname === "api.openai.com",
    isLoopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname),
    secrets: [...url.searchParams.values()],
  };
}

function refuseAddress(wanted: string, baseUrl: string): RangeError {
  // A bad address can still hold a password or a key.
  const shown = baseUrl.replace(/\/\/.*@/s, "//…@").replace(/\?.*$/s, "?…");
  return refuseOption("base URL", wanted, shown);
}

/** Makes the error of an option whose value may be shown. */
export function refuseOption(name: string, wanted: string, value: unknown): RangeError {
  return new RangeError(
    `Cannot open the endpoint as ${name} must be ${wanted}: current value is ${JSON.stringify(value)}`,
  );
}

/** Refuses a value that may be a secret, so that the message does not show it. */
export function refuseUnshown(doing: string, wanted: string): string {
  return `Cannot ${doing} as ${wanted}: current value is not shown`;
}

/** Headers of the transport, which no option may set. */
const FIXED = "accept, connection, content-encoding, content-length, content-type, host, transfer-encoding";

/** Additional headers of every request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

export function readHeaders(headers: unknown): RequestHeaders {
  if (!isFields(headers)) throw new TypeError(refuseUnshown("open the endpoint", "headers must be names with values"));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const plain = name.trim().toLowerCase();
      if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(plain) || FIXED.split(", ").includes(plain)) {
        throw refuseOption("the name of a header", `one such as api-key, and none of ${FIXED}`, name);
      }
      const text = typeof value === "string" ? value.trim() : "";
      if (/^[\x20-\x7e]+$/.test(text)) return [plain, text];
      throw new TypeError(refuseUnshown("open the endpoint", `header ${plain} must be of visible ASCII characters`));
    }),
  );
}

/**
 * Parses headers of text, one `name: value` per line, as in `OPENAI_CUSTOM_HEADERS`.
 *
 * @throws {SyntaxError} If a line is no header.
 */
export function parseHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split("\n").filter((line) => line.trim() !== "").map((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name && value) return [name.toLowerCase(), value];
      throw new SyntaxError(refuseUnshown("read the headers", "each line must be a name, a colon and a value"));
    }),
  );
}

/** A shorter secret is replaced only as a whole word, as it may occur in common words. */
const MIN_SECRET_CHARS = 8;

/** A shorter secret may be a word of the model's own. */
const MIN_ECHO_CHARS = 16;

/** OpenAI's and Anthropic's keys, and keys that a server has partly masked. */
const LIKELY_KEYS = /\bsk-[\w*-]{4,}|[\w-]*\*{3,}[\w-]*/g;

type Redact = (text: string) => string;

/**
 * Makes functions that replace secrets by `[key]`: in a message, with anything that looks like a key, and in a model's text, as some
 * servers echo the request.
 */
export function openRedaction(secrets: readonly string[]): { readonly ofMessage: Redact; readonly ofReply: Redact } {
  const forms = secrets.filter((secret) => secret !== "").flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const patterns = [...new Set(forms)].map((form) => {
    const plain = RegExp.escape(form);
    return new RegExp(form.length < MIN_SECRET_CHARS ? `(?<![\\w-])${plain}(?![\\w-])` : plain, "g");
  });
  const long = secrets.filter(({ length }) => length >= MIN_ECHO_CHARS);
  return {
    ofMessage: (text) => [...patterns, LIKELY_KEYS].reduce((rest, pattern) => rest.replaceAll(pattern, "[key]"), text),
    ofReply: (text) => long.reduce((rest, secret) => rest.replaceAll(secret, "[key]"), text),
  };
}
