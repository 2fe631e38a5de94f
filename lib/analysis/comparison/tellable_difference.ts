import { checkPlan, neededSamples, scoresOf } from "./_needed_samples.ts";
import type { SamplePlanOptions } from "./plan_samples.ts";
import { risingRoot } from "../intervals/_rising_root.ts";

/**
 * Tells the smallest difference that so many samples tell apart: `planSamples` the other way round.
 *
 * @param samples Samples of each task for each model, from 1.
 * @param options What the models are like.
 * @returns The difference in points; `null` where even a model that scores 0 could not be told apart.
 * @throws {RangeError} If a number is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(tellableDifference(500, { score: 85.6, tasks: 13 })?.toFixed(1), "1.8");
 * ```
 */
export function tellableDifference(samples: number, options: SamplePlanOptions): number | null {
  const most = Math.min(...scoresOf(options));
  checkPlan(most, options);
  if (!(samples >= 1)) {
    throw new RangeError(`Cannot plan samples as samples must be at least 1: current value is ${samples}`);
  }
  if (neededSamples(most, options) > samples) return null;
  return risingRoot((points) => samples - neededSamples(points, options), { low: 1e-3, high: most, within: 1e-6 });
}
