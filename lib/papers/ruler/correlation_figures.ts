import { categoryClusters, clusterTree, correlationDistances, kindsOf, representatives } from "./clustering.ts";
import type { CorrelationStudy } from "./correlation_study.ts";
import { clusteredHeatmap, type Figure, type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";

/** Options for {@linkcode correlationFigure}. */
export interface CorrelationFigureOptions
  extends Pick<FigureOptions, "title" | "caption" | "origin" | "warning" | "n"> {
  /** The unit of the correlations, such as `r, rescaled`. */
  readonly unit: string;
}

/**
 * Draws a correlation study in the form of Figure 5 of the RULER paper: tasks in the order of their clusters, those that the paper
 * removed in red, the tree above. The caption names the tasks that were left out.
 */
export function correlationFigure(study: CorrelationStudy, options: CorrelationFigureOptions): Figure {
  const { unit, caption, ...others } = options;
  const { kept, leftOut } = study;
  const isEmpty = study.tasks.length === 0;
  const [tasks, matrix] = isEmpty ? [[TOO_LITTLE], [[1]]] : [study.tasks, study.matrix];
  const gone = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
  return clusteredHeatmap({ names: tasks, matrix, tree: clusterTree(correlationDistances(matrix)) }, {
    ...others,
    title: isEmpty ? `${options.title}: ${TOO_LITTLE}` : options.title,
    caption: gone === "" ? caption : `${caption} Without a correlation, and left out: ${gone}.`,
    valueTitle: `Correlation (${unit})`,
    heightTitle: `1 - ${unit}`,
    highlighted: { values: tasks.filter((task) => !kept.includes(task)), means: "removed by the paper" },
  });
}

/** The label of a study in which no two tasks have a correlation, as with one model at one length. */
const TOO_LITTLE = "too little to correlate";

/** Options for the tables of a correlation study. */
export type StudyTableOptions = Pick<FigureOptions, "title" | "origin" | "warning" | "n">;

function emptyTable(field: "category" | "task", label: string, options: StudyTableOptions): Table {
  return table([{ category: TOO_LITTLE, task: TOO_LITTLE }], {
    ...options,
    caption:
      "A correlation takes two tasks, each with scores that differ, of at least three models and lengths together.",
    columns: [{ field, label }],
  });
}

/** Shows which categories are clusters. */
export function categoryTable(study: CorrelationStudy, options: StudyTableOptions): Table {
  const { tasks, matrix } = study;
  if (tasks.length === 0) return emptyTable("category", "Category", options);
  const rows = categoryClusters(clusterTree(correlationDistances(matrix)), kindsOf(study))
    .map((row) => ({ ...row, own: row.isOwn ? "yes" : "no" }));
  return table(rows, {
    ...options,
    caption:
      "The tree, by average linkage, is cut into one cluster for each category. Purity: of the tasks in the cluster that holds most of " +
      "the category, the share that are of it. Together: the share of the category's tasks in that cluster.",
    columns: [
      { field: "category", label: "Category" },
      { field: "size", label: "Tasks" },
      { field: "own", label: "Own cluster" },
      { field: "purity", label: "Purity", digits: 2 },
      { field: "together", label: "Together", digits: 2 },
    ],
  });
}

/** Shows for each task the most similar one and whether the task would be kept, the highest correlation first. */
export function taskTable(study: CorrelationStudy, options: StudyTableOptions): Table {
  const { tasks, matrix, kept } = study;
  if (tasks.length === 0) return emptyTable("task", "Task", options);
  const distances = correlationDistances(matrix);
  const middles = representatives(clusterTree(distances), { keep: Math.max(1, kept.length), distances });
  const rows = tasks.map((task, at) => {
    const others = matrix[at]!.map((correlation, other) => ({ nearest: tasks[other]!, correlation }));
    const [nearest] = others.filter((_, other) => other !== at)
      .toSorted((left, right) => right.correlation - left.correlation);
    return {
      ...{ task, ...nearest! },
      paper: kept.includes(task) ? "yes" : "no",
      rule: middles.includes(at) ? "yes" : "no",
    };
  });
  return table(rows.toSorted((left, right) => right.correlation - left.correlation), {
    ...options,
    caption:
      `The rule keeps the middle of each of ${kept.length} clusters, by average linkage. Highest correlation first.`,
    columns: [
      { field: "task", label: "Task" },
      { field: "nearest", label: "Most similar" },
      { field: "correlation", label: "Correlation", digits: 2 },
      { field: "paper", label: "Kept in the paper" },
      { field: "rule", label: "Kept by the rule" },
    ],
  });
}
