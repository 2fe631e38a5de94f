import type { CorrelatedTasks } from "./correlation.ts";
import {
  adjustedRand,
  categoryOf,
  type ClusterNode,
  clusterTree,
  copheneticCorrelation,
  correlationDistances,
  cutTree,
  groupsOf,
  type Linkage,
  LINKAGES,
} from "@/lib/statistics/mod.ts";

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

/** Compares the clusters of a tree with categories known beforehand. */
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

/** Options for {@linkcode representatives}. */
interface RepresentativeOptions {
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

/** What one linkage makes of a correlation matrix. */
export interface LinkageResult {
  /** The linkage. */
  readonly linkage: Linkage;
  /** How well the tree keeps the distances (cophenetic correlation); `null` where all distances are equal. */
  readonly cophenetic: number | null;
  /** Adjusted Rand index of the tree, cut into as many clusters as there are categories, and the categories. */
  readonly withCategories: number;
  /** The same of the cut and that of average linkage. */
  readonly withAverage: number;
  /** The categories that are a cluster of their own in the tree. */
  readonly own: readonly string[];
  /** Whether every cluster of the tree stands together in the order of the matrix. */
  readonly keepsOrder: boolean;
  /** The tasks that would be kept. */
  readonly kept: readonly string[];
}

/** Options for {@linkcode linkageAgreement}. */
interface LinkageOptions {
  /** The category of each task. */
  readonly categories: Readonly<Record<string, string>>;
  /** How many tasks to keep. Range: 1 to the number of tasks. */
  readonly keep: number;
}

/** Clusters the same correlations by every linkage, to show what hangs on the choice. */
export function linkageAgreement(tasks: CorrelatedTasks, options: LinkageOptions): readonly LinkageResult[] {
  const { categories, keep } = options;
  const kinds = tasks.tasks.map((task) => categoryOf(task, categories));
  const count = new Set(kinds).size;
  const distances = correlationDistances(tasks.matrix);
  const average = groupsOf(clusterTree(distances), count);
  return LINKAGES.map((linkage): LinkageResult => {
    const root = clusterTree(distances, { linkage });
    const groups = groupsOf(root, count);
    return {
      linkage,
      cophenetic: copheneticCorrelation(root, distances),
      withCategories: adjustedRand(groups, kinds),
      withAverage: adjustedRand(groups, average),
      own: categoryClusters(root, kinds).filter(({ isOwn }) => isOwn).map(({ category }) => category),
      keepsOrder: root.members.every((member, at) => member === at),
      kept: representatives(root, { keep, distances }).map((row) => tasks.tasks[row]!),
    };
  });
}
