import { agnes, type Cluster } from "ml-hclust";
import { mean, sum } from "@/lib/base/mod.ts";
import type { CorrelatedTasks } from "./correlation.ts";

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

/** All linkages. */
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
 * @returns The tree's root.
 * @throws {RangeError} If it is not such a matrix.
 */
export function clusterTree(
  distances: readonly (readonly number[])[],
  linkage: Linkage = "average",
): ClusterNode {
  // ml-hclust would treat NaN as the largest distance and join a cluster with itself.
  const isRight = (row: readonly number[], at: number): boolean =>
    row.length === distances.length &&
    row.every((distance, other) =>
      Number.isFinite(distance) && distance >= 0 && (other !== at || distance === 0) &&
      distance === distances[other]![at]
    );
  const wrong = distances.length === 0 ? [] : distances.find((row, at) => !isRight(row, at));
  if (wrong !== undefined) {
    throw new RangeError(
      `Cannot cluster as distances must be a symmetric matrix of numbers from 0, with 0 on the diagonal: current value of a row is ${
        wrong.join(", ") || "none"
      }`,
    );
  }
  const method = linkage === "weighted" ? "wpgma" : linkage;
  return nodeOf(agnes(distances.map((row) => [...row]), { method, isDistanceMatrix: true }));
}

function nodeOf(cluster: Cluster): ClusterNode {
  if (cluster.isLeaf) return { height: 0, members: [cluster.index], parts: null };
  const [left, right] = cluster.children.map(nodeOf) as [ClusterNode, ClusterNode];
  const order = placeOf(left) - placeOf(right) || Math.min(...left.members) - Math.min(...right.members);
  const [first, second] = order < 0 ? [left, right] : [right, left];
  return { height: cluster.height, members: [...first.members, ...second.members], parts: [first, second] };
}

function placeOf({ members }: ClusterNode): number {
  return mean(members);
}

/** Converts correlations to distances: `1 - r`, from 0 for full correlation to 2 for opposites. */
export function correlationDistances(
  correlations: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  return correlations.map((row, at) => row.map((correlation, other) => other === at ? 0 : 1 - correlation));
}

/**
 * Cuts a tree into a number of clusters by splitting the highest cluster each time, from left to right in the drawn tree. If heights do
 * not rise towards the root (linkages `centroid` and `median`), a cluster is as high as the highest in it, as in SciPy's `maxclust`.
 */
export function cutTree(root: ClusterNode, count: number): readonly ClusterNode[] {
  const clusters = [root];
  while (clusters.length < Math.min(count, root.members.length)) {
    const highest = clusters.reduce((best, node, at) => reachOf(node) > reachOf(clusters[best]!) ? at : best, 0);
    clusters.splice(highest, 1, ...clusters[highest]!.parts!);
  }
  return clusters;
}

/** Returns the largest height in a cluster; lower than any other for a single leaf. */
function reachOf({ height, parts }: ClusterNode): number {
  return parts === null ? -Infinity : Math.max(height, ...parts.map(reachOf));
}

/** Returns the cluster of each row when a tree is cut. */
export function groupsOf(root: ClusterNode, count: number): readonly number[] {
  const groups: number[] = [];
  cutTree(root, count).forEach(({ members }, cluster) => members.forEach((member) => groups[member] = cluster));
  return groups;
}

/**
 * Returns the adjusted Rand index of two groupings of the same items (Hubert and Arabie 1985, "Comparing partitions"): the share
 * of pairs of items on which both agree, corrected for chance.
 *
 * @param first The group of each item.
 * @param second The group of each item by the other grouping, in the same order.
 * @returns 1 for equal groupings, 0 on average for unrelated ones; it can be negative. It is 1 if chance alone would agree fully
 * (all in one group, or each alone, in both).
 */
export function adjustedRand(first: readonly (string | number)[], second: readonly (string | number)[]): number {
  const both = first.map((group, at) => JSON.stringify([group, second[at]]));
  const [together, inFirst, inSecond, all] = [pairsOf(both), pairsOf(first), pairsOf(second), choose2(first.length)];
  const expected = all === 0 ? 0 : (inFirst * inSecond) / all;
  const most = (inFirst + inSecond) / 2;
  return most === expected ? 1 : (together - expected) / (most - expected);
}

/** Returns the number of pairs of items that share a group. */
function pairsOf(groups: readonly (string | number)[]): number {
  return sum([...Map.groupBy(groups, (group) => group).values()], ({ length }) => choose2(length));
}

