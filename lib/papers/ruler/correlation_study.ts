import { kindsOf, type SortedTasks } from "./clustering.ts";
import { correlatedTasks, correlationMatrix, type ModelScore, taskVectors } from "./correlation.ts";
import type { RulerPublished } from "./published.ts";
import type { RulerStudyTaskName } from "@/lib/benchmarks/ruler/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { mean, meanOfRepeats, scoreOf } from "@/lib/statistics/mod.ts";

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
