import {
  type CategoryCluster,
  categoryClusters,
  clusterTree,
  correlationDistances,
  kindsOf,
  representatives,
  type SortedTasks,
} from "./clustering.ts";
import {
  correlatedTasks,
  correlationMatrix,
  meanOf,
  meanScores,
  type SampleScore,
  type TaskVectors,
  taskVectors,
} from "./correlation.ts";
import type { RulerPublished } from "./published.ts";
import type { RulerStudyTaskName } from "@/lib/benchmarks/ruler/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { type Draw, integer, stream } from "@/lib/random/mod.ts";
import { meanOfRepeats, median, percentiles, scoreOf, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

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
  /** The number of replicates, from 20. */
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
  { published, ...options }: CorrelationStudyOptions,
): CorrelationStudy {
  const { categories } = published;
  const order = (task: string): number => published.tasks.indexOf(task);
  const samples = studySamples(members).toSorted((left, right) => order(left.task) - order(right.task));
  const vectors = taskVectors(meanScores(samples));
  const found = correlatedTasks(correlationMatrix(vectors));
  const kept = published.kept.filter((task) => found.tasks.includes(task));
  const study = { ...found, categories, kept, tolerance: 0 };
  const isEnough = found.tasks.length > kept.length && kept.length > 0 && fewestSamples(samples) > 1;
  return { ...study, stability: isEnough ? clusterStability(samples, { ...options, study, vectors }) : null };
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

/** How stable a clustering of tasks is under resampling of the samples of each task and length. */
export interface ClusterStability {
  /** The number of replicates. */
  readonly replicates: number;
  readonly categories: readonly CategoryStability[];
  /** One for each task, in the order of the study. */
  readonly tasks: readonly TaskStability[];
  /** The share of replicates that keep exactly the tasks that the paper keeps, in [0, 1]. */
  readonly sameShare: number;
}

/** How stable the cluster of a category is. */
export interface CategoryStability {
  readonly category: string;
  /** The share of replicates in which the category is a cluster of its own, in [0, 1]. */
  readonly ownShare: number;
  /** With the middle 95% of replicates. */
  readonly purity: ScoreWithInterval;
}

/** How stable the position of a task is. */
export interface TaskStability {
  readonly task: string;
  /** Its highest correlation with another task, with the spread of the middle 95% of replicates about it. */
  readonly correlation: ScoreWithInterval;
  /** The share of replicates in which it is kept, in [0, 1]. */
  readonly keptShare: number;
  /**
   * The share of replicates in which the most similar of the other tasks that the paper keeps is of its own category, in [0, 1];
   * `null` if the paper keeps none of its category, or none of another.
   */
  readonly ownShare: number | null;
}

/**
 * Repeats the study on samples drawn from its own with replacement (bootstrap; Efron 1979), to measure how stable the clusters are.
 *
 * The ranges hold the middle 95% of replicates. They are not confidence intervals: replicates are noisier than the data, so clusters
 * break up more easily in them. Correlations are lower in them for the same reason, the highest ones most of all, so their spread is
 * centred on the correlation of the data.
 */
function clusterStability(
  samples: readonly SampleScore[],
  { study, vectors: whole, seed, replicates }: Omit<CorrelationStudyOptions, "published"> & {
    readonly study: SortedTasks;
    readonly vectors: TaskVectors;
  },
): ClusterStability {
  const { tasks } = study;
  const vectors = { ...whole, tasks, values: tasks.map((task) => whole.values[whole.tasks.indexOf(task)]!) };
  const kinds = kindsOf(study);
  const kept = study.kept.map((task) => tasks.indexOf(task));
  const cells = sampleCells(samples.filter(({ task }) => tasks.includes(task)), vectors);
  const settings = { kinds, keep: kept.length };
  const found = clustersOf(vectors, settings);
  const drawn = Array.from({ length: replicates }, (_, at) => {
    const draw = stream(seed, "cluster stability", "samples", at);
    return clustersOf(resample(vectors, { draw, cells }), settings);
  });
  const share = (holds: (clusters: Clusters) => boolean): number => drawn.filter(holds).length / replicates;
  return {
    replicates,
    categories: found.categories.map(({ category, purity }, at) => ({
      category,
      ownShare: share(({ categories }) => categories[at]!.isOwn),
      purity: percentiles(drawn.map(({ categories }) => categories[at]!.purity), purity),
    })),
    tasks: tasks.map((task, at) => {
      const nearest = nearestTo(at, found.matrix);
      const others = kept.filter((row) => row !== at);
      const own = others.filter((row) => kinds[row] === kinds[at]);
      const foreign = others.filter((row) => kinds[row] !== kinds[at]);
      const highest = (row: readonly number[], of: readonly number[]): number => Math.max(...of.map((to) => row[to]!));
      return {
        task,
        correlation: correlationSpread(drawn.map(({ matrix }) => matrix[at]![nearest]!), found.matrix[at]![nearest]!),
        keptShare: share(({ kept }) => kept.includes(at)),
        ownShare: own.length === 0 || foreign.length === 0
          ? null
          : share(({ matrix }) => highest(matrix[at]!, own) > highest(matrix[at]!, foreign)),
      };
    }),
    sameShare: share((clusters) => clusters.kept.every((at) => kept.includes(at))),
  };
}

/** The samples of a task at a length, of all models. */
interface SampleCell {
  readonly task: number;
  /** The columns of that length. */
  readonly columns: readonly number[];
  /** A row per column, a value per sample that any model was asked. */
  readonly values: readonly (readonly (number | null)[])[];
}

function sampleCells(samples: readonly SampleScore[], { tasks, columns }: TaskVectors): readonly SampleCell[] {
  const ofCell = Map.groupBy(samples, ({ task, length }) => JSON.stringify([task, length]));
  return [...ofCell.values()].map((ofOne): SampleCell => {
    const { task, length } = ofOne[0]!;
    const indexes = [...new Set(ofOne.map(({ index }) => index))];
    const places = columns.flatMap((column, at) => column.length === length ? [at] : []);
    const valueOf = new Map(ofOne.map(({ model, index, value }) => [JSON.stringify([model, index]), value]));
    const values = places.map((at) =>
      indexes.map((index) => valueOf.get(JSON.stringify([columns[at]!.model, index])) ?? null)
    );
    return { task: tasks.indexOf(task), columns: places, values };
  });
}

/** Draws the samples of each cell with replacement, the same for all models, as they were asked the same samples. */
function resample(
  { tasks, columns }: TaskVectors,
  { draw, cells }: { readonly draw: Draw; readonly cells: readonly SampleCell[] },
): TaskVectors {
  const values = tasks.map((): (number | null)[] => columns.map(() => null));
  for (const cell of cells) {
    const count = cell.values[0]!.length;
    const drawn = Array.from({ length: count }, () => integer(draw, { low: 0, high: count - 1 }));
    cell.columns.forEach((column, at) => {
      values[cell.task]![column] = meanOf(drawn.map((sample) => cell.values[at]![sample]!));
    });
  }
  return { tasks, columns, values };
}

/** The clusters of the data, or of one replicate. */
interface Clusters {
  readonly matrix: readonly (readonly number[])[];
  readonly categories: readonly CategoryCluster[];
  readonly kept: readonly number[];
}

/** Correlates and clusters task vectors; a pair without a correlation counts as having one of 0. */
function clustersOf(
  vectors: TaskVectors,
  { kinds, keep }: { readonly kinds: readonly string[]; readonly keep: number },
): Clusters {
  const matrix = correlationMatrix(vectors).matrix
    .map((row, at) => row.map((value, other) => at === other ? 1 : value ?? 0));
  const distances = correlationDistances(matrix);
  const root = clusterTree(distances);
  return { matrix, categories: categoryClusters(root, kinds), kept: representatives(root, { keep, distances }) };
}

/** Returns the other row with the highest correlation. */
export function nearestTo(row: number, matrix: Clusters["matrix"]): number {
  const others = matrix[row]!.map((_, at) => at).filter((at) => at !== row);
  return others.reduce((best, at) => matrix[row]![at]! > matrix[row]![best]! ? at : best);
}

/** Returns a correlation with the middle 95% of its replicates about their median, on Fisher's scale (atanh). */
function correlationSpread(replicates: readonly number[], found: number): ScoreWithInterval {
  // A correlation of 1 has no finite value on Fisher's scale.
  const scaled = (correlation: number): number => Math.atanh(Math.min(Math.max(correlation, 1e-9 - 1), 1 - 1e-9));
  const { low, high } = percentiles(replicates.map(scaled), found);
  const shift = scaled(found) - median(replicates.map(scaled));
  return { score: found, low: Math.tanh(low + shift), high: Math.tanh(high + shift) };
}
