import { atLevel, differenceInterval, need, pAtMost, risingRoot, type ScoreWithInterval } from "./intervals.ts";
import type { ScoreRow } from "./summarise.ts";
import { lengthText } from "@/lib/base/mod.ts";

/**
 * The rule by which a length is effective:
 *
 * - *published*: the score is at least the threshold, whatever the scores of shorter lengths. It reproduces all 205
 *   effective lengths printed in the two editions of the RULER paper.
 * - *strict*: the score is above the threshold, as the paper's word "exceeding" implies.
 * - *contiguous*: the scores of this and of every shorter length are at least the threshold.
 */
export type EffectiveLengthRule = "published" | "strict" | "contiguous";

/** A score that makes a length effective, with its origin for captions. */
export interface ScoreThreshold {
  /** In percent. */
  readonly score: number;
  /** Whose score it is, as in "Llama2-7B's at 4K in the RULER paper". */
  readonly source: string;
}

/** The threshold of RULER's Table 3, in percent: Llama2-7B (chat) at 4K. */
export const RULER_THRESHOLD = 85.6;

/**
 * Finds the effective length: the longest at which the score reaches a threshold (RULER, section 4).
 *
 * @param scores In any order; lengths without a score are skipped.
 * @param threshold In percent.
 * @returns The length in tokens, or `null` if no length is effective or has a score; and its text as in tables: `32K`; `<4K` if
 *   even the shortest length fails; `>128K` if the longest passes, as nothing longer was tried (the paper's third edition prints
 *   `128K` for models that claim no more); `no score` if no length has one.
 */
export function effectiveLength(
  scores: readonly Pick<ScoreRow, "length" | "score">[],
  threshold: number,
  { rule = "published" }: { readonly rule?: EffectiveLengthRule } = {},
): { readonly length: number | null; readonly text: string } {
  const scored = scores.filter((row): row is { length: number; score: number } => row.score !== null)
    .toSorted((left, right) => left.length - right.length);
  const passes = scored.map(({ score }) => rule === "strict" ? score > threshold : score >= threshold);
  const firstMiss = passes.indexOf(false);
  const last = rule === "contiguous" && firstMiss >= 0 ? firstMiss - 1 : passes.lastIndexOf(true);
  return { length: scored[last]?.length ?? null, text: effectiveLengthText(scored.map(({ length }) => length), last) };
}

/** Formats the effective length for tables, given its place among the lengths tried; -1 for none of them. */
export function effectiveLengthText(lengths: readonly number[], place: number): string {
  if (lengths.length === 0) return "no score";
  if (place < 0) return `<${lengthText(lengths[0]!)}`;
  return place === lengths.length - 1 ? `>${lengthText(lengths[place]!)}` : lengthText(lengths[place]!);
}

/** A candidate for the effective length, and whether the scores exclude it. */
export interface PossibleLength {
  /** In tokens; `null` for "below the shortest". */
  readonly length: number | null;
  /** As in {@linkcode effectiveLength}. */
  readonly text: string;
  /** The p-value of the hypothesis that it is the true effective length, in [0, 1]. */
  readonly p: number;
  /** Whether p is above 5%, so that the scores do not exclude it. */
  readonly isPossible: boolean;
}

/**
 * Returns the confidence set of the effective length: the lengths that the scores do not exclude. It contains the true length in
 * at least 95% of runs, however the scores of the lengths depend on each other.
 *
 * A length is the true one if it reaches the threshold and no longer one does (by `contiguous`: if it and all shorter ones do and
 * the next does not). Each of these statements about one length is tested exactly, given the interval of its score, and the lowest
 * p-value is multiplied by the number of statements (Bonferroni). Only one length is the true one, so the lengths need no further correction
 * (Berger and Hsu 1996, "Bioequivalence trials, intersection-union tests and equivalence confidence sets").
 *
 * The length found by the scores is always in the set, but it is a biased estimate: among lengths of similar score, "the longest
 * that reaches the threshold" picks the luckiest.
 *
 * @param rows Rows of one task or group, one for each length, with 95% intervals; those without a score are skipped.
 * @param threshold In percent; a score with its interval if it was measured too, such as another model's.
 * @returns One for each length, the first for "below the shortest"; empty if no row has a score.
 *
 * @example A score at the threshold decides nothing
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const row = { task: "all 13 tasks", n: 325, failed: 0, noAnswer: 0, score: 85.6, low: 82, high: 89 };
 * const lengths = possibleLengths([{ ...row, length: 4096 }], 85.6);
 * deepEqual(lengths.map(({ text, isPossible }) => [text, isPossible]), [["<4K", true], [">4K", true]]);
 * ```
 */
