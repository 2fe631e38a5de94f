import { type ClusterStability, clusterStability, type Resampling } from "./cluster_stability.ts";
import type { SortedTasks } from "./correlation_clusters.ts";
import { correlatedTasks, correlationMatrix, meanScores, type SampleScore, taskVectors } from "./correlation.ts";
import type { RulerPublished } from "./published.ts";
import type { RulerStudyTaskName } from "@/lib/benchmarks/ruler/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { meanOfRepeats, scoreOf } from "@/lib/statistics/mod.ts";

/** RULER's correlation study (appendix C): how alike tasks are, their categories, and which the paper keeps. */
export interface CorrelationStudy extends SortedTasks {
  /** How far off correlations may be because they were read from a figure; 0 if they were computed. */
  readonly tolerance: number;
  /** How stable the clusters are; `null` if there are no samples to resample. */
  readonly stability: ClusterStability | null;
}

/** Steps of colour in Figure 5, from the smallest correlation to the largest. */
const COLOURS = 255;

/**
 * Gives the study as the paper's Figure 5 shows it, digitised from its colours.
 *
 * Its correlations are known up to their scale: 0 is the smallest shown and 1 the largest, a task's own, so `1 - r` is known up
 * to one factor. That is enough for every tree and cluster, as no linkage depends on the unit.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
 *
 * equal(publishedCorrelationStudy(await openPublished()).kept.length, 13);
 * ```
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
    stability: null,
  };
}

/** A model and its scored replies. */
export interface ModelReplies {
  readonly model: string;
  readonly replies: readonly Pick<ScoredReply, "task" | "length" | "value" | "failed" | "noAnswer" | "record">[];
}

/** Options for {@linkcode correlationStudy}. */
export interface CorrelationStudyOptions {
  /** The published study, for the categories and which tasks are kept. */
  readonly published: CorrelationStudy;
  /** Any text; the same seed gives the same replicates. */
  readonly seed: string;
  /** How many times to resample. Range: 20 to 100,000. */
  readonly replicates: number;
}

/**
 * Repeats the study on models that were asked here. Tasks are named as in Figure 5 and stand in its order. `stability` is
 * `null` if a cell has fewer than two samples, or no task could be left out.
 *
 * Without any task where no two can be compared; its figure, tables and claims then say that there is too little to correlate.
 *
 * @throws {RangeError} If there is no score, or a task has no category; the message says why.
 *
 * @example Replies that all failed
 * ```ts
 * import { throws } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/papers/ruler/mod.ts";
 *
 * const published = publishedCorrelationStudy(await openPublished());
 * const options = { published, seed: "1", replicates: 20 };
 * throws(() => correlationStudy([{ model: "a", replies: [] }], options), /at least one score/);
 * ```
 */
export function correlationStudy(
  members: readonly ModelReplies[],
  options: CorrelationStudyOptions,
): CorrelationStudy {
  const { published, seed, replicates } = options;
  const { categories } = published;
  const order = (task: string): number => published.tasks.indexOf(task);
  const samples = studySamples(members).toSorted((left, right) => order(left.task) - order(right.task));
  const found = correlatedTasks(correlationMatrix(taskVectors(meanScores(samples))));
  const kept = published.kept.filter((task) => found.tasks.includes(task));
  const isEnough = found.tasks.length > kept.length && kept.length > 0 && fewestSamples(samples) > 1;
  const stability = isEnough
    ? clusterStability(samples, { categories, kept, seed, replicates, resample: "samples" })
    : null;
  return { ...found, categories, kept, tolerance: 0, stability };
}

function studySamples(members: readonly ModelReplies[]): readonly SampleScore[] {
  return members.flatMap(({ model, replies }) =>
    meanOfRepeats(replies).map((reply): SampleScore => ({
      model,
      task: Object.hasOwn(FIGURE_5_TASKS, reply.task) ? FIGURE_5_TASKS[reply.task as RulerStudyTaskName] : reply.task,
      length: reply.length,
      index: reply.record.index,
      value: scoreOf(reply),
    }))
  );
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

function fewestSamples(samples: readonly SampleScore[]): number {
  const cells = Map.groupBy(samples, ({ model, task, length }) => JSON.stringify([model, task, length]));
  return Math.min(...[...cells.values()].map(({ length }) => length));
}

/** Options for {@linkcode studyStability}. */
export interface StudyStabilityOptions {
  /** The study of the same models. */
  readonly study: CorrelationStudy;
  /** Any text; the same seed gives the same replicates. */
  readonly seed: string;
  /**
   * How many times to resample. Range: 20 to 100,000.
   *
   * @default {200}
   */
  readonly replicates?: number;
}

/**
 * Tells how stable the clusters of a study are when its samples, its columns or, from three models on, its models are
 * resampled. Empty if the study itself could not be resampled.
 */
export function studyStability(
  members: readonly ModelReplies[],
  options: StudyStabilityOptions,
): readonly ClusterStability[] {
  const { study: { stability, categories, kept, tasks }, seed, replicates = 200 } = options;
  if (stability === null) return [];
  const kinds: readonly Resampling[] = members.length < 3 ? ["samples", "columns"] : ["samples", "columns", "models"];
  const samples = studySamples(members).filter(({ task }) => tasks.includes(task));
  return kinds.map((resample) => clusterStability(samples, { categories, kept, seed, replicates, resample }));
}
