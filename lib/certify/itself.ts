import { cellName, type CertificateDesign, type SelfComparison } from "./design.ts";
import { pairedComparison } from "@/lib/statistics/mod.ts";
import { placeKey, type ScoredReply } from "@/lib/records/mod.ts";

/** Compares the replies to samples that the base was asked twice; `null` if none have a score both times. */
export function compareItself(
  first: readonly ScoredReply[],
  second: readonly ScoredReply[],
): SelfComparison | null {
  const before = new Map(first.map((reply) => [placeKey(reply.record), reply]));
  const pairs = second.flatMap((after) => {
    const reply = before.get(placeKey(after.record));
    return reply === undefined || reply.value === null || after.value === null ? [] : [{ reply, after }];
  });
  if (pairs.length === 0) return null;
  const cells = Map.groupBy(pairs, ({ after }) => cellName(after));
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

/** The share of scores that flip when the base is asked twice, in percent. */
export function selfFlips(itself: CertificateDesign["itself"]): number {
  return itself === null ? 0 : 100 * (itself.better + itself.worse) / itself.pairs;
}