export function possibleLengths(
  rows: readonly ScoreRow[],
  threshold: number | ScoreWithInterval,
  options: { readonly rule?: EffectiveLengthRule } = {},
): readonly PossibleLength[] {
  const scored = rows.filter((row) => row.score !== null).toSorted((left, right) => left.length - right.length);
  return setOf(scored, scored.map((row) => testsOf(row, threshold)), options);
}

/** The p-values of "reaches the threshold": exact, and of as much as the complement of "falls short". */
type LengthTests = Readonly<Record<"exact" | "opposite", number>>;

function testsOf(row: ScoreRow, threshold: number | ScoreWithInterval): LengthTests {
  return { exact: pAtLeast(row, threshold, 0), opposite: pAtLeast(row, threshold, 1) };
}

/** Returns the confidence set, given the tests of each length. */
function setOf(
  rows: readonly { readonly length: number }[],
  reaches: readonly LengthTests[],
  { rule = "published" }: { readonly rule?: EffectiveLengthRule },
): readonly PossibleLength[] {
  if (rows.length === 0) return [];
  const lengths = rows.map(({ length }) => length);
  return [-1, ...lengths.keys()].map((place) => {
    const [first, last] = rule === "contiguous" ? [0, place + 1] : [place, lengths.length - 1];
    const tests = reaches.map(({ exact, opposite }, at) => at <= place ? exact : 1 - opposite)
      .filter((_, at) => at >= first && at <= last);
    const p = Math.min(1, tests.length * Math.min(1, ...tests));
    return { length: lengths[place] ?? null, text: effectiveLengthText(lengths, place), p, isPossible: p > 0.05 };
  });
}

/** Formats the possible lengths: `16K to >128K` for a range, otherwise a list. */
export function possibleText(lengths: readonly Pick<PossibleLength, "text" | "isPossible">[]): string {
  const places = lengths.flatMap(({ isPossible }, place) => isPossible ? [place] : []);
  const texts = places.map((place) => lengths[place]!.text);
  if (texts.length === 0) return "no score";
  if (texts.length === 1) return texts[0]!;
  const isWhole = places.at(-1)! - places[0]! === places.length - 1;
  return isWhole ? `${texts[0]} to ${texts.at(-1)}` : texts.join(", ");
}

/**
 * Returns the one-sided p-value of the hypothesis that the true score of a row reaches a threshold in percent: 0.975 if the threshold
 * is the low end of its 95% interval, 0.025 if it is the high end. Its complement is the p-value of "falls short".
 *
 * @param threshold A number ({@linkcode pAtMost}), or a score with its interval, which is taken as independent of the row's: the least
 *   tail at which the interval of their difference has its end at 0.
 * @param weight That of a score as observed, as in {@linkcode pAtMost}: 0 for an exact test.
 * @throws {RangeError} If the row has no score or no interval.
 */
export function pAtLeast(
  { score, low, high, n, units = n }: ScoreRow,
  threshold: number | ScoreWithInterval,
  weight = 0.5,
): number {
  if (score === null || low === null || high === null) {
    throw new RangeError(
      `Cannot give a p-value as the row must have a score and an interval: current value is ${score}`,
    );
  }
  const own = { score, low, high, n: units };
  if (typeof threshold === "number") return 1 - pAtMost(own, threshold, weight);
  const isAbove = score >= threshold.score;
  const endAt = (tail: number): number => {
    const wide = [own, threshold].map((each) => atLevel(each, 1 - 2 * tail)) as [ScoreWithInterval, ScoreWithInterval];
    const { low, high } = differenceInterval(...wide);
    return isAbove ? low : -high;
  };
  const tail = Math.exp(risingRoot((log) => endAt(Math.exp(log)), { low: -20, high: Math.log(0.499), within: 1e-4 }));
  return isAbove ? 1 - tail : tail;
}

