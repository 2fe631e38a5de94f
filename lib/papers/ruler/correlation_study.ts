import { rangeText } from "@/lib/base/mod.ts";
import { clusteredHeatmap } from "./clustered_heatmap.ts";
import {
  categoryClusters,
  clusterTree,
  correlationDistances,
  kindsOf,
  linkageAgreement,
  representatives,
  type SortedTasks,
} from "./clustering.ts";
import { correlatedTasks, correlationMatrix, type ModelScore, taskVectors } from "./correlation.ts";
import type { RulerPublished } from "./published.ts";
import { allOf } from "./line_findings.ts";
import type { RulerStudyTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Figure, type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import {
  cannotTell,
  decidedByCases,
  type Finding,
  mean,
  meanOfRepeats,
  notAsked,
  type PublishedClaim,
  scoreOf,
  type Verdict,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** RULER's correlation study (appendix C): the correlations of tasks, their categories, and those that the paper keeps. */
export interface CorrelationStudy extends SortedTasks {
  /** The error of correlations that were read from a figure; 0 if they were computed. */
  readonly tolerance: number;
}

/** Steps of colour in Figure 5, from the smallest correlation to the largest. */
const COLOURS = 255;

/**
 * Returns the study of the paper's Figure 5, digitised from its colours.
 *
 * Its correlations are known up to their scale: 0 is the smallest one shown and 1 the largest, a task's own, so `1 - r` is known up to
 * one factor. That is enough for every tree and cluster, as no linkage depends on the unit.
 */
export function publishedCorrelationStudy({ correlations }: Pick<RulerPublished, "correlations">): CorrelationStudy {
  const { tasks, matrix } = correlations;
  return {
    tasks: tasks.map(({ task }) => task),
    matrix,
    leftOut: [],
    categories: Object.fromEntries(tasks.map(({ task, category }) => [task, category])),
    kept: tasks.filter(({ kept }) => kept).map(({ task }) => task),
    tolerance: 1 / COLOURS,
  };
}

/** A model and its scored replies. */
export interface ModelReplies {
  readonly model: string;
  readonly replies: readonly Pick<ScoredReply, "task" | "length" | "value" | "failed" | "noAnswer" | "record">[];
}

/**
 * Repeats the study on other models. Tasks have the names and the order of Figure 5. If no two tasks can be compared, the study has none,
 * and its figure, tables and claims report that there is too little to correlate.
 *
 * @param published The published study, for the categories and the kept tasks.
 * @throws {RangeError} If there is no score, or a task has no category.
 */
export function correlationStudy(members: readonly ModelReplies[], published: CorrelationStudy): CorrelationStudy {
  const { categories } = published;
  const order = (task: string): number => published.tasks.indexOf(task);
  const scores = members.flatMap(modelScores).toSorted((left, right) => order(left.task) - order(right.task));
  const found = correlatedTasks(correlationMatrix(taskVectors(scores)));
  // Every task must have a category.
  kindsOf({ ...found, categories });
  return { ...found, categories, kept: published.kept.filter((task) => found.tasks.includes(task)), tolerance: 0 };
}

/** Averages a model's replies for each task and length, in percent; repeats of a sample are averaged first. */
function modelScores({ model, replies }: ModelReplies): readonly ModelScore[] {
  const cells = Map.groupBy(meanOfRepeats(replies), ({ task, length }) => JSON.stringify([task, length]));
  return [...cells.values()].map((ofCell): ModelScore => {
    const { task, length } = ofCell[0]!;
    const values = ofCell.map(scoreOf).filter((value) => value !== null);
    const label = Object.hasOwn(FIGURE_5_TASKS, task) ? FIGURE_5_TASKS[task as RulerStudyTaskName] : task;
    return { model, task: label, length, score: values.length === 0 ? null : 100 * mean(values) };
  });
}

/** The tasks of the study, by their labels in Figure 5. */
const FIGURE_5_TASKS: Readonly<Record<RulerStudyTaskName, string>> = {
  "niah_single_1": "k=W, v=N, h=repeat (S-NIAH)",
  "niah_single_2": "k=W, v=N, h=essay (S-NIAH)",
  "niah_single_3": "k=W, v=U, h=essay (S-NIAH)",
  "niah_single_words": "k=W, v=W, h=essay (S-NIAH)",
  "niah_multikey_1": "#k=4 (MK-NIAH)",
  "niah_multikey_2": "#k=full (MK-NIAH)",
  "niah_multikey_3": "#k=full, k=U, v=U (MK-NIAH)",
  "niah_multivalue": "#v=4 (MV-NIAH)",
  "niah_multivalue_2": "#v=2 (MV-NIAH)",
  "niah_multiquery": "#q=4 (MQ-NIAH)",
  "niah_multiquery_2": "#q=2 (MQ-NIAH)",
  "vt": "chain=1, hop=4 (VT)",
  "vt_2_chains": "chain=2, hop=2 (VT)",
  "cwe": "CWE",
  "fwe": "a=2.0 (FWE)",
  "fwe_alpha_3_5": "a=3.5 (FWE)",
  "qa_1": "squad (QA)",
  "qa_2": "hotpotqa (QA)",
};

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
      task,
      ...nearest!,
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

const APPENDIX_C = "appendix C; Figure 5";

const CLAIMS: readonly PublishedClaim<CorrelationStudy>[] = [
  {
    id: "R28",
    source: APPENDIX_C,
    quote:
      "Correlation heatmap among 18 tasks with diverse task configurations. We remove redundant tasks (in red) and only preserve 13 representative tasks in Ruler.",
    statement: "18 tasks were compared and 13 of them kept.",
    expected: "holds",
    check: ({ tasks, leftOut, kept }) => {
      const asked = tasks.length + leftOut.length;
      const gone = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
      const observed = `${asked} configurations, ${kept.length} of the kept ones among them.` +
        (gone === "" ? "" : ` Without a correlation: ${gone}.`);
      if (asked !== 18) return notAsked(observed);
      return { verdict: kept.length === 13 ? "holds" : "fails", observed };
    },
  },
  {
    id: "R28-clusters",
    source: APPENDIX_C,
    quote:
      "tasks in each of the four categories (NIAH, VT, AG, QA) form cohesive clusters of their own without redundancy",
    statement:
      "Each of the four categories forms a cluster of its own (our measure: by every linkage some cluster holds exactly its tasks; open if only some linkages have one).",
    expected: "fails",
    check: checkClusters,
  },
  {
    id: "R28-redundant",
    source: APPENDIX_C,
    quote: "We further eliminate a few tasks that correlate highly with other tasks within the same cluster",
    statement:
      "The removed tasks correlate highly with others of their cluster (our measure: each is more similar to a kept task of its own category than to any of another).",
    expected: "cannot tell",
    check: ({ tasks, matrix, kept, categories, tolerance }) => {
      const removed = tasks.filter((task) => !kept.includes(task));
      if (removed.length === 0) return notAsked("None of the removed tasks was asked.");
      const nearest = removed.map((task) => {
        const row = matrix[tasks.indexOf(task)]!;
        const best = (wanted: (other: string) => boolean): { readonly task: string; readonly r: number } | null =>
          kept.filter(wanted).map((other) => ({ task: other, r: row[tasks.indexOf(other)]! }))
            .toSorted((left, right) => right.r - left.r)[0] ?? null;
        const own = best((other) => categories[other] === categories[task]);
        const foreign = best((other) => categories[other] !== categories[task]);
        // Without a kept task on both sides there is nothing to compare.
        const lead = own === null || foreign === null ? null : own.r - foreign.r;
        const isClear = lead !== null && Math.abs(lead) > 2 * tolerance;
        return { task, agrees: isClear ? lead > 0 : null, nearest: (lead ?? 0) >= 0 ? own ?? foreign : foreign };
      });
      const texts = nearest.map(({ task, nearest: best }) =>
        `${task}: ${best === null ? "none" : `${best.task} (${best.r.toFixed(2)})`}`
      );
      const open = nearest.filter(({ agrees }) => agrees === null).map(({ task }) => task);
      const why = open.length === 0 || tolerance === 0 ? "" : ` Open: ${open.join(", ")}, as numbers were not ` +
        `published: the colours give correlations to ${tolerance.toFixed(3)}.`;
      return decidedByCases(nearest.map(({ agrees }) => agrees), `${texts.join("; ")}.${why}`);
    },
  },
  {
    id: "R28-same",
    source: APPENDIX_C,
    statement:
      "The middle tasks of the same number of clusters are the tasks that the paper keeps, whatever the linkage.",
    expected: "fails",
    check: checkKept,
  },
];

/** Claims of appendix C of the RULER paper about tasks and their categories, checked on its figure or on a run. */
export const CORRELATION_CLAIMS: readonly PublishedClaim<CorrelationStudy>[] = CLAIMS.map((claim) => ({
  ...claim,
  check: (study) =>
    study.tasks.length === 0
      ? cannotTell("Too little to correlate: no two tasks have a correlation.")
      : claim.check(study),
}));

function checkClusters(study: CorrelationStudy): Finding {
  const results = linkageAgreement(study);
  const kinds = [...new Set(study.tasks.map((task) => study.categories[task]!))];
  if (kinds.length < 2) return notAsked("Only one category was asked.");
  const own = kinds.map((kind) => results.filter((result) => result.own.includes(kind)).map(({ linkage }) => linkage));
  const texts = kinds.map((kind, at) => {
    const linkages = own[at]!;
    return `${kind} by ${linkages.length === results.length ? "every linkage" : linkages.join(", ") || "none"}`;
  });
  const agreement = results.map(({ withCategories }) => withCategories);
  const [least, most] = [Math.min(...agreement), Math.max(...agreement)].map((index) => index.toFixed(2));
  return {
    verdict: allOf(own.map(({ length }) => linkageVerdict(length, results.length))),
    observed: `A cluster of its own: ${texts.join("; ")}. ` +
      `Adjusted Rand index of four clusters and the categories: ${least} to ${most}.`,
  };
}

function checkKept(study: CorrelationStudy): Finding {
  const { kept, tasks } = study;
  if (tasks.length === kept.length || kept.length === 0) return notAsked("There is nothing to choose from.");
  const results = linkageAgreement(study);
  const same = results.map((result) => result.kept.filter((task) => kept.includes(task)).length);
  const chance = ((kept.length * kept.length) / tasks.length).toFixed(1);
  return {
    verdict: linkageVerdict(same.filter((count) => count === kept.length).length, results.length),
    observed: `${rangeText(same)} of the ${kept.length} are the same, by linkage; ` +
      `${chance} would be by chance.`,
  };
}

/** Returns the verdict of a statement about every linkage that holds for some of them. */
function linkageVerdict(holding: number, linkages: number): Verdict {
  return verdictOf(holding === linkages, holding === 0);
}
