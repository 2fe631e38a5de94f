import { agnes, type Cluster } from "ml-hclust";
import { mean } from "@/lib/base/mod.ts";

type Matrix = readonly (readonly number[])[];

/** A cluster in a tree: a leaf, or two clusters joined. */
export interface ClusterNode {
  /** The distance at which its two parts were joined; 0 for a leaf. */
  readonly height: number;
  /** Its rows of the distance matrix, in an order that draws the tree without crossings. */
  readonly members: readonly number[];
  /** The two clusters joined; `null` for a leaf. */
  readonly parts: readonly [ClusterNode, ClusterNode] | null;
}

export const LINKAGES = ["average", "single", "complete", "weighted", "centroid", "median", "ward"] as const;

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
export type Linkage = typeof LINKAGES[number];

/**
 * Builds a tree by agglomerative clustering: joins the nearest two clusters until one is left.
 *
 * The part whose members come earlier in the matrix on average comes first, so that the leaves keep the order of the matrix
 * as far as the tree allows.
 *
 * @param distances A symmetric matrix with a diagonal of zeros; all finite and at least 0.
 */
export function clusterTree(distances: Matrix, linkage: Linkage = "average"): ClusterNode {
  const method = linkage === "weighted" ? "wpgma" : linkage;
  return nodeOf(agnes(distances.map((row) => [...row]), { method, isDistanceMatrix: true }));
}

function nodeOf(cluster: Cluster): ClusterNode {
  if (cluster.isLeaf) return { height: 0, members: [cluster.index], parts: null };
  const [left, right] = cluster.children.map(nodeOf) as [ClusterNode, ClusterNode];
  const order = mean(left.members) - mean(right.members) || Math.min(...left.members) - Math.min(...right.members);
  const [first, second] = order < 0 ? [left, right] : [right, left];
  return { height: cluster.height, members: [...first.members, ...second.members], parts: [first, second] };
}

/** Converts correlations to distances: `1 - r`, from 0 for full correlation to 2 for opposites. */
export function correlationDistances(correlations: Matrix): Matrix {
  return correlations.map((row, at) => row.map((correlation, other) => other === at ? 0 : 1 - correlation));
}

/** Returns the linkages by which some cluster of the tree has exactly these rows. */
export function linkagesThatJoin(rows: readonly number[], distances: Matrix): readonly Linkage[] {
  const wanted = new Set(rows);
  const isJoined = ({ members, parts }: ClusterNode): boolean =>
    (members.length === wanted.size && members.every((row) => wanted.has(row))) || (parts ?? []).some(isJoined);
  return LINKAGES.filter((linkage) => isJoined(clusterTree(distances, linkage)));
}
