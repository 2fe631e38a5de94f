import { checkTrials, type Interval, risingRoot } from "./intervals.ts";

/**
 * Returns Wilson's score interval for a proportion (Wilson 1927). It keeps its width at 0 and 1. Coverage is right on average, but
 * falls to 83% for a share near 0 or 1.
 *
 * @param successes In [0, `trials`], not necessarily whole.
 * @param trials Above 0, not necessarily whole.
 * @param level The confidence level, in (0, 1).
 * @throws {RangeError} If an argument is outside its range.
 *
 * @example Ten of ten is not certainty
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { low, high } = wilsonInterval(10, 10);
 * equal(low.toFixed(4), "0.7225");
 * equal(high, 1);
 * ```
 */
export function wilsonInterval(successes: number, trials: number, level = 0.95): Interval {
  checkTrials(successes, trials, level);
  const share = successes / trials;
  const square = normalReach(level) ** 2 / trials;
  const middle = (share + square / 2) / (1 + square);
  const reach = Math.sqrt(square * share * (1 - share) + (square * square) / 4) / (1 + square);
  return {
    low: successes === 0 ? 0 : Math.max(0, middle - reach),
    high: successes === trials ? 1 : Math.min(1, middle + reach),
  };
}

/**
 * Returns the standard normal cumulative distribution function to 15 decimals (Marsaglia 2004, "Evaluating the Normal
 * Distribution", Journal of Statistical Software 11(4)). That of simple-statistics is a table with four decimals.
 */
export function normalBelow(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let sum = x;
  let term = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI);
}

/** Returns the quantile of the standard normal distribution for a share in (0, 1). */
export function normalPoint(share: number): number {
  return risingRoot((x) => normalBelow(x) - share, { low: -8, high: 8 });
}

/** Returns the half-width of a two-sided normal interval in standard errors: 1.96 for a level of 0.95. */
export function normalReach(level: number): number {
  return normalPoint((1 + level) / 2);
}
