import { type ClusterStability, nearestTo } from "./cluster_stability.ts";
import { categoryClusters, linkageAgreement, representatives } from "./correlation_clusters.ts";
import type { CorrelationStudy } from "./correlation_study.ts";
import { clusteredHeatmap, type Figure, type Table, table } from "@/lib/figures/mod.ts";
import { clusterTree, correlationDistances, type Origin } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode correlationFigure}. */
export interface CorrelationFigureOptions {
  /** The finding. */
  readonly title: string;
  /** How to read it. */
  readonly caption: string;
  /** Where the correlations come from. */
  readonly origin: Origin;
  /** What is behind each correlation. */
  readonly n: number | string;
  /** The unit, as far as it is known, such as `r, rescaled`. */
  readonly unit: string;
}

/**
 * Draws a correlation study as Figure 5 of the RULER paper does: tasks in the order of their clusters, those that the paper
 * removed in red, and the tree of the clusters above.
 *
 * @param study The study, from `publishedCorrelationStudy` or `correlationStudy`.
 * @param options What to say of it.
 * @returns The figure; its caption names the tasks that were left out.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const figure = correlationFigure(publishedCorrelationStudy(await openPublished()), {
 *   title: "18 tasks",
 *   caption: "Figure 5.",
 *   origin: "published",
 *   n: "8 models",
 *   unit: "r, rescaled",
 * });
 * match(figure.note, /red labels: removed by the paper/);
 * ```
 */
export function correlationFigure(study: CorrelationStudy, options: CorrelationFigureOptions): Figure {
  const { unit, caption, ...said } = options;
  const { tasks, matrix, kept, leftOut } = study;
  const gone = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
  return clusteredHeatmap({ names: tasks, matrix, tree: clusterTree(correlationDistances(matrix)) }, {
    ...said,
    caption: gone === "" ? caption : `${caption} Without a correlation, and left out: ${gone}.`,
    valueTitle: `Correlation (${unit})`,
    heightTitle: `1 - ${unit}`,
    highlighted: { values: tasks.filter((task) => !kept.includes(task)), means: "removed by the paper" },
  });
}

/** Options for the tables of a correlation study. */
export interface StudyTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the correlations come from. */
  readonly origin: Origin;
  /** What is behind each correlation. */
  readonly n: number | string;
}

/**
 * Sets what each linkage makes of a correlation study as a table.
 *
 * @param study The study.
 * @param options Title, origin and n.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const study = publishedCorrelationStudy(await openPublished());
 * match(linkageTable(study, { title: "By linkage", origin: "published", n: "8 models" }).text, /average +yes +0.80/);
 * ```
 */
export function linkageTable(study: CorrelationStudy, options: StudyTableOptions): Table {
  const { categories, kept } = study;
  const keep = Math.max(1, kept.length);
  const rows = linkageAgreement(study, { categories, keep }).map((row) => ({
    ...row,
    own: row.own.join(", ") || "none",
    order: row.keepsOrder ? "yes" : "no",
    same: row.kept.filter((task) => kept.includes(task)).length,
  }));
  return table(rows, {
    ...options,
    caption:
      "Cophenetic: the correlation of a tree's heights with the distances. Rand: the adjusted Rand index of as many " +
      "clusters as there are categories with the categories, 1 for the same, 0 for chance. Kept: of the tasks that the paper " +
      "keeps, those that are the middle of one of as many clusters.",
    columns: [
      { field: "linkage", label: "Linkage" },
      { field: "order", label: "Order kept" },
      { field: "cophenetic", label: "Cophenetic", digits: 2 },
      { field: "withCategories", label: "Rand", digits: 2 },
      { field: "own", label: "Own clusters" },
      { field: "same", label: `Of the ${kept.length} kept` },
    ],
  });
}

/**
 * Sets the categories of a correlation study as a table: which are clusters of their own, and in how many replicates.
 *
 * @param study The study.
 * @param options Title, origin and n.
 * @returns The table; where there are no replicates it has dashes.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const study = publishedCorrelationStudy(await openPublished());
 * match(categoryTable(study, { title: "Categories", origin: "published", n: "8 models" }).text, /NIAH +11 +no/);
 * ```
 */
export function categoryTable(study: CorrelationStudy, options: StudyTableOptions): Table {
  const rows = categoryRows(study).map((row) => ({ ...row, own: row.isOwn ? "yes" : "no" }));
  return table(rows, {
    ...options,
    ...replicatesOf(study),
    caption:
      "Purity: the tree is cut into as many clusters as there are categories; of the tasks that share a cluster with " +
      "most of the category, the share that are of it. Together: the share of the category's tasks that are there. By average " +
      "linkage.",
    columns: [
      { field: "category", label: "Category" },
      { field: "size", label: "Tasks" },
      { field: "own", label: "Own cluster" },
      { field: "ownPercent", label: "In replicates (%)", digits: 0 },
      { field: "purity", label: "Purity", digits: 2, low: "low", high: "high" },
      { field: "together", label: "Together", digits: 2 },
    ],
  });
}

