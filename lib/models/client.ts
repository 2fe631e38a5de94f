import type OpenAI from "openai";
import { defined } from "@/lib/base/mod.ts";
import { PROTOCOLS } from "./protocols/protocols.ts";
import { type Fields, isFields, parseJson, parseShallow } from "./json.ts";

/** The address of an endpoint, with its secrets kept apart. */
export interface Address {
  /** The URL without a name and password. */
  readonly url: string;
  /** The URL as it may be shown: also without the values of query fields. */
  readonly shown: string;
  /** The `authorization` header for a name and password in the address. */
  readonly authorization?: string;
  /** Whether the host is OpenAI's, and whether it is this machine. */
  readonly isOpenai: boolean;
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
  const [user, secret] = readLogin(url, baseUrl);
  const login = `${user}:${secret}`;
  const basic = new TextEncoder().encode(login).toBase64();
  const hasLogin = login !== ":";
  [url.username, url.password, url.hash] = ["", "", ""];
  const [names, values] = [[...url.searchParams.keys()], [...url.searchParams.values()]];
  const fields = names.length === 0 ? "" : `?${names.map((name) => `${name}=…`).join("&")}`;
  return {
    url: url.href.replace(/\/(?=$|\?)/, ""),
    shown: `${url.origin}${url.pathname === "/" ? "" : url.pathname}${fields}`,
    ...defined({ authorization: hasLogin ? `Basic ${basic}` : undefined }),
    isOpenai: url.hostname === "api.openai.com",
    isLoopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname),
    secrets: hasLogin ? [secret, login, basic, ...values] : values,
  };
}

/** Decodes the name and the password of an address. */
function readLogin({ username, password }: URL, baseUrl: string): readonly [user: string, secret: string] {
  try {
    return [decodeURIComponent(username), decodeURIComponent(password)];
  } catch {
    throw refuseAddress("an address whose name and password are percent-encoded, with %25 for a percent sign", baseUrl);
  }
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
  return (text) => [...patterns, LIKELY_KEYS].reduce((rest, pattern) => rest.replaceAll(pattern, "[key]"), text);
}

/** Headers of the transport, which no option may set. */
const FIXED = "accept, connection, content-encoding, content-length, content-type, host, transfer-encoding";

/** Additional headers of every request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Checks additional headers. No message shows their values, which are as secret as a key. */
export function readHeaders(headers: unknown): RequestHeaders {
  if (!isFields(headers)) {
    throw new TypeError("Cannot open the endpoint as headers must be names with values: current value is not shown");
  }
  const checked = Object.entries(headers).map(([name, value]): [string, string] => {
    const plain = name.trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(plain) || FIXED.split(", ").includes(plain)) {
      throw new RangeError(
        `Cannot open the endpoint as the name of a header must be one such as api-key, and none of ${FIXED}: ` +
          `current value is ${JSON.stringify(name)}`,
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

/**
 * Sends one request to a path, which is added to that of the address: a GET unless it has a body, fields as JSON or a form. `query` is
 * added to that of the address.
 */
export type SendRequest = (path: string, request?: {
  readonly body?: Fields | FormData | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}) => Promise<Response>;

/**
 * Opens a connection for each request: on one that was used before, Deno's fetch sends a request again by itself if the server
 * closes it without a reply, although the server may have read the request.
 */
const CLIENT: { readonly client?: Deno.HttpClient } = "Deno" in globalThis
  ? { client: Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) }
  : {};

/** Where Node keeps the dispatcher of its fetch. */
const NODE_DISPATCHER: unique symbol = Symbol.for("undici.globalDispatcher.1");

/**
 * Returns options with which fetch waits for as long as its caller does. By default Node's and Bun's give up after five minutes
 * without headers or data, which a server may take to read a long prompt.
 */
function patience(): object {
  // Node loads the dispatcher with the first of these classes.
  void new Headers();
  const dispatcher = (globalThis as { readonly [NODE_DISPATCHER]?: object })[NODE_DISPATCHER];
  if (dispatcher === undefined) return { timeout: false };
  const Dispatcher = dispatcher.constructor as new (options: object) => object;
  return { dispatcher: new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 }) };
}

/** Returns a signal that ends after some time, or when another one does. */
export function limitTime(milliseconds: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** A reply with an error status, which is read here and not by the package: its size is bounded. */
class ErrorReply extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`HTTP ${response.status}`);
    this.response = response;
  }
}

/**
 * Opens OpenAI's client for one address. It sends no header and reads no variable but those given, and follows no redirection, which
 * could take headers and prompts to another host.
 */
async function openClient(baseURL: string, headers: RequestHeaders): Promise<OpenAI> {
  // Imported here, as few users of this room send requests.
  const { default: OpenAI } = await import("openai");
  const transport = { ...CLIENT, ...patience() };
  return new OpenAI({
    baseURL,
    apiKey: "none",
    // Nulls keep the package from reading these from the environment, which no record would show.
    ...{ adminAPIKey: null, organization: null, project: null, webhookSecret: null, logLevel: "off", maxRetries: 0 },
    // Replies have limits of their own; this one is the longest that a timer can have.
    timeout: 2 ** 31 - 1,
    async fetch(url, init): Promise<Response> {
      const type = new Headers(init?.headers).get("content-type");
      const sent = { accept: "application/json", ...defined({ "content-type": type ?? undefined }), ...headers };
      const response = await fetch(url, { ...init, headers: sent, redirect: "manual", ...transport });
      if (!response.ok) throw new ErrorReply(response);
      return response;
    },
  });
}

