import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";

/** Where a server listens. */
export interface ListenOptions {
  /** The address to listen on. Default: 127.0.0.1, which only programs on this machine reach. */
  readonly host?: string | undefined;
  /** The port; 0 takes any that is free. Range: 0 to 65,535. Default: 0. */
  readonly port?: number | undefined;
}

/** A running server. */
export interface LocalServer {
  readonly url: string;
  /** Stops it; requests in flight are answered first. */
  close(): Promise<void>;
}

/** The answer to a request: a text, or the pieces of one that is sent as it is made. It is JSON unless `headers` has another type. */
export interface ServedBody {
  readonly body: string | Iterable<string> | AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request: its HTTP status, a code for programs and a message. */
export class Refusal extends Error {
  /** Makes a refusal that a server answers with. */
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }

  /** Returns its body. */
  describe(): object {
    return { error: { code: this.code, message: this.message } };
  }
}

/** Returns the refusal of a request that caused an error: wrong input is 400, any other error 500. */
export function refusalOf(error: Error): Refusal {
  if (error instanceof Refusal) return error;
  const isWrong = error instanceof RangeError || error instanceof SyntaxError;
  const [status, code] = isWrong ? [400, "invalid_request"] as const : [500, "server_error"] as const;
  return new Refusal(status, code, error.message);
}

/** The time in milliseconds that a whole request may take to arrive, and its headers. */
const TIMEOUTS = { requestTimeout: 60_000, headersTimeout: 10_000 } as const;

/** The names of this machine, with any port: a tunnel can give another. */
const OWN_NAME = /^(?:127\.0\.0\.1|localhost|\[?::1\]?)(?::\d+)?$/i;

/**
 * Serves by HTTP. Pages of other sites are refused, and on 127.0.0.1 other host names, by which such a page could reach this machine.
 *
 * @param answer Answers a request by its path, or throws a {@linkcode Refusal}; its signal is aborted when the client goes.
 * @throws {Error} If the address or port cannot be listened on.
 */
export async function serveLocal(
  answer: (request: IncomingMessage, path: string, signal: AbortSignal) => Promise<ServedBody>,
  { host = "127.0.0.1", port = 0 }: ListenOptions = {},
): Promise<LocalServer> {
  const isLocal = OWN_NAME.test(host);
  const underWay = new Set<Promise<void>>();
  const server = createServer(TIMEOUTS, (request, response) => {
    const answered = respond(request, response, async (signal) => {
      checkSite(request, isLocal);
      return await answer(request, URL.parse(request.url ?? "", "http://127.0.0.1")?.pathname ?? "", signal);
    }).catch(() => void response.destroy()).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  const listening = once(server, "listening");
  server.listen(port, host);
  await listening.catch((cause: Error) => {
    const wanted = `${host} and port must be free to listen on`;
    throw new Error(`Cannot serve as ${wanted}: current value is ${port} (${cause.message})`, { cause });
  });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      await Promise.all(underWay);
      // Clients keep connections open for requests that will not come.
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (signal: AbortSignal) => Promise<ServedBody>,
): Promise<void> {
  const gone = new AbortController();
  // Deno's server does not end requests that never arrive whole.
  const late = setTimeout(() => request.complete || request.destroy(), TIMEOUTS.requestTimeout);
  response.once("close", () => {
    clearTimeout(late);
    gone.abort();
  });
  const served = await answer(gone.signal).catch(refusalOf);
  if (gone.signal.aborted) return void request.destroy();
  const [status, { body, headers = {} }] = served instanceof Refusal
    ? [served.status, { body: JSON.stringify(served.describe()) }] as const
    : [200, served] as const;
  const [pieces, size] = typeof body === "string"
    ? [[body], { "content-length": Buffer.byteLength(body) }]
    : [body, {}];
  response.writeHead(status, { "content-type": "application/json", ...headers, ...size });
  await pipeline(pieces, response);
  // The rest of a refused body is not awaited.
  if (!request.complete) request.destroy();
}

function checkSite({ headers: { host = "", origin } }: IncomingMessage, isLocal: boolean): void {
  if (isLocal && !OWN_NAME.test(host)) {
    const wanted = "The host must be 127.0.0.1 or localhost";
    throw new Refusal(403, "host_not_allowed", `${wanted}: it is ${JSON.stringify(host)}`);
  }
  if (origin !== undefined && !OWN_NAME.test(origin.replace(/^https?:\/\//, ""))) {
    throw new Refusal(403, "origin_not_allowed", `The origin must be this machine: it is ${JSON.stringify(origin)}`);
  }
}
