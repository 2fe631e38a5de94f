import type { Interval } from "./interval.ts";

/** A score with its interval, in percent or as shares. */
export interface ScoreWithInterval extends Interval {
  /** The score, or the difference of two. */
  readonly score: number;
}

/**
 * Gives the difference of two independent scores with its interval, from their own intervals (Newcombe 1998, "Interval
 * estimation for the difference between independent proportions", method 10; Zou and Donner 2008 call it MOVER).
 *
 * @param first The score from which is subtracted.
 * @param second The score that is subtracted, in the same unit.
 * @returns `first - second`, with the ends of its interval at the level of the two given.
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
export function differenceInterval(first: ScoreWithInterval, second: ScoreWithInterval): ScoreWithInterval {
  const score = first.score - second.score;
  return {
    score,
    low: score - Math.hypot(first.score - first.low, second.high - second.score),
    high: score + Math.hypot(first.high - first.score, second.score - second.low),
  };
}
