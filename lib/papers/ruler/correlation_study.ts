import { clusterTree, correlationDistances, LINKAGES, linkagesThatJoin } from "./clustering.ts";
import labels from "./figure_5_tasks.json" with { type: "json" };
import { type CorrelatedTasks, correlateTasks } from "./correlation.ts";
import type { RulerStudyTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Figure, type FigureOptions, heatmap, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { column, mean, meanOfRepeats, openRows, scoreOf } from "@/lib/statistics/mod.ts";

/** RULER's correlation study (appendix C): the correlations of tasks, their categories, and those that the paper keeps. */
export interface CorrelationStudy extends CorrelatedTasks {
  readonly categories: Readonly<Record<string, string>>;
  readonly kept: readonly string[];
  readonly models: number;
  /** The error of correlations that were read from a figure; 0 if they were computed. */
  readonly tolerance: number;
}

/** Steps of colour in Figure 5, from the smallest correlation to the largest. */
const COLOURS = 255;

/**
 * Reads the study of the paper's Figure 5, digitised from its colours. Tasks are in the figure's order.
 *
 * Its correlations are known up to their scale: 0 is the smallest one shown and 1 the largest, a task's own, so `1 - r` is known up to
 * one factor. That is enough for every tree and cluster, as no linkage depends on the unit.
 *
 * @throws {SyntaxError} If a file has the wrong columns or cells.
 */
export async function openCorrelationStudy(): Promise<CorrelationStudy> {
  const rows = await openRows("ruler_fig5_tasks.csv", {
    task: column.text("task"),
    category: column.choice("category", ["NIAH", "VT", "AG", "QA"]),
    isKept: column.yesNo("kept_in_13"),
  });
  const tasks = rows.map(({ task }) => task);
  const columns = tasks.map((task) => [task, column.number(task, { low: 0, high: 1 })] as const);
  const heatmap = await openRows("ruler_fig5_heatmap_normalised.csv", Object.fromEntries(columns));
  return {
    tasks,
    matrix: heatmap.map((row) => tasks.map((task) => row[task]!)),
    leftOut: [],
    categories: Object.fromEntries(rows.map(({ task, category }) => [task, category])),
    kept: rows.filter(({ isKept }) => isKept).map(({ task }) => task),
    models: 8,
    tolerance: 1 / COLOURS,
  };
}

export interface ModelReplies {
  readonly replies: readonly Pick<ScoredReply, "task" | "length" | "value" | "failed" | "noAnswer" | "record">[];
}

/**
 * Repeats the study on other models. Tasks have the names and the order of Figure 5; tasks that are not in it are left out. If no two
 * tasks can be compared, the study has none, and its figure, table and claims report that there is too little to correlate.
 *
 * @param published The published study, for the categories and the kept tasks.
 */
export function correlationStudy(members: readonly ModelReplies[], published: CorrelationStudy): CorrelationStudy {
  const scores = members.map(({ replies }) => Map.groupBy(meanOfRepeats(replies), ({ task }) => task));
  const vectors = Object.entries(FIGURE_5_TASKS).map(([name, task]) => {
    const ofMembers = members.map(({ replies }, at) => {
      const lengths = [...new Set(replies.map(({ length }) => length))];
      return lengths.map((length) => meanScore(scores[at]!.get(name)?.filter((reply) => reply.length === length)));
    });
    return { task, isAsked: scores.some((ofMember) => ofMember.has(name)), scores: ofMembers.flat() };
  }).filter(({ isAsked }) => isAsked);
  const order = ({ task }: { readonly task: string }): number => published.tasks.indexOf(task);
  const found = correlateTasks(vectors.toSorted((left, right) => order(left) - order(right)));
  const { categories } = published;
  const kept = published.kept.filter((task) => found.tasks.includes(task));
  return { ...found, categories, kept, models: members.length, tolerance: 0 };
}

/** Averages scores, in percent; `null` if there are none. */
function meanScore(replies: ModelReplies["replies"] = []): number | null {
  const values = replies.map(scoreOf).filter((value) => value !== null);
  return values.length === 0 ? null : 100 * mean(values);
}

/** The tasks of the study, by their labels in Figure 5. */
export const FIGURE_5_TASKS: Readonly<Record<RulerStudyTaskName, string>> = labels;

/** The label of a study in which no two tasks have a correlation, as with one model at one length. */
const TOO_LITTLE = "too little to correlate";

/**
 * Draws a correlation study in the form of Figure 5 of the RULER paper: tasks in the order of their clusters by average linkage, those
 * that the paper removed marked. The caption names the tasks that were left out.
 *
 * @param options `unit`: the unit of the correlations, such as `r, rescaled`.
 */
export function correlationFigure(
  { tasks, matrix, kept, leftOut }: CorrelationStudy,
  options: Titled & Pick<FigureOptions, "n" | "caption"> & { readonly unit: string },
): Figure {
  const { unit, caption, title, ...others } = options;
  const order = tasks.length === 0 ? [] : clusterTree(correlationDistances(matrix)).members;
  const rows = order.flatMap((row) =>
    order.map((column) => ({ task: tasks[row]!, other: tasks[column]!, r: matrix[row]![column]! }))
  );
  const gone = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
  return heatmap(rows.length === 0 ? [{ task: TOO_LITTLE, other: TOO_LITTLE, r: 1 }] : rows, {
    ...others,
    title: rows.length === 0 ? `${title}: ${TOO_LITTLE}` : title,
    caption: `${caption} ✗: removed by the paper.${
      gone === "" ? "" : ` Without a correlation, and left out: ${gone}.`
    }`,
    x: "other",
    y: "task",
    value: "r",
    xTitle: "Task",
    yTitle: "Task",
    valueTitle: `Correlation (${unit})`,
    yLabel: (task) => kept.includes(`${task}`) || rows.length === 0 ? `${task}` : `✗ ${task}`,
    xLabelAngle: -90,
    colours: "viridis",
    height: Math.max(60, 20 * order.length),
  });
}

/** A category of the paper, and what the correlations show of it. */
export interface CategoryCluster {
  readonly category: string;
  readonly size: number;
  /** The number of linkages, of seven, by which some cluster has exactly its tasks. */
  readonly linkages: number;
  /** The mean correlation of pairs within it; `null` for a single task. */
  readonly within: number | null;
  /** The mean correlation of its tasks with those of other categories; `null` if there are none. */
  readonly between: number | null;
}

/** Compares the categories of the paper with the clusters of the tasks. */
export function categoryClusters({ tasks, matrix, categories }: CorrelationStudy): readonly CategoryCluster[] {
  if (tasks.length === 0) return [];
  const distances = correlationDistances(matrix);
  const all = tasks.map((_, row) => row);
  return [...Map.groupBy(all, (row) => categories[tasks[row]!]!)].map(([category, rows]) => {
    const meanOf = (others: (row: number) => readonly number[]): number | null => {
      const values = rows.flatMap((row) => others(row).map((other) => matrix[row]![other]!));
      return values.length === 0 ? null : mean(values);
    };
    return {
      category,
      size: rows.length,
      linkages: linkagesThatJoin(rows, distances).length,
      within: meanOf((row) => rows.filter((other) => other !== row)),
      between: meanOf(() => all.filter((other) => !rows.includes(other))),
    };
  });
}

/** Shows which categories are clusters, and how similar their tasks are. */
export function categoryTable(study: CorrelationStudy, options: Titled & Pick<FigureOptions, "n">): Table {
  const rows = categoryClusters(study);
  if (rows.length === 0) {
    const caption = "It takes two tasks with scores that differ, of three models and lengths together.";
    return table([{ category: TOO_LITTLE }], { ...options, caption, columns: { category: "Category" } });
  }
  return table(rows, {
    ...options,
    caption:
      `Linkages: by how many of ${LINKAGES.length} some cluster has exactly the category's tasks. Within and between: mean ` +
      "correlations of pairs.",
    columns: {
      category: "Category",
      size: "Tasks",
      linkages: "Linkages",
      within: { label: "Within", digits: 2 },
      between: { label: "Between", digits: 2 },
    },
  });
}