/** A model's effective length, and the lengths that its scores do not exclude. */
export interface BoardRow {
  readonly model: string;
  /** The score that a length must reach, in percent; `null` if it is a share of a missing score or of 0. */
  readonly threshold: number | null;
  /** The effective length as in tables; the reason if there is no threshold. */
  readonly found: string;
  /** The effective lengths that its scores do not exclude, such as `16K to >128K`; `found` without a score. */
  readonly range: string;
  /** Whether `range` is one length. */
  readonly isSettled: boolean;
  /** Each effective length, possible or not; empty without a score. */
  readonly lengths: readonly PossibleLength[];
  /** The row closest to the threshold, in standard errors; not the shortest if the threshold is a share of its own score. */
  readonly nearest: ScoreRow | null;
  /**
   * The lengths at which prompts were refused as too long for the model, with the numbers of scored and of refused prompts; absent
   * if there are none. Refused prompts are evidence neither for nor against a length.
   */
  readonly refused?: readonly { readonly length: number; readonly n: number; readonly refused: number }[];
}

/**
 * Returns each model's effective length, the lengths that its scores do not exclude, and the score nearest to the threshold.
 *
 * A threshold can be a share of the model's own score at its shortest length (NoLiMa, Modarressi et al. 2025: 85%). Then the
 * interval of that score counts too, and the shortest length always reaches the threshold.
 *
 * @throws {RangeError} If a share is outside (0, 1].
 */
export function effectiveLengthBoard(
  entries: readonly {
    readonly model: string;
    /** Rows of one task or group, one for each length, with 95% intervals. */
    readonly rows: readonly ScoreRow[];
    /** The score that makes a length effective: in percent, or a share in (0, 1] of the model's own score at its shortest length. */
    readonly threshold: number | ScoreWithInterval | { readonly share: number };
  }[],
): readonly BoardRow[] {
  return entries.map(({ model, rows, threshold: given }) => {
    const inOrder = rows.toSorted((left, right) => left.length - right.length);
    const isOwn = typeof given === "object" && "share" in given;
    const { threshold, lengths } = isOwn
      ? ownLengths(inOrder, given.share)
      : { threshold: typeof given === "number" ? given : given.score, lengths: possibleLengths(rows, given) };
    const found = threshold === null ? noThresholdText(inOrder) : effectiveLength(rows, threshold).text;
    const compared = (isOwn ? inOrder.slice(1) : rows).filter(({ score }) => score !== null);
    const [nearest = null] = threshold === null
      ? []
      : compared.toSorted((left, right) => errorsFrom(left, threshold) - errorsFrom(right, threshold));
    const refused = inOrder.flatMap(({ length, n, refused = 0 }) => refused > 0 ? [{ length, n, refused }] : []);
    return {
      model,
      threshold,
      found,
      range: lengths.length === 0 ? found : possibleText(lengths),
      isSettled: lengths.filter(({ isPossible }) => isPossible).length === 1,
      lengths,
      nearest,
      ...(refused.length === 0 ? {} : { refused }),
    };
  });
}

/** Returns the reason that there is no threshold: the base score is missing or 0. */
function noThresholdText(rows: readonly ScoreRow[]): string {
  const [shortest] = rows;
  if (rows.every(({ score }) => score === null)) return "no score";
  return `${lengthText(shortest!.length)} ${shortest!.score === null ? "has no score" : "scores 0"}`;
}

/** Returns the possible lengths if the threshold is a share of the score at the shortest length; rows have rising lengths. */
function ownLengths(rows: readonly ScoreRow[], share: number): Pick<BoardRow, "threshold" | "lengths"> {
  need(share > 0 && share <= 1, "set a threshold", "share must be in (0, 1]", share);
  const [shortest, ...others] = rows;
  if (!shortest?.score) return { threshold: null, lengths: [] };
  const limit = { score: share * shortest.score, low: share * shortest.low!, high: share * shortest.high! };
  const scored = others.filter(({ score }) => score !== null);
  const reaches = [{ exact: 1, opposite: 1 }, ...scored.map((row) => testsOf(row, limit))];
  return { threshold: shortest.score * share, lengths: setOf([shortest, ...scored], reaches, {}) };
}

/** Returns the distance of a score from the threshold, in half-widths of its interval. */
function errorsFrom({ score, low, high }: ScoreRow, threshold: number): number {
  const reach = threshold <= score! ? score! - low! : high! - score!;
  if (reach === 0) return score === threshold ? 0 : Infinity;
  return Math.abs(score! - threshold) / reach;
}
