import type { Address, RequestHeaders } from "./address.ts";
import { fieldsOf, parseJson } from "./json.ts";
import { defined, type Fields, once } from "@/lib/base/mod.ts";
import type OpenAI from "openai";

/** Sends one request to a path, which is added to that of the address: a GET unless it has a body. */
type SendRequest = (path: string, request: {
  readonly body?: Fields | undefined;
  readonly signal: AbortSignal;
}) => Promise<Response>;

/**
 * Opens a connection for each request: on one that was used before, Deno's fetch sends a request again by itself if the server
 * closes it without a reply, although the server may have read the request.
 */
const CLIENT: { readonly client?: Deno.HttpClient } = "Deno" in globalThis
  ? { client: Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) }
  : {};

/**
 * Returns options with which fetch waits for as long as its caller does. By default Node's and Bun's give up after five minutes
 * without headers or data, which a server may take to read a long prompt. Node has its dispatcher once headers were made.
 */
function patience(): object {
  const dispatcher = (globalThis as Record<symbol, object | undefined>)[Symbol.for("undici.globalDispatcher.1")];
  if (dispatcher === undefined) return { timeout: false };
  const Dispatcher = dispatcher.constructor as new (options: object) => object;
  return { dispatcher: new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 }) };
}

/** Returns a signal that ends when one of two does. */
export function endWith(one: AbortSignal, other?: AbortSignal): AbortSignal {
  return other === undefined ? one : AbortSignal.any([other, one]);
}

/**
 * Opens OpenAI's client for one address. It sends no header and reads no variable but those given, and follows no redirection, which
 * could take headers and prompts to another host.
 */
export async function openClient({ url: baseURL }: Pick<Address, "url">, headers: RequestHeaders): Promise<OpenAI> {
  // Imported here, as few users of this room send requests.
  const { default: OpenAI } = await import("openai");
  let transport: object | undefined;
  return new OpenAI({
    baseURL,
    apiKey: "none",
    // Nulls keep the package from reading these from the environment, which no record would show.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    // Replies have limits of their own; this one is the longest that a timer can have.
    timeout: 2 ** 31 - 1,
    async fetch(url, init): Promise<Response> {
      const type = new Headers(init?.headers).get("content-type");
      const sent = { accept: "application/json", ...defined({ "content-type": type ?? undefined }), ...headers };
      transport ??= { ...CLIENT, ...patience() };
      const response = await fetch(url, { ...init, headers: sent, redirect: "manual", ...transport });
      // Read by this room and not by the package: its size is bounded.
      if (!response.ok) throw new Error(`HTTP ${response.status}`, { cause: response });
      return response;
    },
  });
}

/** Returns the reply with an error status that an error of the client stands for; `undefined` for any other error. */
export function refusedReply(error: unknown): Response | undefined {
  // The package's error has that of fetch as its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.cause : undefined;
  return cause instanceof Response ? cause : undefined;
}

/** Returns a function that sends requests to an address; a reply with an error status rejects ({@linkcode refusedReply}). */
export function requestSender(address: Pick<Address, "url">, headers: RequestHeaders): SendRequest {
  const open = once(() => openClient(address, headers));
  return async (path, { body, signal }) => {
    const method = body === undefined ? "get" : "post";
    return await (await open()).request({ method, path, body, signal }).asResponse();
  };
}

/** A reply was longer than any that a model writes. */
export class EndlessReply extends Error {
  constructor(what: string, mostBytes: number) {
    super(`${what} longer than ${Math.round(10 * mostBytes / 2 ** 20) / 10} MiB`);
  }
}

/** The memory that one reply may take: 64 bytes per token, at least 1 MiB. */
export class ReplyRoom {
  /** Maximum bytes of the reply, or of a line of its stream. */
  readonly most: number;
  #taken = 0;

  constructor(tokens = 0) {
    this.most = Math.max(2 ** 20, 64 * tokens);
  }

  /** Counts kept bytes; throws {@linkcode EndlessReply} if they are too many. */
  readonly take = (bytes: number): void => {
    this.#taken += bytes;
    if (this.#taken > this.most) throw new EndlessReply("The reply is", this.most);
  };
}

/** Reads the text of a reply. */
export async function readText(response: Response, { take } = new ReplyRoom()): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    take(chunk.byteLength);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A field of an event, or a comment between events. */
const EVENT_LINE = /^(?:data|event|id|retry)?:/;

/** Reads a body as it comes, by what it holds and not by its content type: events (`data:`), or the text of one whole reply. */
export async function* readEvents(response: Response, { most, take }: ReplyRoom): AsyncGenerator<Fields | string> {
  const decoder = new TextDecoder();
  let [line, data, rest] = ["", "", ""];
  let isEvents: boolean | undefined;
  /** Reads a line of a body, and returns whether it ends the stream. */
  function* read(given: string): Generator<Fields, boolean> {
    const text = given.replace(/\r$/, "");
    if (!isEvents) {
      rest += `${text}\n`;
      return false;
    }
    const [, part] = /^data: ?(.*)$/s.exec(text) ?? [];
    if (part?.startsWith("[DONE]")) return true;
    const [isFirst, isLast] = [data === "", text.trim() === ""];
    if (part !== undefined) data += `${part}\n`;
    // Most events are one line, which some servers do not end with an empty one.
    const event = data !== "" && (isFirst || isLast) ? parseJson(data) : undefined;
    if (event === undefined && (data === "" || !isLast)) return false;
    if (event === undefined) throw new SyntaxError("An event of the stream cannot be read");
    yield fieldsOf(event);
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
  // An event that the stream broke off.
  if (data.trim() !== "") yield* read("");
  if (!isEvents) yield rest;
}
