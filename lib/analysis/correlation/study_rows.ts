import { categoryClusters } from "./category_clusters.ts";
import { clusterTree, correlationDistances } from "./clustering.ts";
import type { CorrelationStudy } from "./correlation_study.ts";
import { nearestTo } from "./_stability_study.ts";
import { representatives } from "./representatives.ts";

/** A category of a correlation study, as a row of a table. */
export interface CategoryRow {
  /** The category. */
  readonly category: string;
  /** How many of the study's tasks are of it. */
  readonly size: number;
  /** Whether it is a cluster of its own, by average linkage. */
  readonly isOwn: boolean;
  /** In how many percent of the replicates it is; `null` without replicates. */
  readonly ownPercent: number | null;
  /** Of the tasks that share a cluster of the cut with most of the category, the share that are of it, in (0, 1]. */
  readonly purity: number;
  /** The share of the category's tasks in that cluster, in (0, 1]. */
  readonly together: number;
  /** The low end of the middle 95% of replicates of the purity; `null` without replicates. */
  readonly low: number | null;
  /** The high end of it. */
  readonly high: number | null;
}

/** A task of a correlation study, as a row of a table. */
export interface TaskRow {
  /** The task. */
  readonly task: string;
  /** Whether the paper keeps it. */
  readonly inPaper: boolean;
  /** Whether it is the middle of its cluster, where the tree is cut into as many as the paper keeps. */
  readonly isKept: boolean;
  /** In how many percent of the replicates it is; `null` without replicates. */
  readonly keptPercent: number | null;
  /** The task that it correlates with most. */
  readonly nearest: string;
  /** That correlation. */
  readonly correlation: number;
  /** The low end of the middle 95% of replicates of it; `null` without replicates. */
  readonly low: number | null;
  /** The high end of it. */
  readonly high: number | null;
}

/**
 * Lists the categories of a correlation study: which are clusters of their own, and how surely.
 *
 * @param study The study.
 * @returns A row a category.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/analysis/mod.ts";
 *
 * const rows = categoryRows(publishedCorrelationStudy(await openPublished()));
 * deepEqual(rows.filter(({ isOwn }) => isOwn).map(({ category }) => category), ["QA", "VT"]);
 * ```
 */
export function categoryRows(study: CorrelationStudy): readonly CategoryRow[] {
  const { tasks, matrix, categories, stability } = study;
  const tree = clusterTree(correlationDistances(matrix));
  return categoryClusters(tree, tasks.map((task) => categories[task]!)).map((row): CategoryRow => {
    const { category, size, isOwn, purity, together } = row;
    const stable = stability?.categories.find((other) => other.category === category);
    return {
      category,
      size,
      isOwn,
      ownPercent: stable === undefined ? null : 100 * stable.ownShare,
      purity,
      together,
      low: stable?.purityRange.low ?? null,
      high: stable?.purityRange.high ?? null,
    };
  });
}

/**
 * Lists the tasks of a correlation study: what each is most like, and whether it would be kept.
 *
 * @param study The study.
 * @returns A row a task, those most like another first.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/analysis/mod.ts";
 *
 * const [first] = taskRows(publishedCorrelationStudy(await openPublished()));
 * equal(first?.correlation, 0.984);
 * ```
 */
export function taskRows(study: CorrelationStudy): readonly TaskRow[] {
  const { tasks, matrix, kept, stability } = study;
  const distances = correlationDistances(matrix);
  const keep = Math.max(1, kept.length);
  const middles = representatives(clusterTree(distances), { keep, distances });
  return tasks.map((task, at): TaskRow => {
    const nearest = nearestTo(at, matrix);
    const stable = stability?.tasks.find((other) => other.task === task);
    return {
      task,
      inPaper: kept.includes(task),
      isKept: middles.includes(at),
      keptPercent: stable === undefined ? null : 100 * stable.keptShare,
      nearest: tasks[nearest]!,
      correlation: matrix[at]![nearest]!,
      low: stable?.correlation.low ?? null,
      high: stable?.correlation.high ?? null,
    };
  }).toSorted((left, right) => right.correlation - left.correlation);
}
