import type { ClusterNode } from "./clustering.ts";

/**
 * Cuts a tree into a number of clusters: each time the cluster that holds the greatest height is parted.
 *
 * Where heights do not rise towards the root (linkages `centroid` and `median`), a cluster counts as high as the highest
 * in it, as SciPy's `maxclust` has it.
 *
 * @param root The tree.
 * @param count How many clusters. Range: 1 to the number of leaves.
 * @returns The clusters from left to right in the drawn tree.
 * @throws {RangeError} If the count is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { clusterTree } from "@/lib/analysis/mod.ts";
 *
 * const root = clusterTree([[0, 0.5, 0.125], [0.5, 0, 0.75], [0.125, 0.75, 0]]);
 * deepEqual(cutTree(root, 2).map(({ members }) => members), [[0, 2], [1]]);
 * ```
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

/** The greatest height in a cluster; below any other for one leaf, which cannot be parted. */
function reachOf({ height, parts }: ClusterNode): number {
  return parts === null ? -Infinity : Math.max(height, ...parts.map(reachOf));
}
