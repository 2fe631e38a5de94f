import { mean as meanOf } from "simple-statistics";
import { PSEUDO_ANSWERS } from "./_pseudo_answers.ts";
import { type IntervalOptions, midInterval } from "./interval.ts";
import type { MeanEstimate } from "./mean_interval.ts";

// Nearer to 0 or 1 than this, rounding is all that is left of a variance.
const EDGE = 1e-9;

/**
 * Gives the interval of the unweighted mean of several means, such as the 13 tasks of RULER.
 *
 * The variance of the mean is the sum of the tasks' variances over the square of their number, each task weighing the
 * same whatever its number of samples. A task's variance is `p (1 - p) / effectiveSize`, with `p` its mean drawn by two
 * pseudo-answers to the mean of all tasks, so that a task without a failure is not taken for certain. The mid-p
 * interval is then taken of the number of yes/no answers that have this variance. One task gives back its own interval;
 * tasks without any failure give that of all their answers together.
 *
 * @param estimates The means; at least one. They are taken to be independent.
 * @param options The level.
 * @returns The mean of the means, with `n` the number of all scores.
 * @throws {RangeError} If there is no estimate.
 *
 * @example Two tasks without a failure tell as much as one of twice the samples
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { meanInterval } from "@/lib/analysis/mod.ts";
 *
 * const task = meanInterval([1, 1, 1, 1, 1]);
 * equal(meanOfMeans([task, task]).low.toFixed(9), meanInterval(Array(10).fill(1)).low.toFixed(9));
 * ```
 */
export function meanOfMeans(estimates: readonly MeanEstimate[], options: IntervalOptions = {}): MeanEstimate {
  if (estimates.length === 0) {
    throw new RangeError("Cannot estimate a mean of means as there must be at least one mean: current value is 0");
  }
  const mean = meanOf(estimates.map((estimate) => estimate.mean));
  const share = 1 / estimates.length;
  const variances = estimates.map((estimate) => {
    const size = estimate.effectiveSize;
    const drawn = (size * estimate.mean + PSEUDO_ANSWERS * mean) / (size + PSEUDO_ANSWERS);
    // Without any failure, or any success, only how the answers are spread over the tasks matters.
    const spread = mean > EDGE && mean < 1 - EDGE ? (drawn * (1 - drawn)) / (mean * (1 - mean)) : 1;
    return (share * share * spread) / size;
  });
  const effectiveSize = 1 / variances.reduce((sum, variance) => sum + variance, 0);
  const n = estimates.reduce((sum, estimate) => sum + estimate.n, 0);
  return { mean, n, effectiveSize, ...midInterval(mean * effectiveSize, effectiveSize, options) };
}
