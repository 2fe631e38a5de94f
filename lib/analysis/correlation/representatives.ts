import type { ClusterNode } from "./clustering.ts";
import { cutTree } from "./cut_tree.ts";

/** Options for {@linkcode representatives}. */
export interface RepresentativeOptions {
  /** How many to keep. Range: 1 to the number of leaves. */
  readonly keep: number;
  /** The distances that the tree was made of. */
  readonly distances: readonly (readonly number[])[];
}

/**
 * Picks which of many alike things to keep: the tree is cut into as many clusters as are to be kept, and each sends its
 * middle, the member with the least sum of distances to the others in it. Of equals, as in every cluster of two, the one
 * farther from everything else on average tells more and is kept; of equals still, the one further up in the matrix.
 *
 * RULER keeps 13 of 18 tasks but names no rule ("eliminate a few that correlate highly with others of the same cluster",
 * appendix C); this one makes the choice repeatable.
 *
 * @param root The tree.
 * @param options How many to keep, and the distances.
 * @returns The rows of the distance matrix to keep, rising.
 * @throws {RangeError} If `keep` is outside its range.
 *
 * @example Of the two that are alike, the one that is farther from the third
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { clusterTree } from "@/lib/analysis/mod.ts";
 *
 * const distances = [[0, 0.5, 0.125], [0.5, 0, 0.75], [0.125, 0.75, 0]];
 * deepEqual(representatives(clusterTree(distances), { keep: 2, distances }), [1, 2]);
 * ```
 */
export function representatives(root: ClusterNode, options: RepresentativeOptions): readonly number[] {
  const { keep, distances } = options;
  const all = root.members;
  const sumTo = (row: number, others: readonly number[]): number =>
    others.reduce((sum, other) => sum + distances[row]![other]!, 0);
  return cutTree(root, keep).map(({ members }) =>
    members.toSorted((left, right) =>
      compare(sumTo(left, members), sumTo(right, members)) || compare(sumTo(right, all), sumTo(left, all)) ||
      left - right
    )[0]!
  ).toSorted((left, right) => left - right);
}

// Sums of the same distances in another order can differ in their last digits.
const SAME = 1e-12;

function compare(left: number, right: number): number {
  return Math.abs(left - right) <= SAME ? 0 : left - right;
}
