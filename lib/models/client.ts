import type { Address, RequestHeaders } from "./address.ts";
import { defined, type Fields } from "@/lib/base/mod.ts";
import type OpenAI from "openai";

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

/** Returns a signal that ends after some time, or when another one does. */
export function limitTime(milliseconds: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** A reply with an error status, which is read here and not by the package: its size is bounded. */
class ErrorReply extends Error {
  constructor(readonly response: Response) {
    super(`HTTP ${response.status}`);
  }
}

/**
 * Opens OpenAI's client for one address. It sends no header and reads no variable but those given, and follows no redirection, which
 * could take headers and prompts to another host.
 */
async function openClient(baseURL: string, headers: RequestHeaders): Promise<OpenAI> {
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
