import {
  averageChances,
  chanceAtLeast,
  effectiveLength,
  type EffectiveLengthChance,
  effectiveLengthChances,
  likelyScores,
  ownThreshold,
} from "./effective_length.ts";
import type { ScoreWithInterval } from "./intervals.ts";
import type { ScoreRow } from "./summarise.ts";

/** A model on the leaderboard. */
export interface BoardEntry {
  /** The model's name. */
  readonly model: string;
  /** Rows of one task or group, one a length, with 95% intervals. */
  readonly rows: readonly ScoreRow[];
  /** What a length must score: in percent, or a share in (0, 1] of the model's own score at its shortest length. */
  readonly threshold: number | ScoreWithInterval | { readonly share: number };
}

/** A model's effective length, and how sure it is. */
export interface BoardRow {
  /** The model's name. */
  readonly model: string;
  /** The score that a length must reach, in percent; `null` if it is a share of a missing score. */
  readonly threshold: number | null;
  /** The effective length by its scores, as tables print it. */
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
    const found = threshold === null ? "no score" : effectiveLength(rows, threshold).text;
    const chance = brackets.find(({ text }) => text === found)?.chance ?? null;
    const [nearest = null] = threshold === null ? [] : compared.filter(({ score }) => score !== null)
      .toSorted((left, right) => errorsFrom(left, threshold) - errorsFrom(right, threshold));
    return { model, threshold, found, chance, isSettled: (chance ?? 0) >= 0.95, brackets, nearest };
  });
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
