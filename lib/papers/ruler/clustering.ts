import { agnes, type Cluster } from "ml-hclust";
import type { ClusterNode } from "@/lib/figures/mod.ts";
import { sampleCorrelation } from "@/lib/statistics/mod.ts";

/**
 * How the distance of two clusters is computed from those of their members:
 * - *single*: of the two nearest
 * - *complete*: of the two farthest
 * - *average*: the mean over all pairs (UPGMA)
 * - *weighted*: the mean of the two clusters last joined, whatever their sizes (WPGMA)
 * - *centroid*, *median*: between the clusters' means, by size or halfway (UPGMC, WPGMC); heights need not rise
 * - *ward*: the growth of the sum of squares within clusters
 *
 * The last three assume squared Euclidean distances, such as `1 - r`: half the mean squared difference of two standardised
 * vectors.
 */
export type Linkage = "single" | "complete" | "average" | "weighted" | "centroid" | "median" | "ward";

/** All linkages. */
export const LINKAGES: readonly Linkage[] = [
  "average",
  "single",
  "complete",
  "weighted",
  "centroid",
  "median",
  "ward",
];

/**
 * Builds a tree by agglomerative clustering: joins the nearest two clusters until one is left.
 *
 * The part whose members come earlier in the matrix on average comes first, so that the leaves keep the order of the matrix
 * as far as the tree allows.
 *
 * @param distances A symmetric matrix with a diagonal of zeros; all finite and at least 0.
 * @returns The tree's root.
 * @throws {RangeError} If the matrix is empty, not square or not symmetric, or a distance is not a number from 0.
 *
 * @example The nearest pair is joined first, at its own distance
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const root = clusterTree([[0, 0.5, 0.125], [0.5, 0, 0.75], [0.125, 0.75, 0]]);
 * deepEqual(root.members, [0, 2, 1]);
 * equal(root.parts?.[0].height, 0.125);
 * equal(root.height, 0.625);
 * ```
 */
export function clusterTree(
  distances: readonly (readonly number[])[],
  linkage: Linkage = "average",
): ClusterNode {
  checkDistances(distances);
  // ml-hclust would treat NaN as the largest distance and join a cluster with itself.
  const method = linkage === "weighted" ? "wpgma" : linkage;
  return nodeOf(agnes(distances.map((row) => [...row]), { method, isDistanceMatrix: true }));
}

/** Converts correlations to distances: `1 - r`, from 0 for full correlation to 2 for opposites. */
export function correlationDistances(
  correlations: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  return correlations.map((row, at) => row.map((correlation, other) => other === at ? 0 : 1 - correlation));
}

function checkDistances(distances: readonly (readonly number[])[]): void {
  if (distances.length === 0) {
    throw new RangeError("Cannot cluster as there must be at least one row of distances: current value is 0");
  }
  distances.forEach((row, at) => {
    if (row.length !== distances.length) {
      throw new RangeError(
        `Cannot cluster as row ${at} must have ${distances.length} distances: current value is ${row.length}`,
      );
    }
    row.forEach((distance, other) => {
      const isRight = Number.isFinite(distance) && distance >= 0 && (other !== at || distance === 0) &&
        distance === distances[other]?.[at];
      if (isRight) return;
      throw new RangeError(
        `Cannot cluster as distances must be finite, at least 0, symmetric and 0 on the diagonal: current value at ${at}, ${other} is ${distance}`,
      );
    });
  });
}

function nodeOf(cluster: Cluster): ClusterNode {
  if (cluster.isLeaf) return { height: 0, members: [cluster.index], parts: null };
  const [left, right] = cluster.children.map(nodeOf) as [ClusterNode, ClusterNode];
  const order = placeOf(left) - placeOf(right) || Math.min(...left.members) - Math.min(...right.members);
  const [first, second] = order < 0 ? [left, right] : [right, left];
  return { height: cluster.height, members: [...first.members, ...second.members], parts: [first, second] };
}

function placeOf({ members }: ClusterNode): number {
  return members.reduce((sum, member) => sum + member, 0) / members.length;
}

/**
 * Cuts a tree into a number of clusters by splitting the highest cluster each time. If heights do not rise towards the root
 * (linkages `centroid` and `median`), a cluster is as high as the highest in it, as in SciPy's `maxclust`.
 *
 * @param count From 1 to the number of leaves.
 * @returns The clusters from left to right in the drawn tree.
 * @throws {RangeError} If the count is outside its range.
 */
