import { checkPlan, neededSamples, scoresOf } from "./_needed_samples.ts";

/** What two models are expected to be like, and how sure one wants to be. */
export interface SamplePlanOptions {
  /** The expected score of the better model in percent, in (0, 100]: one number, or one a task. */
  readonly score: number | readonly number[];
  /**
   * How many tasks are averaged, all of the same score; left out where `score` has one a task.
   *
   * @default {1}
   */
  readonly tasks?: number;
  /**
   * Whether both models are asked the same samples.
   *
   * @default {true}
   */
  readonly paired?: boolean;
  /**
   * The correlation of the two models' scores on the same sample of a task, in [0, 1). The default expects no help from
   * the pairing.
   *
   * @default {0}
   */
  readonly correlation?: number;
  /** The standard deviation of single scores of a task, in points; that of yes/no scores, the widest, unless given. */
  readonly deviation?: number;
  /**
   * How often the difference is to be found where it is there, in (0.5, 1).
   *
   * @default {0.8}
   */
  readonly power?: number;
  /**
   * How often none is to be found where there is none, in (0.5, 1).
   *
   * @default {0.95}
   */
  readonly level?: number;
  /**
   * Comparisons that are shown together, from 1; the chance of error is shared among them (Bonferroni).
   *
   * @default {1}
   */
  readonly comparisons?: number;
}

/** How many samples it takes. */
export interface SamplePlan {
  /** Samples of each task for each model. */
  readonly samples: number;
  /** Calls to each model: samples times tasks. */
  readonly calls: number;
}

/**
 * Tells how many samples it takes to tell two models apart.
 *
 * With `d` the difference, `s²` the variance of the difference of two scores where it is there and `s0²` where it is not,
 * it takes `(z(level) s0 + z(power) s)² / d²` samples in all tasks together. For samples of each model's own `s²` is the
 * sum of the two variances and `s0² = s² + d² / 2` (Fleiss, Levin and Paik 2003, "Statistical methods for rates and
 * proportions", section 4.2); for the same samples it is less by twice the covariance and `s0² = s² + d²` (Connor 1987,
 * "Sample size for testing differences in proportions for the paired-sample design"). Yes/no scores come in steps, for
 * which `2 / d` and `1 / d` are added (the same). A mean over tasks adds up the tasks' variances. The power was simulated
 * for the tests of {@linkcode pairedComparison} and `unpairedComparison`: within 5 points of what is asked for.
 *
 * @param difference The difference to be found, in points; at most the least score.
 * @param options What the models are like.
 * @returns Samples of each task, and calls to each model.
 * @throws {RangeError} If a number is outside its range.
 *
 * @example Five points at 85.6: one task takes 13 times as many samples a task as the mean of 13
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(planSamples(5, { score: 85.6 }), { samples: 904, calls: 904 });
 * deepEqual(planSamples(5, { score: 85.6, tasks: 13 }), { samples: 70, calls: 910 });
 * ```
 */
export function planSamples(difference: number, options: SamplePlanOptions): SamplePlan {
  checkPlan(difference, options);
  const samples = Math.max(1, Math.ceil(neededSamples(difference, options)));
  return { samples, calls: samples * scoresOf(options).length };
}
