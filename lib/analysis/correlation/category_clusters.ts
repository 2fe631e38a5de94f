import type { ClusterNode } from "./clustering.ts";
import { cutTree } from "./cut_tree.ts";

/** How far the things of one category make a cluster of their own. */
export interface CategoryCluster {
  /** The category. */
  readonly category: string;
  /** How many things are of it. */
  readonly size: number;
  /** Whether some cluster of the tree holds all of them and nothing else. */
  readonly isOwn: boolean;
  /**
   * How near the tree comes to that: the greatest overlap of the category with any cluster of the tree, as the share of
   * things in either that are in both (Jaccard index), in [0, 1]; 1 if `isOwn`.
   */
  readonly overlap: number;
  /** Of the things that share a cluster of the cut with most of the category, the share that are of it, in (0, 1]. */
  readonly purity: number;
  /** The share of the category's things in that cluster, in (0, 1]. */
  readonly together: number;
}

/**
 * Compares the clusters of a tree with categories known beforehand.
 *
 * @param root The tree.
 * @param categories The category of each row of the matrix that the tree was made of. The tree is cut into as many
 * clusters as there are categories.
 * @returns A line for each category, in order of first appearance.
 * @throws {RangeError} If there is not one category for each leaf.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { clusterTree } from "@/lib/analysis/mod.ts";
 *
 * const root = clusterTree([[0, 0.5, 0.125], [0.5, 0, 0.75], [0.125, 0.75, 0]]);
 * const clusters = categoryClusters(root, ["needles", "chains", "needles"]);
 * deepEqual(clusters.map(({ category, isOwn }) => [category, isOwn]), [["needles", true], ["chains", true]]);
 * ```
 */
export function categoryClusters(
  root: ClusterNode,
  categories: readonly string[],
): readonly CategoryCluster[] {
  if (categories.length !== root.members.length) {
    throw new RangeError(
      `Cannot compare clusters with categories as there must be one for each of ${root.members.length} leaves: current value is ${categories.length}`,
    );
  }
  const kinds = [...new Set(categories)];
  const nodes = nodesOf(root);
  const cut = cutTree(root, kinds.length);
  return kinds.map((category): CategoryCluster => {
    const size = categories.filter((kind) => kind === category).length;
    const inside = ({ members }: ClusterNode): number =>
      members.filter((member) => categories[member] === category).length;
    const overlap = Math.max(
      ...nodes.map((node) => inside(node) / (size + node.members.length - inside(node))),
    );
    const purityOf = (node: ClusterNode): number => inside(node) / node.members.length;
    const home = cut.reduce((best, node) =>
      inside(node) > inside(best) || (inside(node) === inside(best) && purityOf(node) > purityOf(best)) ? node : best
    );
    return { category, size, isOwn: overlap === 1, overlap, purity: purityOf(home), together: inside(home) / size };
  });
}

function nodesOf(root: ClusterNode): readonly ClusterNode[] {
  return [root, ...(root.parts ?? []).flatMap(nodesOf)];
}
