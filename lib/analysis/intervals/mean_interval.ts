import { mean as meanOf, sumNthPowerDeviations } from "simple-statistics";
import { PSEUDO_ANSWERS } from "./_pseudo_answers.ts";
import { type Interval, type IntervalOptions, midInterval } from "./interval.ts";

/** The mean of some scores with its interval, all as shares in [0, 1]. */
export interface MeanEstimate extends Interval {
  /** Their mean, in [0, 1]. */
  readonly mean: number;
  /** How many scores there were. */
  readonly n: number;
  /** How many yes/no answers would tell as much; equal to `n` where all scores are 0 or 1. */
  readonly effectiveSize: number;
}

/**
 * Gives the mean of scores in [0, 1] with an interval that keeps its width at 0 and 1.
 *
 * Where all scores are 0 or 1 it is the mid-p interval, {@linkcode midInterval}, which holds the truth about as often as
 * its level says where the exact one holds it more often. Shares (of references found) vary less than yes/no answers of
 * the same mean, so they tell more: as Korn and Graubard (1998) do for surveys, the number of answers is divided by the
 * design effect, which is the variance of the scores over that of yes/no answers, and the interval is taken of the
 * effective number. The design effect is drawn towards 1 by two pseudo-answers that vary as yes/no answers do; so a list
 * of ones only has the interval of as many right answers, and not a point. Coverage was simulated: at a level of 95%, at
 * least 93% for lists of 5 to 500 yes/no answers, thirds, quarters, tenths and continuous scores. It falls below where
 * the list cannot know better: to 86% for 200 answers that are nearly alike but for one in a hundred that is wholly
 * wrong.
 *
 * @param values The scores, each in [0, 1]; at least one.
 * @param options The level.
 * @returns The mean, its interval, and how much the scores tell.
 * @throws {RangeError} If there is no value or one is outside [0, 1].
 *
 * @example All right is not certainty
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { mean, low, high } = meanInterval([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
 * equal(mean, 1);
 * equal(high, 1);
 * equal(low.toFixed(3), "0.741");
 * ```
 */
export function meanInterval(values: readonly number[], options: IntervalOptions = {}): MeanEstimate {
  if (values.length === 0) {
    throw new RangeError("Cannot estimate a mean as values must hold at least one number: current value is 0");
  }
  const wrong = values.find((value) => !(value >= 0 && value <= 1));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot estimate a mean as each value must be in [0, 1]: current value is ${wrong}`);
  }
  const n = values.length;
  // Sorted, so that the order of the values cannot change the last digit.
  const sorted = values.toSorted((left, right) => left - right);
  const mean = meanOf(sorted);
  const effectiveSize = n / designEffect(sorted, mean);
  return { mean, n, effectiveSize, ...midInterval(mean * effectiveSize, effectiveSize, options) };
}

/** The variance of the scores over the variance of yes/no answers with the same mean. */
function designEffect(values: number[], mean: number): number {
  const n = values.length;
  const drawn = (n * mean + 1) / (n + 2);
  const pseudo = PSEUDO_ANSWERS * drawn * (1 - drawn);
  return (sumNthPowerDeviations(values, 2) + pseudo) / (n * mean * (1 - mean) + pseudo);
}
