import { sampleCorrelation } from "simple-statistics";
import type { ClusterNode } from "./clustering.ts";

/**
 * Tells at what height each two leaves of a tree are first in one cluster: their cophenetic distance (Sokal and Rohlf
 * 1962).
 *
 * @param root The tree.
 * @returns The heights, by the rows of the distance matrix that the tree was made of.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { clusterTree } from "@/lib/analysis/mod.ts";
 *
 * const root = clusterTree([[0, 0.5, 0.125], [0.5, 0, 0.75], [0.125, 0.75, 0]]);
 * deepEqual(copheneticDistances(root), [[0, 0.625, 0.125], [0.625, 0, 0.625], [0.125, 0.625, 0]]);
 * ```
 */
export function copheneticDistances(root: ClusterNode): readonly (readonly number[])[] {
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
 * Tells how well a tree keeps the distances it was made of: the correlation of those with the cophenetic ones, over all
 * pairs.
 *
 * @param root The tree.
 * @param distances The distances it was made of.
 * @returns At most 1, which a tree reaches that keeps them all; `null` where all distances, or all heights, are equal.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { clusterTree } from "@/lib/analysis/mod.ts";
 *
 * const distances = [[0, 0.5, 0.125], [0.5, 0, 0.5], [0.125, 0.5, 0]];
 * equal(copheneticCorrelation(clusterTree(distances), distances), 1);
 * ```
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
