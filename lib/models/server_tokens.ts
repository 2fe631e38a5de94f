import type { Delay } from "./endpoint_options.ts";
import { makeLook, type PreflightParts } from "./preflight.ts";
import { countOnServer } from "./server_facts.ts";
import type { Sample } from "@/lib/generators/mod.ts";

/** How often a prompt is sent to be counted, and the wait before the next time. */
const [ATTEMPTS, WAIT_MS] = [3, 1000];

/**
 * Counts the prompt of a sample in the server's own tokens, with what its template adds unseen; `undefined` where the server
 * does not count.
 */
export async function countSample(
  sample: Sample,
  parts: PreflightParts,
  { signal, delay, extraTokens }: {
    readonly signal?: AbortSignal | undefined;
    readonly delay: Delay;
    readonly extraTokens: number;
  },
): Promise<number | undefined> {
  const look = makeLook(parts, signal === undefined ? {} : { signal });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const tokens = await countOnServer(look, parts.model, parts.textOf(sample));
    if (tokens !== undefined) return tokens + extraTokens;
    signal?.throwIfAborted();
    if (attempt < ATTEMPTS) await delay(WAIT_MS);
  }
  return undefined;
}
