import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import { type ListenOptions, type LocalServer, Refusal, refusalOf, serveLocal } from "./local_server.ts";
import type { Verifier } from "./verify_replies.ts";
import { parseJson } from "@/lib/models/mod.ts";
import { FATHOM_VERSION } from "@/lib/studies/mod.ts";

/** Limits: bytes of a body, and of all bodies held at a time; items of a list, and the seconds that its scoring may take. */
export const VERIFY_LIMITS = { bytes: 64 * 2 ** 20, heldBytes: 256 * 2 ** 20, items: 10_000, seconds: 60 } as const;

/** The time in milliseconds that a list is scored before other requests get a turn. */
const TURN_MS = 50;

/**
 * Serves a verifier by HTTP: `POST /verify` scores a reply or a list, `GET /health` answers; `POST /seed_session` is for NeMo Gym.
 *
 * Bodies must be JSON within {@linkcode VERIFY_LIMITS}, each at most half of what the others leave, so that small ones always have
 * room. A list is scored in turns, and no longer when its client has gone.
 *
 * @throws {Error} If the address or port cannot be listened on.
 */
export async function serveVerifier(verifier: Verifier, options: ListenOptions = {}): Promise<LocalServer> {
  let held = 0;
  return await serveLocal(async (request, path, signal) => {
    const { method, headers: { "content-type": type = "" } } = request;
    if (method === "GET" && (path === "/health" || path === "/")) {
      return { body: JSON.stringify({ status: "ok", fathom: FATHOM_VERSION }) };
    }
    if (method !== "POST" || (path !== "/verify" && path !== "/seed_session")) {
      throw new Refusal(404, "unknown_path", "The request must be POST /verify, POST /seed_session or GET /health");
    }
    // Browsers send other types to any site without asking it first.
    if (!/^application\/json\s*(?:;|$)/i.test(type)) {
      throw new Refusal(415, "not_json", `The content type must be application/json: it is ${JSON.stringify(type)}`);
    }
    let own = 0;
    try {
      const parts: Uint8Array[] = [];
      // The end of the loop must not close the connection, which a refusal needs.
      for await (const part of request.iterator({ destroyOnReturn: false })) {
        parts.push(part);
        own += part.length;
        held += part.length;
        if (own > VERIFY_LIMITS.bytes) {
          throw new Refusal(413, "too_large", `The body must have at most ${VERIFY_LIMITS.bytes} bytes`);
        }
        if (2 * own > VERIFY_LIMITS.heldBytes - (held - own)) {
          throw new Refusal(
            503,
            "busy",
            "The bodies of other requests fill the server: send fewer at a time, or again",
          );
        }
      }
      const body = parseJson(Buffer.concat(parts).toString("utf8"));
      if (body === undefined) throw new Refusal(400, "invalid_json", "The body must be valid JSON");
      if (path === "/seed_session") return { body: "{}" };
      const verified = Array.isArray(body) ? await verifyAll(body, verifier, signal) : await verifier.verify(body);
      return { body: JSON.stringify(verified) };
    } finally {
      held -= own;
    }
  }, options);
}

/** Scores a list in its order; a wrong item gets an error in its place, and so do all once the time is over. */
async function verifyAll(items: readonly unknown[], verifier: Verifier, signal: AbortSignal): Promise<unknown[]> {
  if (items.length > VERIFY_LIMITS.items) {
    throw new Refusal(413, "too_many", `A list must have at most ${VERIFY_LIMITS.items} items: it has ${items.length}`);
  }
  const results: unknown[] = [];
  let spentMs = 0;
  let turnEnds = performance.now() + TURN_MS;
  for (const item of items) {
    if (spentMs > 1000 * VERIFY_LIMITS.seconds) {
      const message = `Scoring took ${VERIFY_LIMITS.seconds} s before this item: send it again in a shorter list`;
      results.push(new Refusal(503, "out_of_time", message).describe());
      continue;
    }
    const began = performance.now();
    results.push(await verifier.verify(item).catch((error) => refusalOf(error).describe()));
    spentMs += performance.now() - began;
    if (performance.now() < turnEnds) continue;
    await setTimeout(1);
    signal.throwIfAborted();
    turnEnds = performance.now() + TURN_MS;
  }
  return results;
}
