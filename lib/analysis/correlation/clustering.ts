import { agnes, type Cluster } from "ml-hclust";

/**
 * How the distance of two clusters follows from those of their tasks:
 * - *single*: of the two nearest
 * - *complete*: of the two farthest
 * - *average*: the mean over all pairs (UPGMA)
 * - *weighted*: the mean of the two clusters last joined, whatever their sizes (WPGMA)
 * - *centroid*, *median*: between the clusters' means, by size or halfway (UPGMC, WPGMC); heights need not rise
 * - *ward*: how much the sum of squares within clusters grows
 *
 * The last three are meant for squared Euclidean distances. `1 - r` is one: half the mean squared difference of two
 * standardised vectors.
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

/** A cluster in a tree: a task alone, or two clusters joined. */
export interface ClusterNode {
  /**
   * The distance at which its two parts were joined, in the unit of the distances given; 0 for a task alone. For two
   * tasks it is their own distance, `1 - r` where distances are that.
   */
  readonly height: number;
  /** The rows of the distance matrix that are in it, in the order in which the tree can be drawn without crossings. */
  readonly members: readonly number[];
  /** The two clusters it was joined from; `null` for a task alone. */
  readonly parts: readonly [ClusterNode, ClusterNode] | null;
}

/** Options for {@linkcode clusterTree}. */
export interface ClusterOptions {
  /**
   * How clusters are compared.
   *
   * @default {"average"}
   */
  readonly linkage?: Linkage;
}

/**
 * Joins things into clusters, the nearest two first, until one is left (agglomerative clustering).
 *
 * Of two parts the one whose members stand further up in the matrix on average is drawn first, of equals that with the
 * first of all; so the order of the
 * leaves follows that of the matrix as far as the tree allows.
 *
 * @param distances A symmetric matrix with a diagonal of zeros; all finite and at least 0.
 * @param options The linkage.
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
  options: ClusterOptions = {},
): ClusterNode {
  const { linkage = "average" } = options;
  checkDistances(distances);
  // ml-hclust would take a distance that is no number for the largest of all, and join a cluster with itself.
  const method = linkage === "weighted" ? "wpgma" : linkage;
  return nodeOf(agnes(distances.map((row) => [...row]), { method, isDistanceMatrix: true }));
}

/**
 * Turns correlations into distances: `1 - r`, from 0 for tasks that rise and fall together to 2 for opposites.
 *
 * @param correlations Correlations, in [-1, 1].
 * @returns The distances; the diagonal is 0.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(correlationDistances([[1, 0.75], [0.75, 1]]), [[0, 0.25], [0.25, 0]]);
 * ```
 */
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
