import { need, type ScoreWithInterval } from "./intervals.ts";

/**
 * Returns the difference of two scores with its interval, from the intervals of both (Newcombe 1998, "Interval estimation for the
 * difference between independent proportions", method 10; correlated scores: Newcombe 1998, "Improved confidence intervals for the
 * difference between binomial proportions based on paired data"; any means: Zou and Donner 2008, MOVER).
 *
 * @param second The score to subtract, in the same unit and at the same level.
 * @param correlation That of the two scores, in [-1, 1]: 0 for different samples.
 * @returns `first - second` and its interval.
 * @throws {RangeError} If the correlation is outside [-1, 1].
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const first = { score: 90, low: 87, high: 93 };
 * const second = { score: 80, low: 76, high: 84 };
 * deepEqual(differenceInterval(first, second), { score: 10, low: 5, high: 15 });
 * ```
 */
export function differenceInterval(
  first: ScoreWithInterval,
  second: ScoreWithInterval,
  correlation = 0,
): ScoreWithInterval {
  need(correlation >= -1 && correlation <= 1, "give an interval", "correlation must be in [-1, 1]", correlation);
  const score = first.score - second.score;
  const reach = (left: number, right: number): number =>
    Math.sqrt(Math.max(0, left * left + right * right - 2 * correlation * left * right));
  return {
    score,
    low: score - reach(first.score - first.low, second.high - second.score),
    high: score + reach(first.high - first.score, second.score - second.low),
  };
}
