import type { Interval } from "./interval.ts";

/** A score with its interval, in percent or as shares. */
export interface ScoreWithInterval extends Interval {
  /** The score, or the difference of two. */
  readonly score: number;
}

/** Options for {@linkcode differenceInterval}. */
export interface DifferenceIntervalOptions {
  /**
   * The correlation of the two scores, in [-1, 1]: that of the answers of two models to the same samples, 0 where the
   * samples are others.
   *
   * @default {0}
   */
  readonly correlation?: number;
}

/**
 * Gives the difference of two scores with its interval, from their own intervals (Newcombe 1998, "Interval estimation for
 * the difference between independent proportions", method 10; for correlated scores his "Improved confidence intervals
 * for the difference between binomial proportions based on paired data"; Zou and Donner 2008 call it MOVER and extend it
 * to any means).
 *
 * @param first The score from which is subtracted.
 * @param second The score that is subtracted, in the same unit.
 * @param options How the two go together.
 * @returns `first - second`, with the ends of its interval at the level of the two given.
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
  options: DifferenceIntervalOptions = {},
): ScoreWithInterval {
  const { correlation = 0 } = options;
  if (!(correlation >= -1 && correlation <= 1)) {
    throw new RangeError(
      `Cannot give an interval as correlation must be in [-1, 1]: current value is ${correlation}`,
    );
  }
  const score = first.score - second.score;
  const reach = (left: number, right: number): number =>
    Math.sqrt(Math.max(0, left * left + right * right - 2 * correlation * left * right));
  return {
    score,
    low: score - reach(first.score - first.low, second.high - second.score),
    high: score + reach(first.high - first.score, second.score - second.low),
  };
}