function choose2(count: number): number {
  return (count * (count - 1)) / 2;
}

/** Correlated tasks with their categories, some of them kept by the paper. */
export interface SortedTasks extends CorrelatedTasks {
  /** The category of each task. */
  readonly categories: Readonly<Record<string, string>>;
  /** The tasks that the paper keeps. */
  readonly kept: readonly string[];
}

/** Returns the category of each task. */
export function kindsOf({ tasks, categories }: Pick<SortedTasks, "tasks" | "categories">): readonly string[] {
  const unknown = tasks.find((task) => !Object.hasOwn(categories, task));
  if (unknown !== undefined) {
    const known = Object.keys(categories).join(", ");
    throw new RangeError(
      `Cannot compare clusters with categories as each task must be one of ${known}: current value is "${unknown}"`,
    );
  }
  return tasks.map((task) => categories[task]!);
}

/** The clusters of a correlation matrix by one linkage. */
export interface LinkageResult {
  readonly linkage: Linkage;
  /** Adjusted Rand index of the categories and the tree, cut into the same number of clusters. */
  readonly withCategories: number;
  /** The categories that are a cluster of the tree. */
  readonly own: readonly string[];
  /** The tasks that {@linkcode representatives} keeps: the paper's number, at least one. */
  readonly kept: readonly string[];
}

/** Clusters the same correlations by every linkage. */
export function linkageAgreement({ tasks, matrix, categories, kept }: SortedTasks): readonly LinkageResult[] {
  const kinds = kindsOf({ tasks, categories });
  const distances = correlationDistances(matrix);
  const keep = Math.max(1, kept.length);
  return LINKAGES.map((linkage): LinkageResult => {
    const root = clusterTree(distances, linkage);
    return {
      linkage,
      withCategories: adjustedRand(groupsOf(root, new Set(kinds).size), kinds),
      own: categoryClusters(root, kinds).filter(({ isOwn }) => isOwn).map(({ category }) => category),
      kept: representatives(root, { keep, distances }).map((row) => tasks[row]!),
    };
  });
}

/** The agreement of one category with the clusters of a tree. */
export interface CategoryCluster {
  readonly category: string;
  readonly size: number;
  /** Whether some cluster of the tree holds exactly its tasks. */
  readonly isOwn: boolean;
  /** Share of the category in the cluster of the cut that holds most of it, in (0, 1]. */
  readonly purity: number;
  /** Share of the category's tasks that are in that cluster, in (0, 1]. */
  readonly together: number;
}

/** Compares the clusters of a tree with the category of each leaf. */
export function categoryClusters(root: ClusterNode, categories: readonly string[]): readonly CategoryCluster[] {
  const kinds = [...new Set(categories)];
  const nodes = nodesOf(root);
  const cut = cutTree(root, kinds.length);
  return kinds.map((category): CategoryCluster => {
    const size = categories.filter((kind) => kind === category).length;
    const inside = ({ members }: ClusterNode): number =>
      members.filter((member) => categories[member] === category).length;
    const purityOf = (node: ClusterNode): number => inside(node) / node.members.length;
    const home = cut.reduce((best, node) =>
      inside(node) > inside(best) || (inside(node) === inside(best) && purityOf(node) > purityOf(best)) ? node : best
    );
    const isOwn = nodes.some((node) => inside(node) === size && node.members.length === size);
    return { category, size, isOwn, purity: purityOf(home), together: inside(home) / size };
  });
}

function nodesOf(root: ClusterNode): readonly ClusterNode[] {
  return [root, ...(root.parts ?? []).flatMap(nodesOf)];
}

/**
 * Selects one task of each of `keep` clusters: the member with the smallest sum of distances to the others in it. Of equals, as in
 * every cluster of two, it selects the one farther from all other tasks; if they are still equal, the first in the matrix.
 *
 * RULER keeps 13 of 18 tasks without a rule ("eliminate a few tasks that correlate highly with other tasks within the same cluster",
 * appendix C); this rule makes the selection repeatable.
 */
export function representatives(
  root: ClusterNode,
  { keep, distances }: { readonly keep: number; readonly distances: Matrix },
): readonly number[] {
  const all = root.members;
  const sumTo = (row: number, others: readonly number[]): number => sum(others, (other) => distances[row]![other]!);
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
