import type { Address, RequestHeaders } from "./address.ts";
import { defined, type Fields } from "@/lib/base/mod.ts";

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

/** Returns a signal that ends when one of two does. */
export function endWith(one: AbortSignal, other?: AbortSignal): AbortSignal {
  return other === undefined ? one : AbortSignal.any([other, one]);
}

/**
 * Returns a function that sends requests to an address and returns every reply, also with an error status. It sends no header but those
 * given, and follows no redirection, which could take headers and prompts to another host.
 */
export function requestSender({ url }: Pick<Address, "url">, headers: RequestHeaders): SendRequest {
  let transport: object | undefined;
  return (path, { body, query = {}, signal } = {}) => {
    const place = new URL(url);
    place.pathname = place.pathname.replace(/\/$/, "") + path;
    for (const [name, value] of Object.entries(query)) place.searchParams.set(name, value);
    const sent = new Headers({ accept: "application/json", ...headers });
    const isForm = body instanceof FormData;
    // fetch names the type of a form, with its boundary.
    if (body !== undefined && !isForm) sent.set("content-type", "application/json");
    transport ??= { ...CLIENT, ...patience() };
    return fetch(place, {
      method: body === undefined ? "GET" : "POST",
      headers: sent,
      redirect: "manual",
      ...defined({ signal, body: isForm ? body : body && JSON.stringify(body) }),
      ...transport,
    });
  };
}