/** Returns a function that sends requests to an address and returns every reply, also with an error status. */
export function requestSender({ url }: Pick<Address, "url">, headers: RequestHeaders): SendRequest {
  let client: Promise<OpenAI> | undefined;
  return async (path, { body, query = {}, signal } = {}) => {
    const place = new URL(url);
    place.pathname = place.pathname.replace(/\/$/, "") + path;
    for (const [name, value] of Object.entries(query)) place.searchParams.set(name, value);
    const opened = await (client ??= openClient(url, headers));
    const method = body === undefined ? "get" : "post";
    try {
      return await opened.request({ method, path: place.href, body, ...defined({ signal }) }).asResponse();
    } catch (error) {
      const cause = (error as Error).cause;
      if (cause instanceof ErrorReply) return cause.response;
      throw error;
    }
  };
}

/** A reply was longer than any that a model writes. */
export class EndlessReply extends Error {
  /** Whether the same request may succeed later, as other replies took the memory. */
  readonly canRetry: boolean;

  constructor(what: string, mostBytes: number, { canRetry = false }: { readonly canRetry?: boolean } = {}) {
    super(`${what} longer than ${Math.round(10 * mostBytes / 2 ** 20) / 10} MiB`);
    this.canRetry = canRetry;
  }
}

/** The memory that one reply may take. */
export interface ReplyRoom extends Disposable {
  /** Maximum bytes of the reply, or of a line of its stream. */
  readonly most: number;
  /** Counts kept bytes; throws {@linkcode EndlessReply} if they are too many. Disposing releases them. */
  take(bytes: number): void;
}

const MIN_BYTES = 2 ** 20;
const BYTES_PER_TOKEN = 64;
const MAX_IN_FLIGHT = 64 * 2 ** 20;

/** Returns a function that reserves memory for a reply of one server: 64 bytes per token, at least 1 MiB, 64 MiB for all in flight. */
export function replyRooms(): (tokens: number) => ReplyRoom {
  let inFlight = 0;
  return (tokens) => {
    let taken = 0;
    const most = Math.max(MIN_BYTES, BYTES_PER_TOKEN * tokens);
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

/** Reads a reply: its JSON, or its text if it is none. `take` is called with the size of each part before it is kept. */
export async function readBody(response: Response, take: (bytes: number) => void): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    take(chunk.byteLength);
    text += decoder.decode(chunk, { stream: true });
  }
  text += decoder.decode();
  if (!response.ok) return parseJson(text) ?? text;
  return isOfType(response, "json") && text !== "" ? parseShallow(text) : text;
}

/** A value that a server sent: an event of a stream, or the whole of a body that is none. */
export interface SentValue {
  readonly value: unknown;
  readonly isEvent: boolean;
}

/** A field of an event, or a comment between events. */
const EVENT_LINE = /^(?:data|event|id|retry)?:/;

/**
 * Reads a body as it comes, by what it holds and not by its content type: events (`data:`), a JSON object on each line, or one whole
 * reply.
 */
export async function* readValues(response: Response, { most, take }: ReplyRoom): AsyncGenerator<SentValue> {
  const decoder = new TextDecoder();
  let [line, data, rest] = ["", "", ""];
  let [isEvents, isLines]: [boolean | undefined, boolean] = [undefined, false];
  /** Reads a line of a body, and returns whether it ends the stream. */
  function* read(given: string): Generator<SentValue, boolean> {
    const text = given.replace(/\r$/, "");
    if (!isEvents) {
      // A first line that is JSON by itself, with others after it, is an event.
      if (!isLines && text.trim() !== "" && !rest.trimEnd().includes("\n") && isFields(parseJson(rest))) {
        isLines = true;
        yield { value: parseShallow(rest), isEvent: true };
      }
      if (!isLines) rest += `${text}\n`;
      else if (text.trim() !== "") yield { value: parseShallow(text), isEvent: true };
      return false;
    }
    const [, part] = /^data: ?(.*)$/s.exec(text) ?? [];
    if (part?.startsWith("[DONE]")) return true;
    // Most events are one line, which some servers do not end with an empty one.
    const alone = part === undefined || data !== "" ? undefined : parseJson(part);
    if (part !== undefined && alone === undefined) data += `${part}\n`;
    if (alone !== undefined) yield { value: alone, isEvent: true };
    if (text.trim() !== "" || data === "") return false;
    yield { value: parseShallow(data), isEvent: true };
    data = "";
    return false;
  }
  for await (const chunk of response.body ?? []) {
    if (!isEvents) take(chunk.byteLength);
    const [head = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
    line += head;
    if (lines.length > 0 || line.trimStart().length > 5) isEvents ??= EVENT_LINE.test(line.trimStart());
    for (const next of lines) {
      if (yield* read(line)) return;
      line = next;
    }
    if (line.length + data.length > most) throw new EndlessReply("A line of the reply is", most);
  }
  if (yield* read(line + decoder.decode())) return;
  if (data.trim() !== "") yield { value: parseShallow(data), isEvent: true };
  if (isEvents || isLines) return;
  yield { value: isOfType(response, "json") && rest.trim() !== "" ? parseShallow(rest) : rest, isEvent: false };
}

/** Returns whether a reply has a content type. */
function isOfType(response: Response, type: string): boolean {
  return response.headers.get("content-type")?.includes(type) ?? false;
}
