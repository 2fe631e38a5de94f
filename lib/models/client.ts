import type OpenAI from "openai";
import type { Protocol } from "./protocols/protocol.ts";
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

/** Parses a base URL. */
export function readAddress(baseUrl: string): Address {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "" || baseUrl.includes(", ")) {
    throw refuseAddress("an address that begins with http:// or https://", baseUrl);
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  const path = Object.values(PROTOCOLS).map(({ path }) => path).find((path) => url.pathname.endsWith(path));
  if (path !== undefined) throw refuseAddress(`the part before ${path}`, baseUrl);
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
    throw refuseAddress("an address whose name and password are percent-encoded, with %25 for a percent sign", baseUrl);
  }
}

function listFields(fields: URLSearchParams): string {
  const names = [...fields.keys()];
  return names.length === 0 ? "" : `?${names.map((name) => `${name}=…`).join("&")}`;
}

function refuseAddress(wanted: string, baseUrl: string): RangeError {
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

/** Limits of {@linkcode plainFetch}. */
interface FetchLimits {
  /** Bytes of a reply that are read, after decompression, if its request has no {@linkcode ReplyRoom}. */
  readonly mostBytes?: number | undefined;
  /** Time limit for a connection, in milliseconds; that of the system if left out. */
  readonly connectMs?: number | undefined;
}

/** The memory that one reply may take. */
export interface ReplyRoom extends Disposable {
  /** Maximum bytes of the reply, or of a line of its stream. */
  readonly most: number;
  /** Counts kept bytes; throws {@linkcode EndlessReply} if they are too many. Disposing releases them. */
  take(bytes: number): void;
}

/**
 * Sends only the named headers, as the package adds those of `OPENAI_CUSTOM_HEADERS` and a description of the machine. Follows no
 * redirection, which could take headers and prompts to another host, and reads no endless reply.
 */
function plainFetch(
  names: readonly string[],
  { mostBytes = MAX_BYTES, connectMs }: FetchLimits = {},
): typeof fetch {
  let isThere = false;
  const kept = [...new Set(names)];
  return async (url, { room, ...init }: RequestInit & { readonly room?: ReplyRoom } = {}) => {
    const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
    const headers = kept.flatMap((name): [string, string][] => given.has(name) ? [[name, given.get(name)!]] : []);
    // Fetch has no such limit, and the system waits for more than two minutes.
    if (!isThere && connectMs !== undefined) {
      await checkConnection(new URL(String(url)), connectMs, init.signal ?? undefined);
    }
    const response = await fetch(url, { ...init, headers, redirect: "manual", ...CLIENT }).catch((error) => {
      isThere = false;
      throw error;
    });
    isThere = true;
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("event-stream") ?? false;
    const count = room === undefined
      ? countBytes(mostBytes)
      : isStream
      ? countLine(room.most)
      : (chunk: Uint8Array): void => room.take(chunk.byteLength);
    return new Response(limitBytes(response.body, count), response);
  };
}

/**
 * Opens a connection for each request: on one that was used before, Deno's fetch sends a request again by itself if the server
 * closes it without a reply, although the server may have read the request.
 */
const CLIENT: { readonly client?: Deno.HttpClient } = "createHttpClient" in Deno
  ? { client: Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) }
  : {};

/** Variables that name a proxy. */
const PROXIES: readonly string[] = ["http_proxy", "https_proxy", "all_proxy"];

