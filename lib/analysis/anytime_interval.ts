import { whenAbove, whenBelow } from "./_betting.ts";
import { risingRoot } from "./_rising_root.ts";
import type { Interval, IntervalOptions } from "./interval.ts";

/**
 * Gives an interval of a mean that stays right where the values themselves decided when to stop: a confidence sequence.
 *
 * The chance that the interval ever leaves out the true mean, over all numbers of values together, is at most 1 less the
 * level. It is wider than `meanInterval` for that. It holds the means that {@linkcode anytimeTest} has not told from the
 * true one (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting").
 *
 * @param values Independent draws of one distribution on [0, 1], in the order they came; none gives [0, 1].
 * @param options The level.
 * @returns The interval of the mean, in [0, 1].
 * @throws {RangeError} If the level is outside (0, 1).
 *
 * @example Wider than an interval for a number of values that was fixed beforehand
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { meanInterval } from "@/lib/analysis/mod.ts";
 *
 * const values = [1, 0.5, 1, 1, 0.75, 1, 1, 0.5, 1, 1];
 * ok(anytimeInterval(values).low < meanInterval(values).low);
 * ```
 */
export function anytimeInterval(values: readonly number[], options: IntervalOptions = {}): Interval {
  const { level = 0.95 } = options;
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`Cannot give an interval as level must be in (0, 1): current value is ${level}`);
  }
  const wealth = 2 / (1 - level);
  // The evidence against a mean falls as the mean nears the values, so there is one place where it ceases to be strong.
  const edge = (isRefuted: (mean: number) => boolean): number =>
    risingRoot((mean) => isRefuted(mean) ? -1 : 1, { low: 0, high: 1 });
  const low = edge((mean) => whenAbove(values, { mean, wealth }) !== null);
  const high = 1 - edge((mean) => whenBelow(values, { mean: 1 - mean, wealth }) !== null);
  return { low: low < 1e-12 ? 0 : low, high: high > 1 - 1e-12 ? 1 : high };
}
