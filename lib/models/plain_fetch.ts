/** Options for {@linkcode plainFetch}. */
export interface PlainFetchOptions {
  /**
   * The most bytes of a reply that are read, as they are after unpacking.
   *
   * @default {64 MiB, as no model writes nearly as many}
   */
  readonly mostBytes?: number | undefined;
  /** The most time until a server takes a connection, in milliseconds; as long as the system waits if left out. */
  readonly connectMs?: number | undefined;
}

/**
 * Sends only the named headers: the package adds those of `OPENAI_CUSTOM_HEADERS`, and what machine it runs on. Follows no
 * redirection, as it could take headers and prompts to another host, and reads no endless reply.
 */
export function plainFetch(
  names: readonly string[],
  { mostBytes = MOST_BYTES, connectMs }: PlainFetchOptions = {},
): typeof fetch {
  let isThere = false;
  const kept = [...new Set(names)];
  return async (url, init = {}) => {
    const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
    const headers = kept.flatMap((name): [string, string][] => given.has(name) ? [[name, given.get(name)!]] : []);
    // Fetch has no such limit, and the system waits for two minutes and more.
    if (!isThere && connectMs !== undefined) await knock(new URL(String(url)), connectMs, init.signal ?? undefined);
    const response = await fetch(url, { ...init, headers, redirect: "manual", ...CLIENT }).catch((error) => {
      isThere = false;
      throw error;
    });
    isThere = true;
    if (response.body === null) return response;
    return new Response(limitBytes(response.body, mostBytes), response);
  };
}

/**
 * A connection for each request: on one that was used before, Deno's fetch sends a request again by itself where the server
 * closes it without a reply, though it may have read it and be at work on it.
 */
const CLIENT: { readonly client?: Deno.HttpClient } = "createHttpClient" in Deno
  ? { client: Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) }
  : {};

/** Variables that name a proxy, which connects in our place. */
const PROXIES: readonly string[] = ["http_proxy", "https_proxy", "all_proxy"];

/** Connects to a server and no more; refuses one that takes no connection in time. */
async function knock({ hostname, port, protocol }: URL, limitMs: number, signal?: AbortSignal): Promise<void> {
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
    // Whatever else is wrong, fetch says in its own words.
    if (limit.aborted) throw new Unreachable(`No connection to ${hostname} within ${limitMs / 1000} seconds (Connect)`);
  }
}

/** Whether a proxy is named, or nobody may look. */
function hasProxy(): boolean {
  const names = PROXIES.flatMap((name) => [name, name.toUpperCase()]);
  try {
    // Variables that are ignored read as if they were not set.
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

/** The most bytes of a reply that are read, as they are after unpacking: no model writes nearly as many. */
const MOST_BYTES = 64 * 2 ** 20;

/** A reply was longer than any that a model writes. */
export class EndlessReply extends Error {}

/** Passes on what comes, up to a limit; a stream of its own costs a fraction of one that is piped through another. */
function limitBytes(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream({
    async pull(controller): Promise<void> {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      bytes += value.byteLength;
      if (bytes <= most) return controller.enqueue(value);
      controller.error(new EndlessReply(`The reply is longer than ${most / 2 ** 20} MiB`));
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
