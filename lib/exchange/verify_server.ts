import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { errorBody, isWrongItem, type ListenOptions, type LocalServer, Refusal, serveLocal } from "./local_server.ts";
import type { Verifier } from "./verify_replies.ts";
import { FATHOM_VERSION } from "@/lib/studies/mod.ts";

/** Limits of a request: bytes of its body, and items of a batch. */
export const VERIFY_LIMITS = { bytes: 64 * 2 ** 20, items: 10_000 } as const;

/**
 * Serves a verifier by HTTP: `POST /verify` scores a reply or a list of replies, `GET /health` answers. `POST /seed_session` does
 * nothing, as NeMo Gym expects.
 *
 * Bodies must be JSON (415) of at most 64 MiB (413). Pages of other sites are refused (403), and on 127.0.0.1 requests under
 * another host name too, by which such a page could reach this machine.
 *
 * @throws {Error} If the address or port cannot be listened on.
 */
export async function serveVerifier(verifier: Verifier, options: ListenOptions = {}): Promise<LocalServer> {
  return await serveLocal(
    async (request, path) => ({ body: JSON.stringify(await answer(request, path, verifier)) }),
    options,
  );
}

async function answer(request: IncomingMessage, path: string, verifier: Verifier): Promise<unknown> {
  const { method, headers: { "content-type": type = "" } } = request;
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
