import { normalBelow, normalPoint, normalReach, type ScoreWithInterval } from "./intervals.ts";
import type { ScoreRow } from "./summarise.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** A score at a length. */
export interface LengthScore {
  /** Context length in tokens. */
  readonly length: number;
  /** The score in percent; `null` where there is none. */
  readonly score: number | null;
}

/**
 * When a length counts as effective:
 *
 * - *published*: the score is at least the threshold, whatever the shorter lengths score. It reproduces all 205
 *   effective lengths printed in the two editions of the RULER paper.
 * - *strict*: the score is above the threshold, as the paper's words ("exceeding") have it.
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
   * As tables print it: `32K`; `<4K` if even the shortest length falls short; `>128K` where the longest passes, since
   * nothing longer was tried (the paper's third edition writes `128K` there for models that claim no more); `no score`
   * where no length has one.
   */
  readonly text: string;
}

/** The threshold of RULER's Table 3: Llama2-7B (chat) at 4K, in percent. */
export const RULER_THRESHOLD = 85.6;

/**
 * Finds the effective length: the longest at which the score reaches a threshold (RULER, section 4).
 *
 * @param scores Scores at lengths, in any order. Lengths without a score are skipped.
 * @param threshold In percent.
 * @param options Which rule decides.
 * @returns The length and how tables print it.
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

/** How tables print the length at a place in the list of tried lengths; place -1 stands for none of them. */
export function effectiveLengthText(lengths: readonly number[], place: number): string {
  if (lengths.length === 0) return "no score";
  if (place < 0) return `<${lengthText(lengths[0]!)}`;
  return place === lengths.length - 1 ? `>${lengthText(lengths[place]!)}` : lengthText(lengths[place]!);
}

/**
 * Returns a threshold relative to the model: a share of its score at the shortest length (NoLiMa, Modarressi et al.
 * 2025, takes 85%).
 */
export function ownThreshold(scores: readonly LengthScore[], share: number): number | null {
  if (!(share > 0 && share <= 1)) {
    throw new RangeError(`Cannot set a threshold as share must be in (0, 1]: current value is ${share}`);
  }
  const [shortest] = scores.toSorted((left, right) => left.length - right.length);
  return shortest === undefined || shortest.score === null || shortest.score === 0 ? null : shortest.score * share;
}

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
 * The probability of each effective length, given the uncertainty of the scores: 85.4 and 85.9 fall on different sides
 * of a threshold of 85.6 although they are nearly the same number.
 *
 * The true score at each length is modelled as normal on each side of the measured one, with the spread of its interval
 * on that side, independently of the other lengths. A threshold given as a plain number is certain. A measured one,
 * such as another model's score, comes with its interval, and the chances are averaged over it.
 *
 * @param rows Rows of one task or group, a length each, with intervals. Rows without a score are skipped.
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
 * The probability that the true score of a row reaches a threshold.
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
      `Cannot give a chance as the row must have a score and an interval: current value is ${score}`,
    );
  }
  const reach = threshold <= score ? score - low : high - score;
  if (reach === 0) return score >= threshold ? 1 : 0;
  return normalBelow(((score - threshold) / reach) * normalReach(level));
}

/**
 * Returns the chance of each bracket from the chances that single lengths pass, averaged over the other uncertainties.
 */
export function averageChances(
  rows: readonly { readonly length: number }[],
  options: { readonly rule: EffectiveLengthRule; readonly passes: readonly (readonly number[])[] },
): readonly EffectiveLengthChance[] {
  const { rule, passes } = options;
  if (rows.length === 0) return [];
  const lengths = rows.map(({ length }) => length);
  const cases = passes.map((chances) => bracketChances(chances, rule));
  return [-1, ...lengths.keys()].map((place) => ({
    length: lengths[place] ?? null,
    text: effectiveLengthText(lengths, place),
    chance: cases.reduce((sum, chances) => sum + chances[place + 1]!, 0) / cases.length,
  }));
}

/** The chance of each bracket, "below the shortest" first, where lengths pass independently of each other. */
function bracketChances(passes: readonly number[], rule: EffectiveLengthRule): readonly number[] {
  const misses = passes.map((pass) => 1 - pass);
  return [-1, ...passes.keys()].map((place) => {
    const factors = rule === "contiguous"
      ? [...passes.slice(0, place + 1), ...misses.slice(place + 1, place + 2)]
      : [...passes.slice(Math.max(place, 0), place + 1), ...misses.slice(place + 1)];
    return factors.reduce((product, factor) => product * factor, 1);
  });
}

/** How many values represent an uncertain score. */
const POINTS = 64;

/**
 * Returns equally likely values of a true score: the middles of as many equal shares of a distribution that is normal
 * on either side of the measured score, with the spread that its interval has on that side.
 */
export function likelyScores({ score, low, high }: ScoreWithInterval, level: number): readonly number[] {
  const reach = normalReach(level);
  return Array.from({ length: POINTS }, (_, place) => {
    const errors = normalPoint((place + 0.5) / POINTS) / reach;
    return score + errors * (errors < 0 ? score - low : high - score);
  });
}
