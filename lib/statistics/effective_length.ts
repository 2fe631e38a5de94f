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

/** A model on the leaderboard. */
export interface BoardEntry {
  readonly model: string;
  /** Rows of one task or group, one a length, with 95% intervals. */
  readonly rows: readonly ScoreRow[];
  /** What a length must score: in percent, or a share in (0, 1] of the model's own score at its shortest length. */
  readonly threshold: number | ScoreWithInterval | { readonly share: number };
}

/** A model's effective length, and how sure it is. */
export interface BoardRow {
  readonly model: string;
  /** The score that a length must reach, in percent; `null` if it is a share of a missing score or of 0. */
  readonly threshold: number | null;
  /** The effective length by its scores, as tables print it; why there is none where there is no threshold. */
  readonly found: string;
  /** The chance that it is the right one, in [0, 1]; `null` without a score. */
  readonly chance: number | null;
  /** Whether that chance is at least 95%. */
  readonly isSettled: boolean;
  /** The chance of each effective length; empty without a score. */
  readonly brackets: readonly EffectiveLengthChance[];
  /**
   * The length whose score is closest to the threshold, in standard errors; never the shortest if the threshold is a share of its
   * own score.
   */
  readonly nearest: ScoreRow | null;
  /**
   * The lengths at which prompts were refused as too long for the model, with how many were, and how many were scored: what was
   * refused is no evidence that a length is beyond the model, nor that it is not. Left out where there are none.
   */
  readonly refused?: readonly { readonly length: number; readonly n: number; readonly refused: number }[];
}

/**
 * Lists each model's effective length with its probability, and the score that decides.
 *
 * @throws {RangeError} If a share is outside (0, 1].
 *
 * @example Mixtral's 32K in RULER's Table 3 depends on 85.9 against 85.6
 * ```ts
 * import { deepEqual, ok } from "node:assert/strict";
 * import { openPublished, publishedBoard } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const { rows } = await openPublished();
 * const [row] = publishedBoard(rows.filter(({ table, model }) => table === 3 && model === "Mixtral (8x7B)"));
 * deepEqual([row?.found, row?.isSettled, row?.nearest?.score], ["32K", false, 85.9]);
 * ok(row!.chance! > 0.7 && row!.chance! < 0.8);
 * ```
 */
export function effectiveLengthBoard(entries: readonly BoardEntry[]): readonly BoardRow[] {
  return entries.map((entry) => {
    const { model, rows } = entry;
    const { threshold, brackets, compared } = judge(entry);
    const found = threshold === null ? noThresholdText(rows) : effectiveLength(rows, threshold).text;
    const chance = brackets.find(({ text }) => text === found)?.chance ?? null;
    const [nearest = null] = threshold === null ? [] : compared.filter(({ score }) => score !== null)
      .toSorted((left, right) => errorsFrom(left, threshold) - errorsFrom(right, threshold));
    const refused = rows.filter((row) => (row.refused ?? 0) > 0).map(({ length, n, refused = 0 }) => ({
      length,
      n,
      refused,
    }))
      .toSorted((left, right) => left.length - right.length);
    return {
      ...{ model, threshold, found, chance, isSettled: (chance ?? 0) >= 0.95, brackets, nearest },
      ...(refused.length === 0 ? {} : { refused }),
    };
  });
}

/** Why there is no threshold: nothing can be kept of a missing score, or of 0. */
function noThresholdText(rows: readonly ScoreRow[]): string {
  const [shortest] = rows.toSorted((left, right) => left.length - right.length);
  if (rows.every(({ score }) => score === null)) return "no score";
  return `${lengthText(shortest!.length)} ${shortest!.score === null ? "has no score" : "scores 0"}`;
}

/** The threshold in percent, the chances, and the rows compared with it. */
function judge(
  { rows, threshold }: BoardEntry,
): Pick<BoardRow, "threshold" | "brackets"> & { readonly compared: readonly ScoreRow[] } {
  if (typeof threshold === "object" && "share" in threshold) {
    const { share } = threshold;
    const compared = rows.toSorted((left, right) => left.length - right.length).slice(1);
    return { threshold: ownThreshold(rows, share), brackets: ownChances(rows, share), compared };
  }
  const limit = typeof threshold === "number" ? threshold : threshold.score;
  return { threshold: limit, brackets: effectiveLengthChances(rows, threshold), compared: rows };
}

/**
 * A threshold relative to the model: a share of its score at the shortest length (NoLiMa, Modarressi et al. 2025: 85%).
 */
function ownThreshold(scores: readonly LengthScore[], share: number): number | null {
  if (!(share > 0 && share <= 1)) {
    throw new RangeError(`Cannot set a threshold as share must be in (0, 1]: current value is ${share}`);
  }
  const [shortest] = scores.toSorted((left, right) => left.length - right.length);
  return shortest === undefined || shortest.score === null || shortest.score === 0 ? null : shortest.score * share;
}

/**
 * The chances where the threshold is a share of the model's own score at the shortest length: averaged over that score,
 * as taking it as certain would make them too confident.
 */
function ownChances(rows: readonly ScoreRow[], share: number): readonly EffectiveLengthChance[] {
  const inOrder = rows.toSorted((left, right) => left.length - right.length);
  if (ownThreshold(inOrder, share) === null) return [];
  const [{ score, low, high }, ...others] = inOrder.filter((row) => row.score !== null) as [ScoreRow, ...ScoreRow[]];
  const bases = likelyScores({ score: score!, low: low!, high: high! });
  const passes = bases.map((base) => [1, ...others.map((row) => chanceAtLeast(row, share * base))]);
  return averageChances([inOrder[0]!, ...others], passes);
}

/** The distance of a score from the threshold, in half-widths of its interval. */
function errorsFrom({ score, low, high }: ScoreRow, threshold: number): number {
  const reach = threshold <= score! ? score! - low! : high! - score!;
  return reach === 0 ? (score === threshold ? 0 : Infinity) : Math.abs(score! - threshold) / reach;
}

/** The chance of each bracket, averaged over cases that each hold the chances of single lengths to pass. */
function averageChances(
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
function likelyScores({ score, low, high }: ScoreWithInterval): readonly number[] {
  const reach = normalReach(0.95);
  return Array.from({ length: POINTS }, (_, place) => {
    const errors = normalPoint((place + 0.5) / POINTS) / reach;
    return score + errors * (errors < 0 ? score - low : high - score);
  });
}
