import { normalBelow, normalPoint, normalReach, type ScoreWithInterval } from "./intervals.ts";
import type { ScoreRow } from "./summarise.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** A score in percent at a context length in tokens; `null` where there is none. */
export interface LengthScore {
  /** In tokens. */
  readonly length: number;
  /** In percent. */
  readonly score: number | null;
}

/**
 * When a length counts as effective:
 *
 * - *published*: the score is at least the threshold, whatever the shorter lengths score. It reproduces all 205
 *   effective lengths printed in the two editions of the RULER paper.
 * - *strict*: the score is above the threshold, as the paper's word "exceeding" says.
 * - *contiguous*: the scores of this and of every shorter length are at least the threshold.
 */
export type EffectiveLengthRule = "published" | "strict" | "contiguous";

/** Options for {@linkcode effectiveLength}. */
export interface EffectiveLengthOptions {
  /**
   * When a length counts as effective.
   *
   * @default {"published"}
   */
  readonly rule?: EffectiveLengthRule;
}

/** The longest context in which a model still reaches the threshold. */
export interface EffectiveLength {
  /** In tokens; `null` where no length is effective, or none has a score. */
  readonly length: number | null;
  /**
   * As tables print it: `32K`; `<4K` if even the shortest length fails; `>128K` if the longest passes, as nothing longer was
   * tried (the paper's third edition prints `128K` for models that claim no more); `no score` if no length has one.
   */
  readonly text: string;
}

/** The threshold of RULER's Table 3, in percent: Llama2-7B (chat) at 4K. */
export const RULER_THRESHOLD = 85.6;

/**
 * Finds the effective length: the longest at which the score reaches a threshold (RULER, section 4).
 *
 * @param scores In any order; lengths without a score are skipped.
 * @param threshold In percent.
 *
 * @example Mixtral in RULER's Table 3
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const scores = [[4096, 94.9], [8192, 92.1], [16384, 92.5], [32768, 85.9], [65536, 72.4], [131072, 44.5]]
 *   .map(([length, score]) => ({ length: length!, score: score! }));
 * equal(effectiveLength(scores, 85.6).text, "32K");
 * ```
 */
export function effectiveLength(
  scores: readonly LengthScore[],
  threshold: number,
  options: EffectiveLengthOptions = {},
): EffectiveLength {
  const { rule = "published" } = options;
  const scored = scores.filter((row): row is { length: number; score: number } => row.score !== null)
    .toSorted((left, right) => left.length - right.length);
  const passes = scored.map(({ score }) => rule === "strict" ? score > threshold : score >= threshold);
  const firstMiss = passes.indexOf(false);
  const last = rule === "contiguous" && firstMiss >= 0 ? firstMiss - 1 : passes.lastIndexOf(true);
  return { length: scored[last]?.length ?? null, text: effectiveLengthText(scored.map(({ length }) => length), last) };
}

/** How tables print the effective length, given by its place among the lengths tried; -1 for none of them. */
export function effectiveLengthText(lengths: readonly number[], place: number): string {
  if (lengths.length === 0) return "no score";
  if (place < 0) return `<${lengthText(lengths[0]!)}`;
  return place === lengths.length - 1 ? `>${lengthText(lengths[place]!)}` : lengthText(lengths[place]!);
}

/**
 * A threshold relative to the model: a share of its score at the shortest length (NoLiMa, Modarressi et al. 2025: 85%).
 */
export function ownThreshold(scores: readonly LengthScore[], share: number): number | null {
  if (!(share > 0 && share <= 1)) {
    throw new RangeError(`Cannot set a threshold as share must be in (0, 1]: current value is ${share}`);
  }
  const [shortest] = scores.toSorted((left, right) => left.length - right.length);
  return shortest === undefined || shortest.score === null || shortest.score === 0 ? null : shortest.score * share;
}

/** How likely an effective length is. */
export interface EffectiveLengthChance {
  /** In tokens; `null` for "below the shortest". */
  readonly length: number | null;
  /** As {@linkcode effectiveLength} writes it. */
  readonly text: string;
  /** In [0, 1]; all brackets add up to 1. */
  readonly chance: number;
}

/**
 * The probability of each effective length, given the uncertainty of the scores: 85.4 and 85.9 are on different sides of a
 * threshold of 85.6 but nearly the same number.
 *
 * The true score at each length is modelled as normal on each side of the measured one, with the spread of its interval on that
 * side, independently of other lengths. A plain number is a certain threshold; for a measured one, such as another model's
 * score, the chances are averaged over its interval.
 *
 * @param rows Rows of one task or group, one a length, with 95% intervals; those without a score are skipped.
 * @param threshold In percent.
 * @returns A chance for each bracket, from "below the shortest length" to "beyond the longest"; empty if no row has a score.
 *
 * @example A score at the threshold is as likely to pass as not
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
): readonly EffectiveLengthChance[] {
  const thresholds = typeof threshold === "number" ? [threshold] : likelyScores(threshold);
  const scored = rows.filter((row) => row.score !== null).toSorted((left, right) => left.length - right.length);
  return averageChances(scored, thresholds.map((limit) => scored.map((row) => chanceAtLeast(row, limit))));
}

/**
 * The probability that the true score of a row reaches a threshold in percent: a half if the score is the threshold, 0.975 if
 * the threshold is the low end of its 95% interval.
 *
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
export function chanceAtLeast(row: ScoreRow, threshold: number): number {
  const { score, low, high } = row;
  if (score === null || low === null || high === null) {
    throw new RangeError(
      `Cannot give a chance as the row must have a score and an interval: current value is ${score}`,
    );
  }
  const reach = threshold <= score ? score - low : high - score;
  if (reach === 0) return score >= threshold ? 1 : 0;
  return normalBelow(((score - threshold) / reach) * normalReach(0.95));
}

/** The chance of each bracket, averaged over cases that each hold the chances of single lengths to pass. */
export function averageChances(
  rows: readonly { readonly length: number }[],
  passes: readonly (readonly number[])[],
): readonly EffectiveLengthChance[] {
  if (rows.length === 0) return [];
  const lengths = rows.map(({ length }) => length);
  const cases = passes.map(bracketChances);
  return [-1, ...lengths.keys()].map((place) => ({
    length: lengths[place] ?? null,
    text: effectiveLengthText(lengths, place),
    chance: cases.reduce((sum, chances) => sum + chances[place + 1]!, 0) / cases.length,
  }));
}

/** The chance of each bracket, "below the shortest" first, if lengths pass independently of each other. */
function bracketChances(passes: readonly number[]): readonly number[] {
  const misses = passes.map((pass) => 1 - pass);
  return [-1, ...passes.keys()].map((place) => {
    const factors = [...passes.slice(Math.max(place, 0), place + 1), ...misses.slice(place + 1)];
    return factors.reduce((product, factor) => product * factor, 1);
  });
}

// How many values stand for an uncertain score.
const POINTS = 64;

/**
 * Equally likely values of a true score: quantiles of a distribution that is normal on each side of the measured score, with
 * the spread of its 95% interval on that side.
 */
export function likelyScores({ score, low, high }: ScoreWithInterval): readonly number[] {
  const reach = normalReach(0.95);
  return Array.from({ length: POINTS }, (_, place) => {
    const errors = normalPoint((place + 0.5) / POINTS) / reach;
    return score + errors * (errors < 0 ? score - low : high - score);
  });
}
