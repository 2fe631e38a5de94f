import { quantileSorted } from "simple-statistics";
import type { ScoreWithInterval } from "./difference_interval.ts";

/** A number found, with the middle 95% of what replicates gave. */
export function percentiles(replicates: readonly number[], found: number): ScoreWithInterval {
  const sorted = replicates.toSorted((left, right) => left - right);
  return { score: found, low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}
