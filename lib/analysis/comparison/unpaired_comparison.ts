import { differenceInterval } from "../intervals/difference_interval.ts";
import { meanInterval } from "../intervals/mean_interval.ts";
import { meanOfMeans } from "../intervals/mean_of_means.ts";
import { type Comparison, type ComparisonOptions, inPercent } from "./paired_comparison.ts";
import { permutationTest, type ScoreGroups } from "./permutation_test.ts";

/**
 * Compares two models on samples that are not the same; their numbers may differ.
 *
 * The p-value is that of {@linkcode permutationTest}, which keeps the sizes of the groups as they are. The interval is put
 * together from those of the two means ({@linkcode differenceInterval}). Where the samples are the same,
 * {@linkcode pairedComparison} tells more.
 *
 * @param tasks The scores of both models in each task, in [0, 1]; with several tasks, means over tasks are compared.
 * @param options The level of the interval; how many permutations to draw where there are too many to count.
 * @returns Means, difference, interval and p-value.
 * @throws {RangeError} If there is no task, a group is empty, or a score is outside [0, 1].
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { difference, p } = unpairedComparison([{ first: [1, 1, 1, 1], second: [0, 0, 0, 0, 0, 0] }]);
 * equal(difference, 100);
 * equal(p.toFixed(6), (1 / 210).toFixed(6));
 * ```
 */
export function unpairedComparison(tasks: readonly ScoreGroups[], options: ComparisonOptions = {}): Comparison {
  const { level, ...permutations } = options;
  const levels = level === undefined ? {} : { level };
  const { p, isExact } = permutationTest(tasks, permutations);
  const first = meanOfMeans(tasks.map((task) => meanInterval(task.first, levels)), levels);
  const second = meanOfMeans(tasks.map((task) => meanInterval(task.second, levels)), levels);
  const { score, low, high } = differenceInterval(inPercent(first), inPercent(second));
  return { first: 100 * first.mean, second: 100 * second.mean, difference: score, low, high, p, isExact };
}
