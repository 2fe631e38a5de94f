import { type ClusterStability, clusterStability, type Resampling } from "./cluster_stability.ts";
import type { SortedTasks } from "./correlation_clusters.ts";
import { correlatedTasks, correlationMatrix, meanScores, type SampleScore, taskVectors } from "./correlation.ts";
import type { RulerPublished } from "./published.ts";
import type { RulerStudyTaskName } from "@/lib/benchmarks/ruler/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { meanOfRepeats, scoreOf } from "@/lib/statistics/mod.ts";

/** RULER's correlation study (appendix C): the correlations of tasks, their categories, and those that the paper keeps. */
export interface CorrelationStudy extends SortedTasks {
  /** The error of correlations that were read from a figure; 0 if they were computed. */
  readonly tolerance: number;
  /** How stable the clusters are; `null` if there are no samples to resample. */
  readonly stability: ClusterStability | null;
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
  /** The published study, for the categories and the kept tasks. */
  readonly published: CorrelationStudy;
  /** Any text; the same seed gives the same replicates. */
  readonly seed: string;
  /** The number of replicates. Range: 20 to 100,000. */
  readonly replicates: number;
}

/**
 * Repeats the study on other models. Tasks have the names and the order of Figure 5. `stability` is `null` if a cell has fewer than two
 * samples, or no task could be left out. If no two tasks can be compared, the study has none, and its figure, tables and claims report
 * that there is too little to correlate.
 *
 * @throws {RangeError} If there is no score, or a task has no category.
 */
export function correlationStudy(
  members: readonly ModelReplies[],
  { published, seed, replicates }: CorrelationStudyOptions,
): CorrelationStudy {
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

/**
 * Measures how stable the clusters of a study are when its samples, its columns or, with three models or more, its models are
 * resampled. Empty if the study itself could not be resampled.
 *
 * @param options The study of the same models, any text as seed, and the number of replicates: 20 to 100,000, by default 200.
 */
export function studyStability(
  members: readonly ModelReplies[],
  { study: { stability, categories, kept, tasks }, seed, replicates = 200 }: {
    readonly study: CorrelationStudy;
    readonly seed: string;
    readonly replicates?: number;
  },
): readonly ClusterStability[] {
  if (stability === null) return [];
  const kinds: readonly Resampling[] = members.length < 3 ? ["samples", "columns"] : ["samples", "columns", "models"];
  const samples = studySamples(members).filter(({ task }) => tasks.includes(task));
  return kinds.map((resample) => clusterStability(samples, { categories, kept, seed, replicates, resample }));
}
