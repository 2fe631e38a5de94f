import { normalPoint } from "../intervals/_normal.ts";
import type { SamplePlanOptions } from "./plan_samples.ts";

/** Samples of each task, as a number that need not be whole. */
export function neededSamples(difference: number, options: SamplePlanOptions): number {
  const { paired = true, correlation = 0, deviation, power = 0.8, level = 0.95, comparisons = 1 } = options;
  const scores = scoresOf(options);
  const d = difference / 100;
  const variances = scores.map((score) => {
    const [better, worse] = [score / 100, score / 100 - d].map((mean) =>
      deviation === undefined ? mean * (1 - mean) : (deviation / 100) ** 2
    ) as [number, number];
    if (!paired) return better + worse;
    const variance = better + worse - 2 * correlation * Math.sqrt(better * worse);
    // Yes/no scores that differ by d on average differ in a share of at least d of the samples.
    return deviation === undefined ? Math.max(variance, d - d * d) : variance;
  });
  const square = variances.reduce((sum, variance) => sum + variance, 0) / scores.length;
  const without = Math.sqrt(square + (paired ? d * d : d * d / 2));
  const reach = normalPoint(1 - (1 - level) / 2 / comparisons);
  const all = ((reach * without + normalPoint(power) * Math.sqrt(square)) / d) ** 2;
  const steps = deviation === undefined ? (paired ? 1 : 2) / d : 0;
  return (all + steps) / scores.length;
}

/** The expected score of each task, in percent. */
export function scoresOf({ score, tasks = 1 }: SamplePlanOptions): readonly number[] {
  return typeof score === "number" ? Array.from({ length: Math.max(1, tasks) }, () => score) : score;
}

/** Refuses what cannot be planned with. */
export function checkPlan(difference: number, options: SamplePlanOptions): void {
  const { tasks = 1, correlation = 0, deviation = 50, power = 0.8, level = 0.95, comparisons = 1 } = options;
  const scores = scoresOf(options);
  const least = Math.min(...scores);
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;
  const isPercent = scores.length > 0 && scores.every((score) => score > 0 && score <= 100);
  const checks: readonly (readonly [name: string, holds: boolean, wanted: string, value: unknown])[] = [
    ["score", isPercent, "in (0, 100], one number or one a task", options.score],
    ["difference", difference > 0 && difference <= least, `above 0 and at most the least score, ${least}`, difference],
    ["tasks", isCount(tasks), "a whole number from 1", tasks],
    ["correlation", correlation >= 0 && correlation < 1, "in [0, 1)", correlation],
    ["deviation", deviation > 0 && deviation <= 50, "in (0, 50]", deviation],
    ["power", power > 0.5 && power < 1, "in (0.5, 1)", power],
    ["level", level > 0.5 && level < 1, "in (0.5, 1)", level],
    ["comparisons", isCount(comparisons), "a whole number from 1", comparisons],
  ];
  for (const [name, holds, wanted, value] of checks) {
    if (!holds) throw new RangeError(`Cannot plan samples as ${name} must be ${wanted}: current value is ${value}`);
  }
}
