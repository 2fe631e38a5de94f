import { effectiveLength, type LengthScore } from "../lengths/effective_length.ts";
import { ranks } from "./ranks.ts";
import { weightedAverage } from "./weighted_average.ts";

/** A model to be put in a table with others. */
export interface LeaderboardEntry {
  /** The model's name. */
  readonly model: string;
  /** Models are ranked within their group. */
  readonly group: string;
  /** Scores in percent, the same lengths for every model. */
  readonly scores: readonly LengthScore[];
  /** What a length must score to be effective, in percent; `null` for no effective length. */
  readonly threshold: number | null;
}

/** The averages of one model, its ranks and its effective length. */
export interface LeaderboardAverages {
  /** The mean over the lengths, in percent; `null` where a length has no score. */
  readonly average: number | null;
  /** The mean with weights rising linearly with the rank of the length, in percent. */
  readonly weightedIncreasing: number | null;
  /** Its rank in the group, from 1; `null` where there is no mean. */
  readonly rankIncreasing: number | null;
  /** The mean with weights falling, in percent. */
  readonly weightedDecreasing: number | null;
  /** Its rank in the group, from 1; `null` where there is no mean. */
  readonly rankDecreasing: number | null;
  /** As {@linkcode effectiveLength} writes it; `null` without a threshold. */
  readonly effectiveLength: string | null;
}

/**
 * Computes a table such as RULER's Table 3 from scores: averages, ranks and effective lengths. Published and measured
 * models can stand in one table.
 *
 * @param entries The models, each with scores at the same lengths.
 * @returns The entries in the order given, with their averages; nothing is rounded.
 *
 * @example Two rows of Table 3
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/analysis/mod.ts";
 *
 * const { rows } = await openPublished();
 * const table = leaderboard(rows.filter((row) => row.edition === "v1" && row.table === 3));
 * const lwm = table.find((row) => row.model === "LWM (7B)")!;
 * equal(lwm.weightedIncreasing?.toFixed(1), "69.9");
 * equal(lwm.rankIncreasing, 5);
 * equal(lwm.effectiveLength, "<4K");
 * ```
 */
export function leaderboard<Entry extends LeaderboardEntry>(
  entries: readonly Entry[],
): readonly (Entry & LeaderboardAverages)[] {
  const groups = entries.map((entry) => entry.group);
  const averages = entries.map(({ scores }) => {
    const inOrder = scores.toSorted((left, right) => left.length - right.length).map(({ score }) => score);
    return {
      average: weightedAverage(inOrder, "equal"),
      weightedIncreasing: weightedAverage(inOrder, "increasing"),
      weightedDecreasing: weightedAverage(inOrder, "decreasing"),
    };
  });
  const increasing = ranks(averages.map((row) => row.weightedIncreasing), { groups });
  const decreasing = ranks(averages.map((row) => row.weightedDecreasing), { groups });
  return entries.map((entry, place) => ({
    ...entry,
    ...averages[place]!,
    rankIncreasing: increasing[place]!,
    rankDecreasing: decreasing[place]!,
    effectiveLength: entry.threshold === null ? null : effectiveLength(entry.scores, entry.threshold).text,
  }));
}
