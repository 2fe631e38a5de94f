import { type Interval, need, risingRoot, widestInterval } from "./intervals.ts";
import { normalPoint } from "./normal_intervals.ts";
import { sum } from "@/lib/base/mod.ts";

/** The expected scores of two models, and the power and level wanted. */
export interface SamplePlanOptions {
  /** The expected score of the better model in percent, in (0, 100]: one number, or one for each task. */
  readonly score: number | readonly number[];
  /** The number of tasks averaged, if `score` is one number; 1 by default. */
  readonly tasks?: number;
  /** Whether both models are asked the same samples; true by default. */
  readonly paired?: boolean;
  /** The correlation of the two models' scores on the same sample, in [0, 1); at 0 pairing gains nothing; 0 by default. */
  readonly correlation?: number;
  /** The number of samples of a task that share a question or a text, from 1; 1 by default. */
  readonly clusterSize?: number;
  /** The intraclass correlation of samples that share a question or a text, in [0, 1]: at 1 they count as one sample; 1 by default. */
  readonly icc?: number;
  /** The power: the chance of detecting a difference that exists, in (0.5, 1); 0.8 by default. */
  readonly power?: number;
  /** The confidence level, 1 minus the chance of a false positive, in (0.5, 1); 0.95 by default. */
  readonly level?: number;
  /** The number of comparisons, from 1, for Bonferroni's correction; 1 by default. */
  readonly comparisons?: number;
}

/**
 * Returns the number of samples needed to detect a difference between two models.
 *
 * With `d` the difference, `s²` the variance of the difference of two scores if it exists and `s0²` if it does not, all tasks
 * together need `(z(level) s0 + z(power) s)² / d²` samples. Independent samples: `s²` is the sum of both variances and
 * `s0² = s² + d² / 2` (Fleiss, Levin and Paik 2003, "Statistical methods for rates and proportions", section 4.2). The same
 * samples: `s²` is less by twice the covariance and `s0² = s² + d²` (Connor 1987, "Sample size for testing differences in
 * proportions for the paired-sample design"). Samples that share a question or a text increase it by the factor `1 + (clusterSize - 1) icc`
 * (Kish 1965, "Survey sampling", section 5.4). Scores are taken as yes/no: they vary most, and come in steps, which adds `2 / d` and
 * `1 / d`. In simulations `comparePairs` shows the difference over all samples in 76 to 90% of runs for a power of 80%, and more often
 * for graded scores.
 *
 * @param difference In points; at most the lowest score.
 * @returns Samples of each task for each model, and calls to each model: samples times tasks.
 * @throws {RangeError} If a number is outside its range.
 */
export function planSamples(
  difference: number,
  options: SamplePlanOptions,
): { readonly samples: number; readonly calls: number } {
  checkPlan(difference, options);
  const samples = Math.max(1, Math.ceil(neededSamples(difference, options)));
  return { samples, calls: samples * scoresOf(options).length };
}

/** Returns the number of samples of each task before rounding up. */
function neededSamples(difference: number, options: SamplePlanOptions): number {
  const { paired = true, correlation = 0, power = 0.8, level = 0.95, comparisons = 1 } = options;
  const scores = scoresOf(options);
  const d = difference / 100;
  const variances = scores.map((score) => {
    const [better, worse] = [score / 100, score / 100 - d].map((mean) => mean * (1 - mean)) as [number, number];
    if (!paired) return better + worse;
    const variance = better + worse - 2 * correlation * Math.sqrt(better * worse);
    // Yes/no scores that differ by d on average differ in a share of at least d of the samples.
    return Math.max(variance, d - d * d);
  });
  const square = sum(variances) / scores.length;
  const without = Math.sqrt(square + (paired ? d * d : d * d / 2));
  const reach = normalPoint(1 - (1 - level) / 2 / comparisons);
  const all = ((reach * without + normalPoint(power) * Math.sqrt(square)) / d) ** 2;
  return (all + (paired ? 1 : 2) / d) * designEffect(options) / scores.length;
}

function designEffect({ clusterSize = 1, icc = 1 }: Pick<SamplePlanOptions, "clusterSize" | "icc">): number {
  return 1 + (clusterSize - 1) * icc;
}

function scoresOf({ score, tasks = 1 }: SamplePlanOptions): readonly number[] {
  return typeof score === "number" ? Array.from({ length: Math.max(1, tasks) }, () => score) : score;
}

function checkPlan(difference: number, options: SamplePlanOptions): void {
  const { tasks = 1, correlation = 0, power = 0.8, level = 0.95, comparisons = 1 } = options;
  const { clusterSize = 1, icc = 1 } = options;
  const scores = scoresOf(options);
  const lowest = Math.min(...scores);
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;
  const isPercent = scores.length > 0 && scores.every((score) => score > 0 && score <= 100);
  const isSmall = difference > 0 && difference <= lowest;
  const checks: readonly (readonly [name: string, holds: boolean, wanted: string, value: unknown])[] = [
    ["score", isPercent, "in (0, 100], one number or one a task", options.score],
    ["difference", isSmall, `above 0 and at most the lowest score, ${lowest}`, difference],
    ["tasks", isCount(tasks), "a whole number from 1", tasks],
    ["correlation", correlation >= 0 && correlation < 1, "in [0, 1)", correlation],
    ["power", power > 0.5 && power < 1, "in (0.5, 1)", power],
    ["level", level > 0.5 && level < 1, "in (0.5, 1)", level],
    ["comparisons", isCount(comparisons), "a whole number from 1", comparisons],
    ["clusterSize", clusterSize >= 1, "at least 1", clusterSize],
    ["icc", icc >= 0 && icc <= 1, "in [0, 1]", icc],
  ];
  for (const [name, holds, wanted, value] of checks) need(holds, "plan samples", `${name} must be ${wanted}`, value);
}

/**
 * Returns the minimum detectable difference in points for a number of samples: the inverse of {@linkcode planSamples}.
 *
 * @param samples Samples of each task for each model, from 1.
 * @returns `null` if even a model that scores 0 could not be distinguished.
 * @throws {RangeError} If a number is outside its range.
 */
export function minimumDetectableDifference(samples: number, options: SamplePlanOptions): number | null {
  const lowest = Math.min(...scoresOf(options));
  checkPlan(lowest, options);
  need(samples >= 1, "plan samples", "samples must be at least 1", samples);
  if (neededSamples(lowest, options) > samples) return null;
  return risingRoot((points) => samples - neededSamples(points, options), { low: 1e-3, high: lowest, within: 1e-6 });
}

/**
 * Returns the expected interval of the mean of some tasks that all have the same score and number of yes/no samples.
 *
 * @param samples Samples of each task, from 1.
 * @returns Both ends, in percent.
 * @throws {RangeError} If a number is outside its range.
 */
export function expectedInterval(
  samples: number,
  { score, tasks = 1, level = 0.95, ...clusters }:
    & { readonly score: number; readonly tasks?: number; readonly level?: number }
    & Pick<SamplePlanOptions, "clusterSize" | "icc">,
): Interval {
  return widestInterval(score, samples * tasks / designEffect(clusters), level);
}