/**
 * Sets the tasks of a correlation study as a table: what each is most like, and whether it would be kept.
 *
 * @param study The study.
 * @param options Title, origin and n.
 * @returns The table, those most like another first; where there are no replicates it has dashes.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const study = publishedCorrelationStudy(await openPublished());
 * match(taskTable(study, { title: "Tasks", origin: "published", n: "8 models" }).text, /#k=4 \(MK-NIAH\)/);
 * ```
 */
export function taskTable(study: CorrelationStudy, options: StudyTableOptions): Table {
  const rows = taskRows(study).map((row) => ({
    ...row,
    paper: row.inPaper ? "yes" : "no",
    rule: row.isKept ? "yes" : "no",
  }));
  return table(rows, {
    ...options,
    ...replicatesOf(study),
    caption:
      `The rule keeps the middle of each of ${study.kept.length} clusters, by average linkage. The most alike first.`,
    columns: [
      { field: "task", label: "Task" },
      { field: "nearest", label: "Most like" },
      { field: "correlation", label: "Correlation", digits: 2, low: "low", high: "high" },
      { field: "paper", label: "Kept in the paper" },
      { field: "rule", label: "Kept by the rule" },
      { field: "keptPercent", label: "In replicates (%)", digits: 0 },
    ],
  });
}

/**
 * Sets how stable clusters are as a table, a row for each thing that was drawn again.
 *
 * @param stabilities What was found, from `studyStability`; where there is nothing, the table says why.
 * @param options Title, origin and n.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const range = { score: 0.5, low: 0.25, high: 0.75 };
 * const found = { replicates: 20, withCategories: range, withFound: range, categories: [], tasks: [], sameShare: 0, withGaps: 0 };
 * const options = { title: "Stable", origin: "measured", n: 4 } as const;
 * match(clusterStabilityTable([{ resample: "samples", ...found }], options).text, /samples +0.50 \[0.25, 0.75\]/);
 * ```
 */
export function clusterStabilityTable(stabilities: readonly ClusterStability[], options: StudyTableOptions): Table {
  const found = stabilities.map(({ resample, replicates, withCategories, withFound }): StabilityRow => ({
    resample,
    replicates,
    categories: withCategories.score,
    categoriesLow: withCategories.low,
    categoriesHigh: withCategories.high,
    found: withFound.score,
    foundLow: withFound.low,
    foundHigh: withFound.high,
  }));
  const rows = found.length === 0 ? [NOTHING] : found;
  return table(rows, {
    ...options,
    interval: "middle 95% of replicates in brackets",
    caption:
      "Adjusted Rand index: 1 for the same clusters, 0 for chance. Replicates are noisier than the data, so clusters " +
      "fall apart in them more easily: the ranges show how far the answer moves, and are no confidence intervals.",
    columns: [
      { field: "resample", label: "Drawn again" },
      { field: "categories", label: "With the categories", digits: 2, low: "categoriesLow", high: "categoriesHigh" },
      { field: "found", label: "With the clusters found", digits: 2, low: "foundLow", high: "foundHigh" },
      { field: "replicates", label: "Replicates" },
    ],
  });
}

/** A row of the table of stability. */
interface StabilityRow {
  readonly resample: string;
  readonly replicates: number | null;
  readonly categories: number | null;
  readonly categoriesLow: number | null;
  readonly categoriesHigh: number | null;
  readonly found: number | null;
  readonly foundLow: number | null;
  readonly foundHigh: number | null;
}

/** What stands in the table where nothing could be drawn again. */
const NOTHING: StabilityRow = {
  resample: "nothing: it takes two samples of each task and length, and a task to leave out",
  replicates: null,
  categories: null,
  categoriesLow: null,
  categoriesHigh: null,
  found: null,
  foundLow: null,
  foundHigh: null,
};

function replicatesOf({ stability }: CorrelationStudy): { readonly interval?: string } {
  return stability === null ? {} : { interval: `middle 95% of ${stability.replicates} replicates in brackets` };
}

/** A category of a correlation study, as a row of a table. */
interface CategoryRow {
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
interface TaskRow {
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

/** Lists the categories of a correlation study: which are clusters of their own, and how surely. */
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

/** Lists the tasks of a correlation study: what each is most like, and whether it would be kept. */
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
