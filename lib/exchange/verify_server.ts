import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { errorBody, isWrongItem, type ListenOptions, type LocalServer, Refusal, serveLocal } from "./local_server.ts";
import type { Verifier } from "./verify_replies.ts";
import { parseJson } from "@/lib/models/mod.ts";
import { FATHOM_VERSION } from "@/lib/studies/mod.ts";

/**
 * Limits: bytes of a body, and of all bodies that are held at a time; items of a list, and the seconds that its scoring may take.
 */
export const VERIFY_LIMITS = { bytes: 64 * 2 ** 20, heldBytes: 256 * 2 ** 20, items: 10_000, seconds: 60 } as const;

/**
 * Serves a verifier by HTTP: `POST /verify` scores a reply or a list of replies, `GET /health` answers. `POST /seed_session` does
 * nothing, as NeMo Gym expects.
 *
 * Bodies must be JSON (415) of at most 64 MiB (413). Pages of other sites are refused (403), and on 127.0.0.1 requests under
 * another host name too, by which such a page could reach this machine.
 *
 * All bodies together have at most 256 MiB, each at most half of what the others leave (503), so that small ones always have room.
 * Requests are scored in turns, and no longer when their client has gone.
 *
 * @throws {Error} If the address or port cannot be listened on.
 */
export async function serveVerifier(verifier: Verifier, options: ListenOptions = {}): Promise<LocalServer> {
  const bodies = { held: 0 };
  const takeTurn = openTurns();
  return await serveLocal(async (request, path, signal) => {
    const kind = checkRequest(request, path);
    if (kind === "health") return { body: JSON.stringify({ status: "ok", fathom: FATHOM_VERSION }) };
    const { text, free } = await readBody(request, bodies);
    try {
      return { body: await takeTurn(signal, (turn) => answer(text(), { path, verifier, turn })) };
    } finally {
      free();
    }
  }, options);
}

/** Returns the kind of a request; refuses wrong paths, methods and types. */
function checkRequest({ method, headers }: IncomingMessage, path: string): "health" | "body" {
  const { "content-type": type = "" } = headers;
  if (method === "GET" && (path === "/health" || path === "/")) return "health";
  if (method !== "POST" || (path !== "/verify" && path !== "/seed_session")) {
    throw new Refusal(404, "unknown_path", "The request must be POST /verify, POST /seed_session or GET /health");
  }
  // Browsers send other types to any site without asking it first.
  if (/^application\/json\s*(?:;|$)/i.test(type)) return "body";
  throw new Refusal(415, "not_json", `The content type must be application/json: it is ${JSON.stringify(type)}`);
}

async function answer(
  text: string,
  { path, verifier, turn }: { readonly path: string; readonly verifier: Verifier; readonly turn: Turn },
): Promise<string> {
  const body = parseJson(text);
  if (body === undefined) throw new Refusal(400, "invalid_json", "The body must be valid JSON");
  if (path === "/seed_session") return "{}";
  return JSON.stringify(Array.isArray(body) ? await verifyAll(body, verifier, turn) : await verifier.verify(body));
}

/** Reads a body, which counts as held until it is freed. */
async function readBody(
  request: IncomingMessage,
  bodies: { held: number },
): Promise<{ readonly text: () => string; readonly free: () => void }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const free = (): void => {
    bodies.held -= size;
    size = 0;
  };
  try {
    // The end of the loop must not close the connection, which a refusal needs.
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      size += part.length;
      bodies.held += part.length;
      if (size > VERIFY_LIMITS.bytes) {
        throw new Refusal(413, "too_large", `The body must have at most ${VERIFY_LIMITS.bytes} bytes`);
      }
      if (2 * size > VERIFY_LIMITS.heldBytes - (bodies.held - size)) {
        throw new Refusal(503, "busy", "The bodies of other requests fill the server: send fewer at a time, or again");
      }
      parts.push(part);
    }
  } catch (error) {
    free();
    throw error;
  }
  return { text: () => Buffer.concat(parts.splice(0)).toString("utf8"), free };
}

/** The time in milliseconds that a request may take before others get a turn, and the pause in which connections are served. */
const [TURN_MS, PAUSE_MS] = [50, 2];

/** Ends the turn of a request if it is over, and waits for its next; throws if the client has gone. */
type Turn = () => Promise<void>;

/** Lets one request work at a time, in turns. Connections are served between turns. */
function openTurns(): <Result>(signal: AbortSignal, work: (turn: Turn) => Promise<Result>) => Promise<Result> {
  let last: Promise<void> = Promise.resolve();
  let began = performance.now();
  const start = async (): Promise<() => void> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    if (performance.now() - began >= TURN_MS) {
      await setTimeout(PAUSE_MS);
      began = performance.now();
    }
    return resolve;
  };
  return async (signal, work) => {
    let end = await start();
    try {
      signal.throwIfAborted();
      return await work(async () => {
        if (performance.now() - began < TURN_MS) return;
        end();
        end = await start();
        signal.throwIfAborted();
      });
    } finally {
      end();
    }
  };
}

/** Scores a list in its order; a wrong item gets an error in its place, and so do all once the time is over. */
async function verifyAll(items: readonly unknown[], verifier: Verifier, turn: Turn): Promise<readonly unknown[]> {
  if (items.length > VERIFY_LIMITS.items) {
    throw new Refusal(413, "too_many", `A list must have at most ${VERIFY_LIMITS.items} items: it has ${items.length}`);
  }
  const results: unknown[] = [];
  let spentMs = 0;
  for (const item of items) {
    if (spentMs > 1000 * VERIFY_LIMITS.seconds) {
      const message = `Scoring took ${VERIFY_LIMITS.seconds} s before this item: send it again in a shorter list`;
      results.push(errorBody("out_of_time", message));
      continue;
    }
    const began = performance.now();
    results.push(
      await verifier.verify(item).catch((error) => {
        if (!isWrongItem(error)) throw error;
        return errorBody("invalid_request", error.message);
      }),
    );
    spentMs += performance.now() - began;
    await turn();
  }
  return results;
}
