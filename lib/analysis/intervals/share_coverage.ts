import { gammaln } from "simple-statistics";
import type { Interval } from "./interval.ts";

/**
 * Tells how often an interval of a share holds the true share: exactly, by going through all numbers of successes.
 *
 * @param interval The interval, such as `midInterval`.
 * @param options `trials`, how many there are, from 1; `share`, the true one, inside (0, 1).
 * @returns The chance that the interval holds the share, in [0, 1].
 *
 * @example Clopper and Pearson's never falls below its level
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { exactInterval, wilsonInterval } from "@/lib/analysis/mod.ts";
 *
 * ok(shareCoverage(exactInterval, { trials: 25, share: 0.994 }) > 0.95);
 * ok(shareCoverage(wilsonInterval, { trials: 25, share: 0.994 }) < 0.87);
 * ```
 */
export function shareCoverage(
  interval: (successes: number, trials: number) => Interval,
  options: { readonly trials: number; readonly share: number },
): number {
  const { trials, share } = options;
  let covered = 0;
  for (let successes = 0; successes <= trials; successes++) {
    const { low, high } = interval(successes, trials);
    const ways = gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1);
    const chance = Math.exp(ways + successes * Math.log(share) + (trials - successes) * Math.log1p(-share));
    if (low <= share && share <= high) covered += chance;
  }
  // The chances add up to 1 but for rounding.
  return Math.min(1, covered);
}
