import { type CategoryCluster, categoryClusters } from "./category_clusters.ts";
import { clusterTree, correlationDistances, type Linkage } from "./clustering.ts";
import { correlationMatrix, type CorrelationMethod } from "./correlation.ts";
import { groupsOf } from "./_partition.ts";
import { representatives } from "./representatives.ts";
import type { TaskVectors } from "./task_vectors.ts";

/** One study: of the data, or of one replicate. */
export interface Study {
  readonly matrix: readonly (readonly number[])[];
  readonly hasGaps: boolean;
  readonly groups: readonly number[];
  readonly categories: readonly CategoryCluster[];
  readonly kept: readonly number[];
}

/** Correlates and clusters task vectors; a pair without a correlation counts as having one of 0. */
export function studyOf(
  vectors: TaskVectors,
  options: {
    readonly kinds: readonly string[];
    readonly linkage: Linkage;
    readonly method: CorrelationMethod;
    readonly keep: number;
  },
): Study {
  const { kinds, linkage, method, keep } = options;
  const gapped = correlationMatrix(vectors, { method }).matrix;
  const matrix = gapped.map((row, at) => row.map((value, other) => at === other ? 1 : value ?? 0));
  const distances = correlationDistances(matrix);
  const root = clusterTree(distances, { linkage });
  return {
    matrix,
    hasGaps: gapped.some((row) => row.includes(null)),
    groups: groupsOf(root, new Set(kinds).size),
    categories: categoryClusters(root, kinds),
    kept: representatives(root, { keep, distances }),
  };
}

/** The vectors of some tasks, in their order. */
export function pickTasks({ tasks, columns, values }: TaskVectors, picked: readonly string[]): TaskVectors {
  return { tasks: picked, columns, values: picked.map((task) => values[tasks.indexOf(task)]!) };
}

/** The row that correlates most with a row. */
export function nearestTo(row: number, matrix: Study["matrix"]): number {
  const others = matrix[row]!.map((_, at) => at).filter((at) => at !== row);
  return others.reduce((best, at) => matrix[row]![at]! > matrix[row]![best]! ? at : best);
}

/** Tasks that someone has kept: those of a task's own category, and the others. */
interface Sides {
  readonly own: readonly number[];
  readonly other: readonly number[];
}

/** The kept tasks of a task's own category and of others, itself excepted; `null` where one side is empty. */
export function sidesOf(
  row: number,
  { kinds, kept }: { readonly kinds: readonly string[]; readonly kept: readonly number[] },
): Sides | null {
  const { own = [], other = [] } = Object.groupBy(
    kept.filter((at) => at !== row),
    (at) => kinds[at] === kinds[row] ? "own" : "other",
  );
  return own.length === 0 || other.length === 0 ? null : { own, other };
}

/** Whether the most alike of a task's own category is more like it than any other. */
export function isOwnNearer(correlations: readonly number[], { own, other }: Sides): boolean {
  const most = (places: readonly number[]): number => Math.max(...places.map((at) => correlations[at]!));
  return most(own) > most(other);
}
