import { adjustedRand, categoryOf, clusterTree, correlationDistances, groupsOf } from "./clustering.ts";
import { type CategoryCluster, categoryClusters, representatives } from "./correlation_clusters.ts";
import {
  correlatedTasks,
  correlationMatrix,
  meanScores,
  type SampleScore,
  type TaskVectors,
  taskVectors,
} from "./correlation.ts";
import { type Draw, integer, stream } from "@/lib/random/mod.ts";
import { median, percentiles, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

interface StabilityOptions {
  /** The category of each task. */
  readonly categories: Readonly<Record<string, string>>;
  /** The tasks that the paper keeps; as many are kept in each replicate. */
  readonly kept: readonly string[];
  /** Any text; the same seed gives the same draws. */
  readonly seed: string;
  readonly resample: Resampling;
  /** Range: 20 to 100,000. */
  readonly replicates: number;
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

/** How stable a clustering of tasks is. */
export interface ClusterStability {
  readonly resample: Resampling;
  /** The number of replicates. */
  readonly replicates: number;
  /** Adjusted Rand index of clusters and categories, with the middle 95% of replicates. */
  readonly withCategories: ScoreWithInterval;
  /** Adjusted Rand index of the replicates' clusters and those of the data: the mean, and the middle 95%. */
  readonly withFound: ScoreWithInterval;
  readonly categories: readonly CategoryStability[];
  /** One for each task, in the order of the vectors. */
  readonly tasks: readonly TaskStability[];
  /** The share of replicates that keep exactly the tasks that the paper keeps, in [0, 1]. */
  readonly sameShare: number;
}

/**
 * Repeats the study on data drawn from its own with replacement (bootstrap; Efron 1979), to measure how stable the clusters are.
 *
 * The ranges hold the middle 95% of replicates. They are not confidence intervals: replicates are noisier than the data, so clusters
 * break up more easily in them. Correlations are lower in them for the same reason, the highest ones most of all, so their spread is
 * centred on the correlation of the data.
 */
export function clusterStability(samples: readonly SampleScore[], options: StabilityOptions): ClusterStability {
  const { categories, resample, replicates, seed } = options;
  if (!(Number.isInteger(replicates) && replicates >= 20 && replicates <= 100_000)) {
    throw new RangeError(
      `Cannot resample as replicates must be a whole number from 20 to 100000: current value is ${replicates}`,
    );
  }
  const whole = taskVectors(meanScores(samples));
  const { tasks } = correlatedTasks(correlationMatrix(whole));
  const vectors = { ...whole, tasks, values: tasks.map((task) => whole.values[whole.tasks.indexOf(task)]!) };
  const drawAgain = resampler(samples, { vectors, resample });
  const kinds = tasks.map((task) => categoryOf(task, categories));
  const kept = options.kept.map((task) => tasks.indexOf(task)).filter((at) => at >= 0);
  const settings = { kinds, keep: options.kept.length };
  const found = studyOf(vectors, settings);
  const drawn = Array.from(
    { length: replicates },
    (_, at) => studyOf(drawAgain(stream(seed, "cluster stability", resample, at)), settings),
  );
  const over = (read: (study: Study) => number): ScoreWithInterval => percentiles(drawn.map(read), read(found));
  const share = (holds: (study: Study) => boolean): number => drawn.filter(holds).length / replicates;
  const agreements = drawn.map(({ groups }) => adjustedRand(groups, found.groups));
  return {
    resample,
    replicates,
    withCategories: over(({ groups }) => adjustedRand(groups, kinds)),
    withFound: percentiles(agreements, agreements.reduce((sum, one) => sum + one, 0) / replicates),
    categories: found.categories.map(({ category }, at) => ({
      category,
      ownShare: share(({ categories }) => categories[at]!.isOwn),
      purity: over(({ categories }) => categories[at]!.purity),
    })),
    tasks: tasks.map((task, at) => {
      const nearest = nearestTo(at, found.matrix);
      const others = kept.filter((row) => row !== at);
      const own = others.filter((row) => kinds[row] === kinds[at]);
      const foreign = others.filter((row) => kinds[row] !== kinds[at]);
      return {
        task,
        correlation: correlationSpread(drawn.map(({ matrix }) => matrix[at]![nearest]!), found.matrix[at]![nearest]!),
        keptShare: share(({ kept }) => kept.includes(at)),
        ownShare: own.length === 0 || foreign.length === 0
          ? null
          : share(({ matrix }) => highest(matrix[at]!, own) > highest(matrix[at]!, foreign)),
      };
    }),
    sameShare: share((study) => study.kept.length === kept.length && study.kept.every((at) => kept.includes(at))),
  };
}

/**
 * The units that are resampled:
 * - *samples*: the samples of each task and length, the same for all models; shows the uncertainty of the scores
 * - *columns*: each model at each length
 * - *models*: models with all their lengths; shows the influence of the choice of models
 */
export type Resampling = "samples" | "columns" | "models";

/** Returns the function that draws one replicate. Throws if there are too few units to draw from. */
function resampler(
  samples: readonly SampleScore[],
  { vectors, resample }: { readonly vectors: TaskVectors; readonly resample: Resampling },
): (draw: Draw) => TaskVectors {
  const models = new Set(vectors.columns.map(({ model }) => model)).size;
  if (resample === "models" && models < 3) {
    throw new RangeError(`Cannot resample models as there must be at least 3: current value is ${models}`);
  }
  if (resample !== "samples") return (draw) => resampleColumns(vectors, { draw, whole: resample === "models" });
  const cells = sampleCells(samples.filter(({ task }) => vectors.tasks.includes(task)), vectors);
  const fewest = Math.min(...cells.map(({ values }) => values[0]!.length));
  if (fewest < 2) {
    throw new RangeError(
      `Cannot resample samples as each task and length must have at least 2: current value is ${fewest}`,
    );
  }
  return (draw) => resampleSamples(vectors, { draw, cells });
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
function resampleSamples(
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

/** Draws columns with replacement: single columns, or whole models with all their lengths. */
function resampleColumns(
  vectors: TaskVectors,
  { draw, whole }: { readonly draw: Draw; readonly whole: boolean },
): TaskVectors {
  const { tasks, columns, values } = vectors;
  const units = whole
    ? [...Map.groupBy(columns.keys(), (at) => columns[at]!.model).values()]
    : columns.map((_, at) => [at]);
  const drawn = units.flatMap(() => units[integer(draw, { low: 0, high: units.length - 1 })]!);
  return {
    tasks,
    columns: drawn.map((at) => columns[at]!),
    values: values.map((row) => drawn.map((at) => row[at]!)),
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The study of the data, or of one replicate. */
interface Study {
  readonly matrix: readonly (readonly number[])[];
  readonly groups: readonly number[];
  readonly categories: readonly CategoryCluster[];
  readonly kept: readonly number[];
}

/** Correlates and clusters task vectors; a pair without a correlation counts as having one of 0. */
function studyOf(
  vectors: TaskVectors,
  { kinds, keep }: { readonly kinds: readonly string[]; readonly keep: number },
): Study {
  const matrix = correlationMatrix(vectors).matrix
    .map((row, at) => row.map((value, other) => at === other ? 1 : value ?? 0));
  const distances = correlationDistances(matrix);
  const root = clusterTree(distances);
  return {
    matrix,
    groups: groupsOf(root, new Set(kinds).size),
    categories: categoryClusters(root, kinds),
    kept: representatives(root, { keep, distances }),
  };
}

/** Returns the other row with the highest correlation. */
export function nearestTo(row: number, matrix: Study["matrix"]): number {
  const others = matrix[row]!.map((_, at) => at).filter((at) => at !== row);
  return others.reduce((best, at) => matrix[row]![at]! > matrix[row]![best]! ? at : best);
}

/** Returns the highest of some correlations of a task. */
function highest(correlations: readonly number[], others: readonly number[]): number {
  return Math.max(...others.map((at) => correlations[at]!));
}

/** Returns a correlation with the middle 95% of its replicates about their median, on Fisher's scale (atanh). */
function correlationSpread(replicates: readonly number[], found: number): ScoreWithInterval {
  // A correlation of 1 has no finite value on Fisher's scale.
  const scaled = (correlation: number): number => Math.atanh(Math.min(Math.max(correlation, 1e-9 - 1), 1 - 1e-9));
  const { low, high } = percentiles(replicates.map(scaled), found);
  const shift = scaled(found) - median(replicates.map(scaled));
  return { score: found, low: Math.tanh(low + shift), high: Math.tanh(high + shift) };
}
