import { averageChances } from "./_average_chances.ts";
import { likelyScores } from "./_likely_scores.ts";
import { normalBelow, normalReach } from "../intervals/_normal.ts";
import type { ScoreWithInterval } from "../intervals/difference_interval.ts";
import type { EffectiveLengthRule } from "./effective_length.ts";
import type { ScoreRow } from "../row.ts";

/** How likely it is that the effective length is this one. */
export interface EffectiveLengthChance {
  /** In tokens; `null` for "below the shortest". */
  readonly length: number | null;
  /** As {@linkcode effectiveLength} writes it. */
  readonly text: string;
  /** In [0, 1]; the chances of all brackets add up to 1. */
  readonly chance: number;
}

/** Options for {@linkcode effectiveLengthChances}. */
export interface EffectiveLengthChancesOptions {
  /**
   * When a length counts as effective. `strict` differs from `published` only where score and threshold are equal,
   * which has no chance of its own.
   *
   * @default {"published"}
   */
  readonly rule?: EffectiveLengthRule;
  /**
   * The level of the rows' intervals, in (0, 1).
   *
   * @default {0.95}
   */
  readonly level?: number;
}

/**
 * Tells how sure an effective length is, given how sure the scores are: 85.4 and 85.9 against a threshold of 85.6 are
 * two brackets to the rule and nearly the same number to this.
 *
 * The true score at each length is taken as normal on either side of the measured one, with the spread that its
 * interval has on that side, and independent of the other lengths; the chances of the brackets follow by
 * multiplication. A threshold that is a plain number is taken as certain, as a benchmark sets it. One that was measured,
 * such as the score of another model, is given with its interval; the chances are then averaged over what it may be.
 *
 * @param rows Rows of one task or group, a length each, with intervals. Rows without a score are passed over.
 * @param threshold In percent: a number, or a score with its interval.
 * @param options The rule, and the level of the intervals.
 * @returns A chance for each bracket, from "below the shortest length" to "beyond the longest"; empty where no row has
 * a score.
 *
 * @example A score right at the threshold is as likely to pass as not
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const row = { task: "all 13 tasks", n: 325, failed: 0, noAnswer: 0, score: 85.6, low: 82, high: 89 };
 * deepEqual(effectiveLengthChances([{ ...row, length: 4096 }], 85.6), [
 *   { length: null, text: "<4K", chance: 0.5 },
 *   { length: 4096, text: ">4K", chance: 0.5 },
 * ]);
 * ```
 */
export function effectiveLengthChances(
  rows: readonly ScoreRow[],
  threshold: number | ScoreWithInterval,
  options: EffectiveLengthChancesOptions = {},
): readonly EffectiveLengthChance[] {
  const { rule = "published", level = 0.95 } = options;
  const thresholds = typeof threshold === "number" ? [threshold] : likelyScores(threshold, level);
  const scored = rows.filter((row) => row.score !== null).toSorted((left, right) => left.length - right.length);
  return averageChances(scored, {
    rule,
    passes: thresholds.map((limit) => scored.map((row) => chanceAtLeast(row, limit, level))),
  });
}

/**
 * Tells how likely the true score of a row is to reach a threshold.
 *
 * @param row A row with a score and an interval.
 * @param threshold In percent.
 * @param level The level of the row's interval, in (0, 1).
 * @returns A chance in [0, 1]: a half where the score is the threshold, 0.975 where the threshold is the low end of a
 * 95% interval.
 * @throws {RangeError} If the row has no score or no interval.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const row = { task: "vt", length: 4096, n: 50, failed: 0, noAnswer: 0, score: 90, low: 85, high: 94 };
 * equal(chanceAtLeast(row, 85).toFixed(3), "0.975");
 * ```
 */
export function chanceAtLeast(row: ScoreRow, threshold: number, level: number = 0.95): number {
  const { score, low, high } = row;
  if (score === null || low === null || high === null) {
    throw new RangeError(
      `Cannot tell a chance as the row must have a score and an interval: current value is ${score}`,
    );
  }
  const reach = threshold <= score ? score - low : high - score;
  if (reach === 0) return score >= threshold ? 1 : 0;
  return normalBelow(((score - threshold) / reach) * normalReach(level));
}
