/** Where an endpoint is, with secrets kept apart. */
export interface Address {
  /** What is called, without a name and password. */
  readonly url: string;
  /** What may be shown: also without the values of query fields. */
  readonly shown: string;
  /** The header that a name and password in the address make. */
  readonly authorization?: string;
  /** Whether the host counts tokens of messages as OpenAI does. */
  readonly isOpenai: boolean;
  /** Whether requests stay on this machine. */
  readonly isLoopback: boolean;
  /** What must not be shown. */
  readonly secrets: readonly string[];
}

/** Separates several addresses in one text, as in the settings of a run. */
export const SEPARATOR = ", ";

/** Reads one address or several: a list, or a text in which {@linkcode SEPARATOR} separates them. */
export function readAddresses(baseUrl: string | readonly string[]): readonly Address[] {
  return listAddresses(baseUrl).map(readAddress);
}

/** Lists the base URLs of an endpoint, each once. */
export function listAddresses(baseUrl: string | readonly string[]): readonly string[] {
  return typeof baseUrl === "string" ? baseUrl.split(SEPARATOR) : [...new Set(baseUrl)];
}

/** Takes a base URL apart. */
export function readAddress(baseUrl: string): Address {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw refuse("an address that begins with http:// or https://", baseUrl);
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  if (/\/completions$/.test(url.pathname)) throw refuse("the part before /chat/completions", baseUrl);
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

/** Decodes a name or password; both are percent-encoded in an address. */
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

/** A shorter secret is replaced only as a whole word, as it may be part of common words. */
const SHORT = 8;

/** OpenAI's keys, and keys that a server has half masked. */
const LIKELY_KEYS = /\bsk-[\w*-]{4,}|[\w-]*\*{3,}[\w-]*/g;

/** A secret of so many characters cannot be a model's own word. */
const UNMISTAKABLE = 16;

/** Makes a function that takes secrets out of what a model wrote, where a server echoes what it was sent. */
export function echoRemover(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter(({ length }) => length >= UNMISTAKABLE);
  return (text) => long.reduce((left, secret) => left.replaceAll(secret, "[key]"), text);
}

/** Makes a function that replaces every secret, and whatever looks like a key, with `[key]`. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter((secret) => secret !== "").flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const patterns = [...new Set(forms)].map((form) => {
    const plain = RegExp.escape(form);
    return new RegExp(form.length < SHORT ? `(?<![\\w-])${plain}(?![\\w-])` : plain, "g");
  });
  return (text) =>
    patterns.reduce((redacted, pattern) => redacted.replaceAll(pattern, "[key]"), text).replaceAll(
      LIKELY_KEYS,
      "[key]",
    );
}
