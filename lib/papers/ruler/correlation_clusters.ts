import {
  adjustedRand,
  categoryOf,
  clusterTree,
  copheneticCorrelation,
  correlationDistances,
  cutTree,
  groupsOf,
  type Linkage,
  LINKAGES,
} from "./clustering.ts";
import type { CorrelatedTasks } from "./correlation.ts";
import type { ClusterNode } from "@/lib/figures/mod.ts";

/** Correlated tasks with their categories, some of them kept by the paper. */
export interface SortedTasks extends CorrelatedTasks {
  /** The category of each task. */
  readonly categories: Readonly<Record<string, string>>;
  /** The tasks that the paper keeps. */
  readonly kept: readonly string[];
}

/** The clusters of a correlation matrix by one linkage. */
export interface LinkageResult {
  readonly linkage: Linkage;
  /** The cophenetic correlation of the tree; `null` if all distances are equal. */
  readonly cophenetic: number | null;
  /** Adjusted Rand index of the categories and the tree, cut into the same number of clusters. */
  readonly withCategories: number;
  /** The categories that are a cluster of the tree. */
  readonly own: readonly string[];
  /** Whether the tree's leaves are in the order of the matrix. */
  readonly keepsOrder: boolean;
  /** The tasks that {@linkcode representatives} keeps: the paper's number, at least one. */
  readonly kept: readonly string[];
}

/** Clusters the same correlations by every linkage. */
export function linkageAgreement({ tasks, matrix, categories, kept }: SortedTasks): readonly LinkageResult[] {
  const kinds = tasks.map((task) => categoryOf(task, categories));
  const distances = correlationDistances(matrix);
  const keep = Math.max(1, kept.length);
  return LINKAGES.map((linkage): LinkageResult => {
    const root = clusterTree(distances, linkage);
    return {
      linkage,
      cophenetic: copheneticCorrelation(root, distances),
      withCategories: adjustedRand(groupsOf(root, new Set(kinds).size), kinds),
      own: categoryClusters(root, kinds).filter(({ isOwn }) => isOwn).map(({ category }) => category),
      keepsOrder: root.members.every((member, at) => member === at),
      kept: representatives(root, { keep, distances }).map((row) => tasks[row]!),
    };
  });
}

/** The agreement of one category with the clusters of a tree. */
export interface CategoryCluster {
  readonly category: string;
  /** Its number of tasks. */
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
  { keep, distances }: { readonly keep: number; readonly distances: readonly (readonly number[])[] },
): readonly number[] {
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
