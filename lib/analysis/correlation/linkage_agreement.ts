import { adjustedRand } from "./adjusted_rand.ts";
import { categoryClusters } from "./category_clusters.ts";
import { clusterTree, correlationDistances, type Linkage, LINKAGES } from "./clustering.ts";
import { copheneticCorrelation } from "./cophenetic.ts";
import type { CorrelatedTasks } from "./correlated_tasks.ts";
import { categoryOf, groupsOf } from "./_partition.ts";
import { representatives } from "./representatives.ts";

/** What one linkage makes of a correlation matrix. */
export interface LinkageResult {
  /** The linkage. */
  readonly linkage: Linkage;
  /** How well the tree keeps the distances (cophenetic correlation); `null` where all distances are equal. */
  readonly cophenetic: number | null;
  /** Adjusted Rand index of the tree, cut into as many clusters as there are categories, and the categories. */
  readonly withCategories: number;
  /** The same of the cut and that of average linkage. */
  readonly withAverage: number;
  /** The categories that are a cluster of their own in the tree. */
  readonly own: readonly string[];
  /** Whether every cluster of the tree stands together in the order of the matrix. */
  readonly keepsOrder: boolean;
  /** The tasks that would be kept. */
  readonly kept: readonly string[];
}

/** Options for {@linkcode linkageAgreement}. */
export interface LinkageOptions {
  /** The category of each task. */
  readonly categories: Readonly<Record<string, string>>;
  /** How many tasks to keep. Range: 1 to the number of tasks. */
  readonly keep: number;
}

/**
 * Clusters the same correlations by every linkage, to show what hangs on the choice.
 *
 * @param tasks Correlations without gaps.
 * @param options The tasks' categories, and how many tasks to keep.
 * @returns A line for each linkage.
 * @throws {RangeError} If a task has no category or `keep` is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const matrix = [[1, 0.5, 0.875], [0.5, 1, 0.25], [0.875, 0.25, 1]];
 * const tasks = { tasks: ["s1", "vt", "s2"], matrix, leftOut: [] };
 * const categories = { s1: "NIAH", s2: "NIAH", vt: "VT" };
 * equal(linkageAgreement(tasks, { categories, keep: 2 }).every(({ withCategories }) => withCategories === 1), true);
 * ```
 */
export function linkageAgreement(tasks: CorrelatedTasks, options: LinkageOptions): readonly LinkageResult[] {
  const { categories, keep } = options;
  const kinds = tasks.tasks.map((task) => categoryOf(task, categories));
  const count = new Set(kinds).size;
  const distances = correlationDistances(tasks.matrix);
  const average = groupsOf(clusterTree(distances), count);
  return LINKAGES.map((linkage): LinkageResult => {
    const root = clusterTree(distances, { linkage });
    const groups = groupsOf(root, count);
    return {
      linkage,
      cophenetic: copheneticCorrelation(root, distances),
      withCategories: adjustedRand(groups, kinds),
      withAverage: adjustedRand(groups, average),
      own: categoryClusters(root, kinds).filter(({ isOwn }) => isOwn).map(({ category }) => category),
      keepsOrder: root.members.every((member, at) => member === at),
      kept: representatives(root, { keep, distances }).map((row) => tasks.tasks[row]!),
    };
  });
}
