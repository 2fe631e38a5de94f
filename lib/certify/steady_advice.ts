import { percent, sum } from "@/lib/base/mod.ts";
import { cachedShare, runCost, type ScoredReply } from "@/lib/records/mod.ts";

/** What the records show about a server whose replies to one prompt can differ. */
export interface SteadyFacts {
  /** The server's software with its version, if known. */
  readonly software: string | null;
  /** The flags of the server, if known. */
  readonly flags: string | null;
  /** The temperature that replies were asked at. */
  readonly temperature: unknown;
  /** The share of the prompt tokens that came from the server's cache. */
  readonly cachedShare: number;
  /** The mean number of calls in flight. */
  readonly inFlight: number;
}

/** Returns the facts of a server with those of its replies. */
export function steadyFacts(
  replies: readonly ScoredReply[],
  server: Pick<SteadyFacts, "software" | "flags" | "temperature">,
): SteadyFacts {
  const records = replies.map(({ record }) => record);
  const cost = runCost(records);
  const busyMs = sum(records, ({ reply }) => reply.latencyMs);
  return {
    ...server,
    cachedShare: cachedShare(cost) ?? 0,
    inFlight: cost.seconds === 0 ? 1 : busyMs / 1000 / cost.seconds,
  };
}

/** Returns what to change about a server whose replies to one prompt differ, from what was recorded. */
export function steadyAdvice({ software, flags, temperature, cachedShare, inFlight }: SteadyFacts): string {
  if (typeof temperature === "number" && temperature > 0) return `ask with --temperature 0 instead of ${temperature}`;
  if (cachedShare > 0 && !flags?.includes("--no-cache-prompt")) {
    const what = /llama/i.test(software ?? "")
      ? "start both llama-servers with --no-cache-prompt"
      : "turn the server's prompt cache off";
    return `${what}, as ${
      percent(cachedShare)
    } of the prompt tokens came from its cache, after which sums have another order`;
  }
  if (inFlight > 1.05) {
    return `try --concurrency 1, as ${
      inFlight.toFixed(1)
    } calls were in flight at a time, and other batches have other sums`;
  }
  return "no sampling, prompt cache or parallel calls are recorded, so try deterministic kernels and no other load";
}
