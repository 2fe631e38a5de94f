import type { Interval, IntervalOptions } from "./interval.ts";
import { normalReach } from "./_normal.ts";

/**
 * Gives the textbook interval of a share of successes: the share plus or minus some standard errors (Wald's), so that
 * others can be seen beside it. It shrinks to a point at 0 and 1 and misses the truth near them; nothing else in this
 * room uses it.
 *
 * @param successes How many trials succeeded, in [0, `trials`].
 * @param trials How many trials there were, above 0.
 * @param options The level.
 * @returns The interval; its ends can be outside [0, 1].
 *
 * @example Ten of ten, and no doubt left
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(normalInterval(10, 10), { low: 1, high: 1 });
 * ```
 */
export function normalInterval(successes: number, trials: number, options: IntervalOptions = {}): Interval {
  const share = successes / trials;
  const reach = normalReach(options.level ?? 0.95) * Math.sqrt(share * (1 - share) / trials);
  return { low: share - reach, high: share + reach };
}
