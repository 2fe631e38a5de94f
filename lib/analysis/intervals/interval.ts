import { betaBelow, betaPoint } from "./_beta.ts";
import { normalReach } from "./_normal.ts";
import { risingRoot } from "./_rising_root.ts";

/** The two ends of an interval, as shares in [0, 1] or in percent, as the function that gives it says. */
export interface Interval {
  /** The low end. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
}

/** Options for the interval functions. */
export interface IntervalOptions {
  /**
   * How often such intervals hold the true value, in (0, 1).
   *
   * @default {0.95}
   */
  readonly level?: number;
}

/**
 * Gives Wilson's score interval of a share of successes (Wilson 1927, "Probable inference, the law of succession, and
 * statistical inference"). It keeps its width at 0 and 1. Its coverage is right on average over all shares; for a share
 * near 0 or 1 it can fall to 90%, where {@linkcode exactInterval} does not.
 *
 * @param successes How many trials succeeded, in [0, `trials`]; need not be whole.
 * @param trials How many trials there were, above 0; need not be whole.
 * @param options The level.
 * @returns The interval of the true share, in [0, 1].
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
export function wilsonInterval(successes: number, trials: number, options: IntervalOptions = {}): Interval {
  const { level = 0.95 } = options;
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
 * Gives the exact interval of a share of successes (Clopper and Pearson 1934, "The use of confidence or fiducial limits
 * illustrated in the case of the binomial"): it holds the true share at least as often as its level says, whatever the
 * share. Numbers that are not whole are taken as Korn and Graubard do (1998, "Confidence intervals for proportions with
 * small expected number of positive counts estimated from survey data").
 *
 * @param successes How many trials succeeded, in [0, `trials`]; need not be whole.
 * @param trials How many trials there were, above 0; need not be whole.
 * @param options The level.
 * @returns The interval of the true share, in [0, 1].
 * @throws {RangeError} If an argument is outside its range.
 *
 * @example No failure in ten trials: the low end is the tenth root of 0.025
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(exactInterval(10, 10).low.toFixed(6), (0.025 ** (1 / 10)).toFixed(6));
 * ```
 */
export function exactInterval(successes: number, trials: number, options: IntervalOptions = {}): Interval {
  const { level = 0.95 } = options;
  checkTrials(successes, trials, level);
  const tail = (1 - level) / 2;
  const failures = trials - successes;
  return {
    low: successes === 0 ? 0 : betaPoint(tail, { a: successes, b: failures + 1 }),
    high: failures === 0 ? 1 : betaPoint(1 - tail, { a: successes + 1, b: failures }),
  };
}

/**
 * Gives the mid-p interval of a share of successes: as {@linkcode exactInterval}, but of what is as extreme as what was
 * seen only half is counted (Lancaster 1961, "Significance tests in discrete distributions"; Berry and Armitage 1995,
 * "Mid-P confidence intervals: a brief review").
 *
 * The exact interval holds the true share in 97 to 99% of cases where its level says 95%, because successes come in
 * whole numbers. This one holds it in 95 to 98% on average over shares, and at worst in 92%, for 5 to 500 trials; Wilson's
 * falls to 83% for shares near 0 or 1.
 *
 * @param successes How many trials succeeded, in [0, `trials`]; need not be whole.
 * @param trials How many trials there were, above 0; need not be whole.
 * @param options The level.
 * @returns The interval of the true share, in [0, 1].
 * @throws {RangeError} If an argument is outside its range.
 *
 * @example No failure in ten trials: the low end is the tenth root of 0.05
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(midInterval(10, 10).low.toFixed(6), (0.05 ** (1 / 10)).toFixed(6));
 * ```
 */
export function midInterval(successes: number, trials: number, options: IntervalOptions = {}): Interval {
  const { level = 0.95 } = options;
  checkTrials(successes, trials, level);
  const tail = (1 - level) / 2;
  const failures = trials - successes;
  // Each is the chance of a beta distribution; their mean rises with p from 0 to 1.
  const atLeast = (p: number): number => successes === 0 ? 1 : betaBelow(p, { a: successes, b: failures + 1 });
  const above = (p: number): number => failures === 0 ? 0 : betaBelow(p, { a: successes + 1, b: failures });
  const pointOf = (share: number): number =>
    risingRoot((p) => (atLeast(p) + above(p)) / 2 - share, { low: 0, high: 1 });
  return { low: successes === 0 ? 0 : pointOf(tail), high: failures === 0 ? 1 : pointOf(1 - tail) };
}

function checkTrials(successes: number, trials: number, level: number): void {
  const checks: readonly [string, boolean, string, number][] = [
    ["trials", trials > 0 && trials < Infinity, "above 0", trials],
    ["successes", successes >= 0 && successes <= trials, `in [0, ${trials}]`, successes],
    ["level", level > 0 && level < 1, "in (0, 1)", level],
  ];
  for (const [name, holds, wanted, value] of checks) {
    if (!holds) throw new RangeError(`Cannot give an interval as ${name} must be ${wanted}: current value is ${value}`);
  }
}
