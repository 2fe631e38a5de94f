import { stream } from "@/lib/random/mod.ts";
import { adjustedRand } from "./adjusted_rand.ts";
import type { CategoryCluster } from "./category_clusters.ts";
import type { Linkage } from "./clustering.ts";
import { correlatedTasks } from "./correlated_tasks.ts";
import { correlationMatrix, type CorrelationMethod } from "./correlation.ts";
import type { ScoreWithInterval } from "../intervals/difference_interval.ts";
import { categoryOf } from "./_partition.ts";
import { percentiles } from "../intervals/_percentiles.ts";
import { resampler, type Resampling } from "./_resample.ts";
import { meanScores, type SampleScore } from "./sample_scores.ts";
import { isOwnNearer, nearestTo, pickTasks, sidesOf, type Study, studyOf } from "./_stability_study.ts";
import { taskVectors } from "./task_vectors.ts";

/** Options for {@linkcode clusterStability}. */
export interface StabilityOptions {
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
   * How clusters are compared.
   *
   * @default {"average"}
   */
  readonly linkage?: Linkage;
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
 *
 * @param samples The score of every sample, of any models, tasks and lengths.
 * @param options Categories, number of tasks to keep, seed, what to draw again and how often.
 * @returns What was found, and how it varies. Tasks without a correlation are left out, as by {@linkcode correlatedTasks}.
 * @throws {RangeError} If there is too little to draw from: no score, one sample a cell where samples are drawn, fewer
 * than three models where models are.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const samples = ["a1", "a2", "b"].flatMap((task) =>
 *   [1, 2, 3, 4].flatMap((length) =>
 *     [0, 1].map((index) => ({ model: "m", task, length, index, value: task === "b" ? length % 2 : length / 4 }))
 *   )
 * );
 * const categories = { a1: "A", a2: "A", b: "B" };
 * const { withCategories } = clusterStability(samples, { categories, keep: 2, seed: "1", replicates: 20 });
 * equal(withCategories.score, 1);
 * ```
 */
export function clusterStability(samples: readonly SampleScore[], options: StabilityOptions): ClusterStability {
  const { resample = "samples", replicates = 500, seed, linkage = "average", method = "pearson" } = options;
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
  const settings = { kinds, linkage, method, keep: options.keep };
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
