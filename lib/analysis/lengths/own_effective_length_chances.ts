import { averageChances } from "./_average_chances.ts";
import { likelyScores } from "./_likely_scores.ts";
import { ownThreshold } from "./effective_length.ts";
import {
  chanceAtLeast,
  type EffectiveLengthChance,
  type EffectiveLengthChancesOptions,
} from "./effective_length_chances.ts";
import type { ScoreRow } from "../row.ts";

/**
 * Tells how sure an effective length is that is measured against the model's own score at the shortest length.
 *
 * The score at the shortest length is itself only known to within its interval, and the threshold with it: were it a
 * little higher, every other length would find it harder to pass. The chances are averaged over what it may be; taken as
 * certain, as `effectiveLengthChances` does with a plain number, they come out too sure.
 *
 * @param rows Rows of one task or group, a length each, with intervals. Rows without a score are passed over, but for the
 * shortest.
 * @param share What share of the shortest length's score a length must reach, in (0, 1]; NoLiMa takes 0.85.
 * @param options The rule, and the level of the intervals.
 * @returns A chance for each bracket; the shortest length always passes. Empty where the shortest length has no
 * score, or 0.
 * @throws {RangeError} If the share is outside (0, 1].
 *
 * @example The threshold of 85% is 72.25, give or take 2.6 points
 * ```ts
 * import { ok } from "node:assert/strict";
 *
 * const row = { task: "all 13 tasks", n: 325, failed: 0, noAnswer: 0 };
 * const chances = ownEffectiveLengthChances([
 *   { ...row, length: 4096, score: 85, low: 82, high: 88 },
 *   { ...row, length: 8192, score: 74, low: 72, high: 76 },
 * ], 0.85);
 * ok(chances[2]!.chance > 0.8 && chances[2]!.chance < 0.9);
 * ```
 */
export function ownEffectiveLengthChances(
  rows: readonly ScoreRow[],
  share: number,
  options: EffectiveLengthChancesOptions = {},
): readonly EffectiveLengthChance[] {
  const { rule = "published", level = 0.95 } = options;
  const inOrder = rows.toSorted((left, right) => left.length - right.length);
  if (ownThreshold(inOrder, share) === null) return [];
  const [{ score, low, high }, ...others] = inOrder.filter((row) => row.score !== null) as [ScoreRow, ...ScoreRow[]];
  const bases = likelyScores({ score: score!, low: low!, high: high! }, level);
  return averageChances([inOrder[0]!, ...others], {
    rule,
    passes: bases.map((base) => [1, ...others.map((row) => chanceAtLeast(row, share * base, level))]),
  });
}