export function cutTree(root: ClusterNode, count: number): readonly ClusterNode[] {
  if (!(Number.isInteger(count) && count >= 1 && count <= root.members.length)) {
    throw new RangeError(
      `Cannot cut the tree as count must be a whole number from 1 to ${root.members.length}: current value is ${count}`,
    );
  }
  const clusters = [root];
  while (clusters.length < count) {
    const highest = clusters.reduce((best, node, at) => reachOf(node) > reachOf(clusters[best]!) ? at : best, 0);
    clusters.splice(highest, 1, ...clusters[highest]!.parts!);
  }
  return clusters;
}

/** Returns the largest height in a cluster; lower than any other for a single leaf. */
function reachOf({ height, parts }: ClusterNode): number {
  return parts === null ? -Infinity : Math.max(height, ...parts.map(reachOf));
}

/** Returns, for each two leaves, the height at which they are first in one cluster (Sokal and Rohlf 1962). */
function copheneticDistances(root: ClusterNode): readonly (readonly number[])[] {
  const heights = root.members.map(() => root.members.map(() => 0));
  const visit = ({ height, parts }: ClusterNode): void => {
    if (parts === null) return;
    const [first, second] = parts;
    for (const left of first.members) {
      for (const right of second.members) {
        heights[left]![right] = height;
        heights[right]![left] = height;
      }
    }
    parts.forEach(visit);
  };
  visit(root);
  return heights;
}

/**
 * Returns the cophenetic correlation: how well a tree preserves the distances it was built from.
 *
 * @returns At most 1; `null` if all distances, or all heights, are equal.
 */
export function copheneticCorrelation(
  root: ClusterNode,
  distances: readonly (readonly number[])[],
): number | null {
  const heights = copheneticDistances(root);
  const pairs = distances.flatMap((row, at) =>
    row.slice(at + 1).map((distance, beyond) => [distance, heights[at]![at + 1 + beyond]!] as const)
  );
  const [given, kept] = [pairs.map(([distance]) => distance), pairs.map(([, height]) => height)];
  if (isConstant(given) || isConstant(kept)) return null;
  return Math.min(1, sampleCorrelation(given, kept));
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

/**
 * Returns the adjusted Rand index of two groupings of the same items (Hubert and Arabie 1985, "Comparing partitions"): the share
 * of pairs of items on which both agree, corrected for chance.
 *
 * @param first The group of each item.
 * @param second The group of each item by the other grouping, in the same order.
 * @returns 1 for equal groupings, 0 on average for unrelated ones; it can be negative. It is 1 if chance alone would agree fully
 * (all in one group, or each alone, in both).
 * @throws {RangeError} If there are no items, or the two numbers of items differ.
 */
export function adjustedRand(first: readonly (string | number)[], second: readonly (string | number)[]): number {
  if (first.length === 0 || first.length !== second.length) {
    throw new RangeError(
      `Cannot compare groups as both must have the same number of items, at least 1: current value is ${first.length} and ${second.length}`,
    );
  }
  const both = first.map((group, at) => JSON.stringify([group, second[at]]));
  const [together, inFirst, inSecond, all] = [pairsOf(both), pairsOf(first), pairsOf(second), choose2(first.length)];
  const expected = all === 0 ? 0 : (inFirst * inSecond) / all;
  const most = (inFirst + inSecond) / 2;
  return most === expected ? 1 : (together - expected) / (most - expected);
}

/** Returns the number of pairs of items that share a group. */
function pairsOf(groups: readonly (string | number)[]): number {
  return [...Map.groupBy(groups, (group) => group).values()].reduce((sum, { length }) => sum + choose2(length), 0);
}

function choose2(count: number): number {
  return (count * (count - 1)) / 2;
}

/** Returns the category of a task. */
export function categoryOf(task: string, categories: Readonly<Record<string, string>>): string {
  const category = Object.hasOwn(categories, task) ? categories[task] : undefined;
  if (category === undefined) {
    throw new RangeError(
      `Cannot compare clusters with categories as each task must be one of ${
        Object.keys(categories).join(", ")
      }: current value is "${task}"`,
    );
  }
  return category;
}

/** Returns the cluster of each row when a tree is cut. */
export function groupsOf(root: ClusterNode, count: number): readonly number[] {
  const groups: number[] = [];
  cutTree(root, count).forEach(({ members }, cluster) => members.forEach((member) => groups[member] = cluster));
  return groups;
}
