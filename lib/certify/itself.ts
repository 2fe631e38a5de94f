import { cellName, type CertificateDesign, type SelfComparison } from "./design.ts";
import { mean, percent, sum } from "@/lib/base/mod.ts";
import { pairedComparison } from "@/lib/statistics/mod.ts";
import { cachedShare, placeKey, runCost, type ScoredReply } from "@/lib/records/mod.ts";

/** Compares the replies to samples that the base was asked twice; `null` if none have a score both times. */
export function compareItself(first: readonly ScoredReply[], second: readonly ScoredReply[]): SelfComparison | null {
  const before = new Map(first.map((reply) => [placeKey(reply.record), reply]));
  const pairs = second.flatMap((after) => {
    const reply = before.get(placeKey(after.record));
    return reply === undefined || reply.value === null || after.value === null ? [] : [{ reply, after }];
  });
  if (pairs.length === 0) return null;
  const cells = Map.groupBy(pairs, ({ after }) => cellName(after));
  const squares = pairs.map(({ reply, after }) => (after.value! - reply.value!) ** 2);
  const { difference, low, high, p } = pairedComparison(
    [...cells.values()].map((ofCell) =>
      ofCell.map(({ reply, after }) => ({ cluster: after.cluster, first: after.value!, second: reply.value! }))
    ),
  );
  return {
    pairs: pairs.length,
    identical: pairs.filter(({ reply, after }) => textOf(reply) === textOf(after)).length,
    better: pairs.filter(({ reply, after }) => after.value! > reply.value!).length,
    worse: pairs.filter(({ reply, after }) => after.value! < reply.value!).length,
    difference,
    low,
    high,
    p,
    spread: 100 * mean(squares),
  };
}

function textOf({ record: { reply } }: ScoredReply): string {
  return reply.kind === "answer" ? reply.text : "";
}

/** Whether the base differs from itself by more than the margin, and not by chance; it errs in 1% of stable servers. */
export function isUnstable(
  { difference, low, high, p = low > 0 || high < 0 ? 0 : 1 }: NonNullable<CertificateDesign["itself"]>,
  margin: number,
): boolean {
  return Math.abs(difference) > margin && p <= 0.01;
}

/** The share of scores that flip when the base is asked twice, in percent; of graded scores, the mean square of their change. */
export function selfFlips(itself: CertificateDesign["itself"]): number {
  return itself === null ? 0 : itself.spread ?? 100 * (itself.better + itself.worse) / itself.pairs;
}

/** What the records show about a server whose replies to one prompt can differ. */
export interface SteadyFacts {
  readonly software: string | null;
  readonly flags: string | null;
  readonly temperature: unknown;
  readonly cachedShare: number;
  /** The mean number of calls in flight. */
  readonly inFlight: number;
}

/** Returns the facts of a server with those of its replies. */
export function steadyFacts(
  replies: readonly ScoredReply[],
  { software, flags }: Pick<SteadyFacts, "software" | "flags">,
  temperature: unknown,
): SteadyFacts {
  const cost = runCost(replies.map(({ record }) => record));
  const busyMs = sum(replies, ({ record }) => record.reply.latencyMs);
  const inFlight = cost.seconds === 0 ? 1 : busyMs / 1000 / cost.seconds;
  return { software, flags, temperature, cachedShare: cachedShare(cost) ?? 0, inFlight };
}

/** Returns what to change about a server whose replies to one prompt differ, from what was recorded. */
export function steadyAdvice({ software, flags, temperature, cachedShare, inFlight }: SteadyFacts): string {
  if (typeof temperature === "number" && temperature > 0) return `ask with --temperature 0 instead of ${temperature}`;
  if (cachedShare > 0 && !flags?.includes("--no-cache-prompt")) {
    const isLlama = /llama/i.test(software ?? "");
    const what = isLlama ? "start both llama-servers with --no-cache-prompt" : "turn the server's prompt cache off";
    const share = percent(cachedShare);
    return `${what}, as ${share} of the prompt tokens came from its cache, after which sums have another order`;
  }
  if (inFlight > 1.05) {
    const calls = inFlight.toFixed(1);
    return `try --concurrency 1, as ${calls} calls were in flight at a time, and other batches have other sums`;
  }
  return "no sampling, prompt cache or parallel calls are recorded, so try deterministic kernels and no other load";
}
