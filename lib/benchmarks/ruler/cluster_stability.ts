import { type CategoryCluster, categoryClusters, representatives } from "./correlation_clusters.ts";
import {
  correlatedTasks,
  correlationMatrix,
  type CorrelationMethod,
  meanScores,
  type SampleScore,
  type TaskVectors,
  taskVectors,
} from "./correlation.ts";
import { type Draw, integer, stream } from "@/lib/random/mod.ts";
import {
  adjustedRand,
  categoryOf,
  clusterTree,
  correlationDistances,
  groupsOf,
  percentiles,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** Options for {@linkcode clusterStability}. */
interface StabilityOptions {
  /** The category of each task. */
  readonly categories: Readonly<Record<string, string>>;
  /** How many tasks to keep. Range: 1 to the number of tasks. */
  readonly keep: number;
  /**
   * The tasks that someone has kept, to compare with.
   *
   * @default {[]}
   */
  readonly kept?: readonly string[];
  /** Any text; the same seed gives the same draws. */
  readonly seed: string;
  /**
   * What is drawn again.
   *
   * @default {"samples"}
   */
  readonly resample?: Resampling;
  /**
   * How often. Range: 20 to 100,000.
   *
   * @default {500}
   */
  readonly replicates?: number;
  /**
   * Which correlation.
   *
   * @default {"pearson"}
   */
  readonly method?: CorrelationMethod;
}

/** A category as a cluster, and how often it is one. */
export interface CategoryStability extends CategoryCluster {
  /** The share of replicates in which the category is a cluster of its own, in [0, 1]. */
  readonly ownShare: number;
  /** Its purity, with the middle 95% of replicates. */
  readonly purityRange: ScoreWithInterval;
  /** Its overlap with the cluster nearest to it, with the middle 95% of replicates. */
  readonly overlapRange: ScoreWithInterval;
}

/** A task: what it is most like, and how often it would be kept. */
export interface TaskStability {
  /** The task's name. */
  readonly task: string;
  /** The task it correlates with most. */
  readonly nearest: string;
  /** That correlation, with the middle 95% of replicates. */
  readonly correlation: ScoreWithInterval;
  /** Whether it is kept. */
  readonly kept: boolean;
  /** The share of replicates in which it is kept, in [0, 1]. */
  readonly keptShare: number;
  /**
   * The share of replicates in which it is more like a task of its category than like any other, of those in `kept`, itself
   * excepted; in [0, 1], and `null` where there are not both.
   */
  readonly ownShare: number | null;
}

/** How far a clustering of tasks would have come out the same. */
export interface ClusterStability {
  /** What was drawn again. */
  readonly resample: Resampling;
  /** How often. */
  readonly replicates: number;
  /** Adjusted Rand index of clusters and categories, with the middle 95% of replicates. */
  readonly withCategories: ScoreWithInterval;
  /** Adjusted Rand index of the replicates' clusters and those found, the mean and the middle 95%. */
  readonly withFound: ScoreWithInterval;
  /** A line a category. */
  readonly categories: readonly CategoryStability[];
  /** A line a task, in the order of the vectors. */
  readonly tasks: readonly TaskStability[];
  /** The share of replicates in which the tasks kept are those in `kept`, in [0, 1]. */
  readonly sameShare: number;
  /** Replicates in which some pair had no correlation, which then counted as 0. */
  readonly withGaps: number;
}

/**
 * Tells how stable the clusters of tasks are: the study is done again on data drawn from its own with replacement
 * (bootstrap; Efron 1979).
 *
 * The ranges are those of the middle 95% of replicates. They tell how far the answer moves, and are no confidence
 * intervals: replicates are noisier than the data, so clusters fall apart in them more easily.
 */
export function clusterStability(samples: readonly SampleScore[], options: StabilityOptions): ClusterStability {
  const { resample = "samples", replicates = 500, seed, method = "pearson" } = options;
  if (!(Number.isInteger(replicates) && replicates >= 20 && replicates <= 100_000)) {
    throw new RangeError(
      `Cannot resample as replicates must be a whole number from 20 to 100000: current value is ${replicates}`,
    );
  }
  const whole = taskVectors(meanScores(samples));
  const { tasks } = correlatedTasks(correlationMatrix(whole, { method }));
  const vectors = pickTasks(whole, tasks);
  const drawAgain = resampler(samples, { vectors, resample });
  const kinds = tasks.map((task) => categoryOf(task, options.categories));
  const settings = { kinds, method, keep: options.keep };
  const kept = (options.kept ?? []).map((task) => tasks.indexOf(task)).filter((at) => at >= 0);
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
    categories: found.categories.map((category, at) => ({
      ...category,
      ownShare: share(({ categories }) => categories[at]!.isOwn),
      purityRange: over(({ categories }) => categories[at]!.purity),
      overlapRange: over(({ categories }) => categories[at]!.overlap),
    })),
    tasks: tasks.map((task, at) => {
      const nearest = nearestTo(at, found.matrix);
      const sides = sidesOf(at, { kinds, kept });
      return {
        task,
        nearest: tasks[nearest]!,
        correlation: over(({ matrix }) => matrix[at]![nearest]!),
        kept: found.kept.includes(at),
        keptShare: share(({ kept }) => kept.includes(at)),
        ownShare: sides === null ? null : share(({ matrix }) => isOwnNearer(matrix[at]!, sides)),
      };
    }),
    sameShare: share((study) => study.kept.length === kept.length && study.kept.every((at) => kept.includes(at))),
    withGaps: drawn.filter(({ hasGaps }) => hasGaps).length,
  };
}

