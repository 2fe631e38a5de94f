import { whenAbove, whenBelow } from "./_betting.ts";
import type { Round } from "./anytime_test.ts";
import { risingRoot } from "./_rising_root.ts";
import type { Interval, IntervalOptions } from "./interval.ts";

// How near the ends are found: each try goes through all rounds.
const WITHIN = 1e-7;

/**
 * Gives an interval of the mean over tasks that stays right where the scores themselves decided when to stop: a
 * confidence sequence.
 *
 * The chance that the interval ever leaves out the true mean, over all numbers of rounds together, is at most 1 less the
 * level. It is wider than `meanInterval` for that. It holds the means that {@linkcode anytimeTest} has not told from the
 * true one (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting").
 *
 * @param rounds Rounds of one score a task, in the order they came; none gives [0, 1].
 * @param options The level.
 * @returns The interval of the mean over tasks, in [0, 1].
 * @throws {RangeError} If the level is outside (0, 1).
 *
 * @example Wider than an interval for a number of scores that was fixed beforehand
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { meanInterval } from "@/lib/analysis/mod.ts";
 *
 * const values = [1, 0.5, 1, 1, 0.75, 1, 1, 0.5, 1, 1];
 * ok(anytimeInterval(values.map((value) => [value])).low < meanInterval(values).low);
 * ```
 */
export function anytimeInterval(rounds: readonly Round[], options: IntervalOptions = {}): Interval {
  const { level = 0.95 } = options;
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`Cannot give an interval as level must be in (0, 1): current value is ${level}`);
  }
  const wealth = 2 / (1 - level);
  // The evidence against a mean falls as the mean nears the scores, so there is one place where it ceases to be strong.
  const edge = (isRefuted: (mean: number) => boolean): number =>
    risingRoot((mean) => isRefuted(mean) ? -1 : 1, { low: 0, high: 1, within: WITHIN });
  const low = edge((mean) => whenAbove(rounds, { mean, wealth }) !== null);
  const high = 1 - edge((mean) => whenBelow(rounds, { mean: 1 - mean, wealth }) !== null);
  return { low: low < WITHIN ? 0 : low, high: high > 1 - WITHIN ? 1 : high };
}
