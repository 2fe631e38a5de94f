import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Verifier } from "./verify_replies.ts";
import { FATHOM_VERSION } from "@/lib/studies/mod.ts";

/** A running server. */
export interface VerifyServer {
  /** Its address, such as `http://127.0.0.1:8124`. */
  readonly url: string;
  /** Stops it; requests in flight are answered first. */
  close(): Promise<void>;
}

/** Limits of a request: bytes of its body, and items of a batch. */
export const VERIFY_LIMITS = { bytes: 64 * 2 ** 20, items: 10_000 } as const;

/** The time in milliseconds that a whole request may take to arrive, and its headers. */
const TIMEOUTS = { requestTimeout: 60_000, headersTimeout: 10_000 } as const;

/**
 * Serves a verifier by HTTP: `POST /verify` scores a reply or a list of replies, `GET /health` answers. `POST /seed_session` does
 * nothing, as NeMo Gym expects.
 *
 * Bodies must be JSON (415) of at most 64 MiB (413). Pages of other sites are refused (403), and on 127.0.0.1 requests under
 * another host name too, by which such a page could reach this machine.
 *
 * @throws {Error} If the address or port cannot be listened on.
 */
export async function serveVerifier(verifier: Verifier, options: {
  /** The address to listen on. Default: 127.0.0.1, which only programs on this machine reach. */
  readonly host?: string | undefined;
  /** The port; 0 takes any that is free. Range: 0 to 65,535. Default: 0. */
  readonly port?: number | undefined;
} = {}): Promise<VerifyServer> {
  const { host = LOOPBACK, port = 0 } = options;
  const isLocal = OWN_NAME.test(host);
  const underWay = new Set<Promise<void>>();
  const server = createServer(TIMEOUTS, (request, response) => {
    const answered = respond(request, response, { verifier, isLocal }).catch(() => void response.destroy())
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  const { port: own } = await listen(server, host, port);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${own}`,
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

const LOOPBACK = "127.0.0.1";

/** The names of this machine, with any port: a tunnel can give another. */
const OWN_NAME = /^(?:127\.0\.0\.1|localhost|\[?::1\]?)(?::\d+)?$/i;

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  const failed = once(server, "error").then(([error]) => {
    throw error;
  });
  server.listen(port, host);
  try {
    await Promise.race([once(server, "listening"), failed]);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `Cannot serve as ${host} and port must be free to listen on: current value is ${port} (${message})`,
      {
        cause,
      },
    );
  }
  return server.address() as AddressInfo;
}

/** A refused request. */
class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

interface Serving {
  readonly verifier: Verifier;
  readonly isLocal: boolean;
}

async function respond(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const [status, body] = await answer(request, serving).then((body) => [200, body] as const, (error) => {
    if (error instanceof Refusal) return [error.status, errorBody(error.code, error.message)] as const;
    if (isWrongItem(error)) return [400, errorBody("invalid_request", error.message)] as const;
    return [500, errorBody("server_error", (error as Error).message)] as const;
  });
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(bytes, resolve);
  });
  // The rest of a refused body is not awaited.
  if (!request.complete) request.destroy();
}

function errorBody(code: string, message: string): object {
  return { error: { code, message } };
}

function isWrongItem(error: unknown): error is Error {
  return error instanceof RangeError || error instanceof SyntaxError;
}

async function answer(request: IncomingMessage, { verifier, isLocal }: Serving): Promise<unknown> {
  const { method, headers: { host = "", origin, "content-type": type = "" } } = request;
  if (isLocal && !OWN_NAME.test(host)) {
    throw new Refusal(
      403,
      "host_not_allowed",
      `The host must be 127.0.0.1 or localhost: it is ${JSON.stringify(host)}`,
    );
  }
  if (origin !== undefined && !OWN_NAME.test(origin.replace(/^https?:\/\//, ""))) {
    throw new Refusal(403, "origin_not_allowed", `The origin must be this machine: it is ${JSON.stringify(origin)}`);
  }
  const path = URL.parse(request.url ?? "", "http://127.0.0.1")?.pathname ?? "";
  if (method === "GET" && (path === "/health" || path === "/")) return { status: "ok", fathom: FATHOM_VERSION };
  if (method !== "POST" || (path !== "/verify" && path !== "/seed_session")) {
    throw new Refusal(404, "unknown_path", "The request must be POST /verify, POST /seed_session or GET /health");
  }
  // Browsers send other types to any site without asking it first.
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new Refusal(415, "not_json", `The content type must be application/json: it is ${JSON.stringify(type)}`);
  }
  const body = await readJson(request);
  if (path === "/seed_session") return {};
  return Array.isArray(body) ? await verifyAll(body, verifier) : await verifier.verify(body);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > VERIFY_LIMITS.bytes) {
      throw new Refusal(413, "too_large", `The body must have at most ${VERIFY_LIMITS.bytes} bytes`);
    }
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new Refusal(400, "invalid_json", "The body must be valid JSON");
  }
}

/** The time in milliseconds that a batch may take before other requests get a turn. */
const TURN_MS = 50;

/** Scores a batch in its order; a wrong item gets an error in its place. */
async function verifyAll(items: readonly unknown[], verifier: Verifier): Promise<readonly unknown[]> {
  if (items.length > VERIFY_LIMITS.items) {
    throw new Refusal(413, "too_many", `A list must have at most ${VERIFY_LIMITS.items} items: it has ${items.length}`);
  }
  const results: unknown[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const item of items) {
    results.push(
      await verifier.verify(item).catch((error) => {
        if (!isWrongItem(error)) throw error;
        return errorBody("invalid_request", error.message);
      }),
    );
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
  return results;
}