/**
 * What is drawn again:
 * - *samples*: the samples of each task and length, the same for all models; how sure the scores are
 * - *columns*: models at lengths, each for itself
 * - *models*: models with all their lengths; how much hangs on which models were asked
 */
export type Resampling = "samples" | "columns" | "models";

/** Makes the function that draws data again, once it is sure that there is enough to draw from. */
function resampler(
  samples: readonly SampleScore[],
  { vectors, resample }: { readonly vectors: TaskVectors; readonly resample: Resampling },
): (draw: Draw) => TaskVectors {
  const models = new Set(vectors.columns.map(({ model }) => model)).size;
  if (resample === "models" && models < 3) {
    throw new RangeError(`Cannot resample models as there must be at least 3: current value is ${models}`);
  }
  if (resample !== "samples") return (draw) => resampleColumns(vectors, { draw, whole: resample === "models" });
  const grid = sampleGrid(samples.filter(({ task }) => vectors.tasks.includes(task)), vectors);
  const fewest = Math.min(...grid.cells.map(({ values }) => values[0]!.length));
  if (fewest < 2) {
    throw new RangeError(
      `Cannot resample samples as each task and length must have at least 2: current value is ${fewest}`,
    );
  }
  return (draw) => resampleSamples(grid, draw);
}

/** Samples as they are drawn again: task by task, length by length. */
interface SampleGrid extends Pick<TaskVectors, "tasks" | "columns"> {
  /** The samples of each task at each length, all models' together. */
  readonly cells: readonly SampleCell[];
}

interface SampleCell {
  readonly task: number;
  /** The columns of that length. */
  readonly columns: readonly number[];
  /** A row a column, a value a sample that any model was asked. */
  readonly values: readonly (readonly (number | null)[])[];
}

/** Sorts samples into their cells. */
function sampleGrid(samples: readonly SampleScore[], vectors: TaskVectors): SampleGrid {
  const { tasks, columns } = vectors;
  const ofCell = Map.groupBy(samples, ({ task, length }) => JSON.stringify([task, length]));
  const cells = [...ofCell.values()].map((ofOne): SampleCell => {
    const { task, length } = ofOne[0]!;
    const indexes = [...new Set(ofOne.map(({ index }) => index))];
    const places = columns.flatMap((column, at) => column.length === length ? [at] : []);
    const valueOf = new Map(ofOne.map(({ model, index, value }) => [JSON.stringify([model, index]), value]));
    const values = places.map((at) =>
      indexes.map((index) => valueOf.get(JSON.stringify([columns[at]!.model, index])) ?? null)
    );
    return { task: tasks.indexOf(task), columns: places, values };
  });
  return { tasks, columns, cells };
}

/**
 * Draws the samples of each cell again with replacement, and averages them. All models get the same draws: they were
 * asked the same samples, some of which are harder than others.
 */
function resampleSamples({ tasks, columns, cells }: SampleGrid, draw: Draw): TaskVectors {
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

/** Draws columns again with replacement: each model at each length for itself, or whole models with all their lengths. */
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

/** One study: of the data, or of one replicate. */
interface Study {
  readonly matrix: readonly (readonly number[])[];
  readonly hasGaps: boolean;
  readonly groups: readonly number[];
  readonly categories: readonly CategoryCluster[];
  readonly kept: readonly number[];
}

/** Correlates and clusters task vectors; a pair without a correlation counts as having one of 0. */
function studyOf(
  vectors: TaskVectors,
  options: {
    readonly kinds: readonly string[];
    readonly method: CorrelationMethod;
    readonly keep: number;
  },
): Study {
  const { kinds, method, keep } = options;
  const gapped = correlationMatrix(vectors, { method }).matrix;
  const matrix = gapped.map((row, at) => row.map((value, other) => at === other ? 1 : value ?? 0));
  const distances = correlationDistances(matrix);
  const root = clusterTree(distances);
  return {
    matrix,
    hasGaps: gapped.some((row) => row.includes(null)),
    groups: groupsOf(root, new Set(kinds).size),
    categories: categoryClusters(root, kinds),
    kept: representatives(root, { keep, distances }),
  };
}

/** The vectors of some tasks, in their order. */
function pickTasks({ tasks, columns, values }: TaskVectors, picked: readonly string[]): TaskVectors {
  return { tasks: picked, columns, values: picked.map((task) => values[tasks.indexOf(task)]!) };
}

/** The row that correlates most with a row. */
export function nearestTo(row: number, matrix: Study["matrix"]): number {
  const others = matrix[row]!.map((_, at) => at).filter((at) => at !== row);
  return others.reduce((best, at) => matrix[row]![at]! > matrix[row]![best]! ? at : best);
}

/** Tasks that someone has kept: those of a task's own category, and the others. */
interface Sides {
  readonly own: readonly number[];
  readonly other: readonly number[];
}

/** The kept tasks of a task's own category and of others, itself excepted; `null` where one side is empty. */
function sidesOf(
  row: number,
  { kinds, kept }: { readonly kinds: readonly string[]; readonly kept: readonly number[] },
): Sides | null {
  const { own = [], other = [] } = Object.groupBy(
    kept.filter((at) => at !== row),
    (at) => kinds[at] === kinds[row] ? "own" : "other",
  );
  return own.length === 0 || other.length === 0 ? null : { own, other };
}

/** Whether the most alike of a task's own category is more like it than any other. */
function isOwnNearer(correlations: readonly number[], { own, other }: Sides): boolean {
  const most = (places: readonly number[]): number => Math.max(...places.map((at) => correlations[at]!));
  return most(own) > most(other);
}
