import type { ScoreWithInterval } from "../intervals/difference_interval.ts";
import { effectiveLength, ownThreshold } from "./effective_length.ts";
import {
  type EffectiveLengthChance,
  effectiveLengthChances,
  type EffectiveLengthChancesOptions,
} from "./effective_length_chances.ts";
import { ownEffectiveLengthChances } from "./own_effective_length_chances.ts";
import type { ScoreRow } from "../row.ts";

/** A model whose effective length is to be told with its chances. */
export interface BoardEntry {
  /** The model's name. */
  readonly model: string;
  /** Rows of one task or group, a length each, with intervals. */
  readonly rows: readonly ScoreRow[];
  /**
   * What a length must score: a number of percent, a score with its interval, or a share in (0, 1] of the model's own
   * score at its shortest length.
   */
  readonly threshold: number | ScoreWithInterval | { readonly share: number };
}

/** A model's effective length, and how sure it is. */
export interface BoardRow {
  /** The model's name. */
  readonly model: string;
  /** What a length had to score, in percent; `null` where that is a share of a score that there is not. */
  readonly threshold: number | null;
  /** The effective length that its scores give, as tables print it. */
  readonly found: string;
  /** The chance that it is the right one, in [0, 1]; `null` where there is no score. */
  readonly chance: number | null;
  /** Whether that chance is at least 95%. */
  readonly isSettled: boolean;
  /** The chance of each effective length; empty where there is no score. */
  readonly brackets: readonly EffectiveLengthChance[];
  /**
   * The length whose score is nearest to the threshold, in standard errors; `null` where there is none. The shortest does
   * not count where the threshold is a share of its own score.
   */
  readonly nearest: ScoreRow | null;
}

const SURE = 0.95;

/**
 * Tells the effective lengths of several models, each with the chance that it is the right one, and with the score that
 * decides.
 *
 * @param entries The models.
 * @param options The rule, and the level of the intervals.
 * @returns A row for each model, in the order given.
 * @throws {RangeError} If a share is outside (0, 1].
 *
 * @example Mixtral's 32K in RULER's Table 3 rests on 85.9 against 85.6
 * ```ts
 * import { deepEqual, ok } from "node:assert/strict";
 * import { openPublished, publishedScoreRows, RULER_THRESHOLD } from "@/lib/analysis/mod.ts";
 *
 * const { rows } = await openPublished();
 * const mixtral = rows.find(({ table, model }) => table === 3 && model === "Mixtral (8x7B)")!;
 * const entry = { model: mixtral.model, rows: publishedScoreRows(mixtral), threshold: RULER_THRESHOLD };
 * const [row] = effectiveLengthBoard([entry]);
 * deepEqual([row?.found, row?.isSettled, row?.nearest?.score], ["32K", false, 85.9]);
 * ok(row!.chance! > 0.7 && row!.chance! < 0.8);
 * ```
 */
export function effectiveLengthBoard(
  entries: readonly BoardEntry[],
  options: EffectiveLengthChancesOptions = {},
): readonly BoardRow[] {
  return entries.map((entry) => {
    const { model, rows } = entry;
    const { threshold, brackets, compared } = judge(entry, options);
    const found = threshold === null ? "no score" : effectiveLength(rows, threshold, options).text;
    const chance = brackets.find(({ text }) => text === found)?.chance ?? null;
    const [nearest = null] = threshold === null ? [] : compared.filter(({ score }) => score !== null)
      .toSorted((left, right) => errorsFrom(left, threshold) - errorsFrom(right, threshold));
    return { model, threshold, found, chance, isSettled: (chance ?? 0) >= SURE, brackets, nearest };
  });
}

/** The threshold in percent, the chances, and the rows that were compared with it. */
function judge(
  { rows, threshold }: BoardEntry,
  options: EffectiveLengthChancesOptions,
): Pick<BoardRow, "threshold" | "brackets"> & { readonly compared: readonly ScoreRow[] } {
  if (typeof threshold === "object" && "share" in threshold) {
    const { share } = threshold;
    const compared = rows.toSorted((left, right) => left.length - right.length).slice(1);
    return {
      threshold: ownThreshold(rows, share),
      brackets: ownEffectiveLengthChances(rows, share, options),
      compared,
    };
  }
  const limit = typeof threshold === "number" ? threshold : threshold.score;
  return { threshold: limit, brackets: effectiveLengthChances(rows, threshold, options), compared: rows };
}

/** How far a score is from the threshold, in reaches of its interval. */
function errorsFrom({ score, low, high }: ScoreRow, threshold: number): number {
  const reach = threshold <= score! ? score! - low! : high! - score!;
  return reach === 0 ? (score === threshold ? 0 : Infinity) : Math.abs(score! - threshold) / reach;
}
