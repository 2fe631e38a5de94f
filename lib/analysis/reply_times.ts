import { quantileSorted } from "simple-statistics";
import type { RunRecord } from "@/lib/runs/mod.ts";

/** How long the replies of one context length took. */
export interface ReplyTimes {
  /** The context length, in tokens. */
  readonly length: number;
  /** Answers that were timed. */
  readonly n: number;
  /** Half of them took at most so long, in milliseconds. */
  readonly medianMs: number;
  /** 19 of 20 took at most so long, in milliseconds. */
  readonly p95Ms: number;
  /** Questions that were sent more than once; the time is that of the last request. */
  readonly resent: number;
}

/**
 * Tells how long answers took, by context length.
 *
 * @param records The records of a run. Failed calls are left out, and so are answers that took no time, as the simulated
 *   reader's in this process do.
 * @returns A row a length, from the shortest; quantiles lie between two times as simple-statistics has it.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/runs/mod.ts";
 *
 * const timed = (latencyMs: number) => ({ length: 4096, reply: { kind: "answer", latencyMs, attempts: 1 } }) as RunRecord;
 * deepEqual(replyTimes([timed(100), timed(300), timed(200)]), [
 *   { length: 4096, n: 3, medianMs: 200, p95Ms: 290, resent: 0 },
 * ]);
 * ```
 */
export function replyTimes(records: readonly Pick<RunRecord, "length" | "reply">[]): readonly ReplyTimes[] {
  const timed = records.filter(({ reply }) => reply.kind === "answer" && reply.latencyMs > 0);
  const byLength = [...Map.groupBy(timed, ({ length }) => length)].sort(([left], [right]) => left - right);
  return byLength.map(([length, ofLength]) => {
    const times = ofLength.map(({ reply }) => reply.latencyMs).sort((left, right) => left - right);
    return {
      length,
      n: times.length,
      medianMs: quantileSorted(times, 0.5),
      p95Ms: quantileSorted(times, 0.95),
      resent: ofLength.filter(({ reply }) => reply.attempts > 1).length,
    };
  });
}