/** Connects to a server and closes the connection; throws if the server takes none in time. */
async function checkConnection(
  { hostname, port, protocol }: URL,
  limitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  if (hasProxy()) return;
  const limit = AbortSignal.timeout(limitMs);
  const place = {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  };
  try {
    const connection = await Deno.connect({
      ...place,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    connection.close();
  } catch {
    // Fetch reports all other errors.
    if (limit.aborted) throw new Unreachable(`No connection to ${hostname} within ${limitMs / 1000} seconds (Connect)`);
  }
}

/** Returns whether a proxy is set, or the environment may not be read. */
function hasProxy(): boolean {
  const names = PROXIES.flatMap((name) => [name, name.toUpperCase()]);
  try {
    // Ignored variables read as if they were not set.
    const mayLook = names.every((variable) =>
      Deno.permissions.querySync({ name: "env", variable }).state === "granted"
    );
    return !mayLook || names.some((name) => Deno.env.get(name));
  } catch {
    return true;
  }
}

/** A server took no connection in time. */
class Unreachable extends Error {}

const MAX_BYTES = 2 ** 20;

/** A reply was longer than any that a model writes. */
export class EndlessReply extends Error {
  /** Whether the same request may succeed later, as other replies took the memory. */
  readonly canRetry: boolean;

  constructor(what: string, mostBytes: number, { canRetry = false }: { readonly canRetry?: boolean } = {}) {
    super(`${what} longer than ${Math.round(10 * mostBytes / 2 ** 20) / 10} MiB`);
    this.canRetry = canRetry;
  }
}

/** Returns a function that reserves memory for a reply of one server: 64 bytes per token, at least 1 MiB, 64 MiB for all in flight. */
export function replyRooms(): (tokens: number) => ReplyRoom {
  let inFlight = 0;
  return (tokens) => {
    let taken = 0;
    const most = Math.max(MAX_BYTES, BYTES_PER_TOKEN * tokens);
    return {
      most,
      take(bytes): void {
        taken += bytes;
        inFlight += bytes;
        if (taken > most) throw new EndlessReply("The reply is", most);
        // A single reply within its own limit always fits.
        if (inFlight > Math.max(MAX_IN_FLIGHT, most)) {
          throw new EndlessReply("All replies in flight are together", MAX_IN_FLIGHT, { canRetry: true });
        }
      },
      [Symbol.dispose](): void {
        inFlight -= taken;
        taken = 0;
      },
    };
  };
}

const BYTES_PER_TOKEN = 64;
const MAX_IN_FLIGHT = 64 * 2 ** 20;

/** Counts a chunk of a reply; throws if the reply is too long. */
type CountChunk = (chunk: Uint8Array) => void;

function countBytes(most: number): CountChunk {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.byteLength;
    if (bytes > most) throw new EndlessReply("The reply is", most);
  };
}

/** Counts the bytes of a line, which is all that is kept of a stream before its texts are read. */
function countLine(most: number): CountChunk {
  let bytes = 0;
  return (chunk) => {
    const lineBreak = chunk.lastIndexOf(0x0a);
    bytes = lineBreak < 0 ? bytes + chunk.byteLength : chunk.byteLength - lineBreak - 1;
    if (bytes > most) throw new EndlessReply("A line of the reply is", most);
  };
}

/** Limits the bytes of a reply that is read. */
export function limitReply(response: Response, mostBytes: number): Response {
  return response.body === null ? response : new Response(limitBytes(response.body, countBytes(mostBytes)), response);
}

/** Passes chunks on until they are too many; cheaper than piping through a TransformStream. */
function limitBytes(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  count: CountChunk,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller): Promise<void> {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      try {
        count(value);
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        await reader.cancel();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Opens OpenAI's package for one address, without what it would read from the environment or add by itself. */
export async function openClient(
  address: Address,
  { headers, timeoutMs, retries = 0, mostBytes, connectMs }: {
    /** All headers but those of the transport. */
    readonly headers: Readonly<Record<string, string>>;
    /** Time limit for the beginning of a reply, in milliseconds. */
    readonly timeoutMs: number;
    /** The number of times that the package sends a failed request again. */
    readonly retries?: number;
    readonly mostBytes?: number;
    readonly connectMs?: number;
  },
): Promise<OpenAI> {
  // Imported here, as few users of this room send requests.
  const { default: OpenAI } = await import("openai");
  return new OpenAI({
    baseURL: address.url,
    apiKey: "none",
    // Nulls keep the package from reading these from the environment, which no record would show.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    fetch: plainFetch([...TRANSPORT_HEADERS, ...Object.keys(headers)], { mostBytes, connectMs }),
    maxRetries: retries,
    timeout: timeoutMs,
    defaultHeaders: { authorization: null, ...headers },
  });
}

const TRANSPORT_HEADERS: readonly string[] = ["accept", "content-type", "user-agent"];

/** Returns the headers of every request. A name and password in the address replace the key; headers of the user go last. */
export function requestHeaders(
  { authorization }: Pick<Address, "authorization">,
  { protocol, apiKey, headers }: {
    readonly protocol: Protocol;
    readonly apiKey: string | undefined;
    readonly headers: RequestHeaders;
  },
): Readonly<Record<string, string>> {
  const own = protocol.headers(authorization === undefined ? apiKey : undefined);
  return { ...own, ...(authorization === undefined ? {} : { authorization }), ...headers };
}
