import { CATEGORY_KEYS, type PublishedCategory } from "./published_tables.ts";
import { type Edition, findRow, type PublishedRow, scoreAt } from "./published.ts";
import {
  type BoardEntry,
  type BoardRow,
  effectiveLength,
  effectiveLengthBoard,
  type LengthScore,
  midInterval,
  type ScoreRow,
  sum,
} from "@/lib/statistics/mod.ts";

/** A model and its scores. */
export interface LeaderboardEntry {
  readonly model: string;
  /** Models are ranked within their group. */
  readonly group: string;
  /** Scores in percent, the same lengths for every model. */
  readonly scores: readonly LengthScore[];
  /** The score that makes a length effective, in percent; `null` for no effective length. */
  readonly threshold: number | null;
}

/** The averages of one model, its ranks and its effective length. */
export interface LeaderboardAverages {
  /** The mean over the lengths, in percent; `null` where a length has no score. */
  readonly average: number | null;
  /** The mean with weights 1, 2, 3 … from the shortest length, in percent. */
  readonly weightedIncreasing: number | null;
  /** Its rank in the group, from 1; `null` where there is no mean. */
  readonly rankIncreasing: number | null;
  /** The mean with weights 1, 2, 3 … from the longest length, in percent. */
  readonly weightedDecreasing: number | null;
  /** Its rank in the group, from 1; `null` where there is no mean. */
  readonly rankDecreasing: number | null;
  /** Such as `64K`, `<4K` or `>128K`; `null` without a threshold. */
  readonly effectiveLength: string | null;
}

/**
 * Computes a table such as RULER's Table 3 from scores: averages, ranks and effective lengths, in the order given and not
 * rounded. Published and measured models can be in one table.
 *
 * RULER's weights go by rank of the length, not by tokens: 1/21, 2/21 to 6/21 for six lengths (section 4 says "linearly"; the
 * printed averages agree with these weights only).
 *
 * @example Two rows of Table 3
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
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
    const rising = inOrder.map((_, rank) => rank + 1);
    return {
      average: weightedAverage(inOrder, inOrder.map(() => 1)),
      weightedIncreasing: weightedAverage(inOrder, rising),
      weightedDecreasing: weightedAverage(inOrder, rising.toReversed()),
    };
  });
  const increasing = ranks(averages.map((row) => row.weightedIncreasing), groups);
  const decreasing = ranks(averages.map((row) => row.weightedDecreasing), groups);
  return entries.map((entry, place) => ({
    ...entry,
    ...averages[place]!,
    rankIncreasing: increasing[place]!,
    rankDecreasing: decreasing[place]!,
    effectiveLength: entry.threshold === null ? null : effectiveLength(entry.scores, entry.threshold).text,
  }));
}

// Averages of the same printed scores can differ in their last digits.
const SAME = 1e-9;

/** Ranks each value in its group from the highest, before any rounding, as RULER ranks aligned and base models. */
function ranks(values: readonly (number | null)[], groups: readonly string[]): readonly (number | null)[] {
  return values.map((value, place) => {
    if (value === null) return null;
    const higher = values.filter((other, at) => other !== null && groups[at] === groups[place] && other > value + SAME);
    return higher.length + 1;
  });
}

/** Averages scores by weights, one for each score; `null` where a score is missing. */
export function weightedAverage(scores: readonly (number | null)[], weights: readonly number[]): number | null {
  if (scores.length === 0 || scores.includes(null)) return null;
  const total = sum(weights);
  return sum(scores.map((score, place) => score! * (weights[place]! / total)));
}

/** Options for {@linkcode publishedBoard}. */
export interface PublishedBoardOptions extends PublishedScoreOptions {
  /** The score that makes a length effective, for all rows; each table's own threshold unless given. */
  readonly threshold?: BoardEntry["threshold"];
}

/**
 * The effective lengths of published rows and how certain they are, given the samples behind their scores. Rows without a
 * threshold are left out.
 *
 * @example Mixtral's 32K in RULER's Table 3 rests on 85.9 against 85.6
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
 *
 * const { rows } = await openPublished();
 * const [mixtral] = publishedBoard(rows.filter(({ table, model }) => table === 3 && model === "Mixtral (8x7B)"));
 * deepEqual([mixtral?.found, mixtral?.isSettled], ["32K", false]);
 * ```
 */
export function publishedBoard(
  rows: readonly PublishedRow[],
  options: PublishedBoardOptions = {},
): readonly BoardRow[] {
  return effectiveLengthBoard(rows.flatMap((row) => {
    const limit = options.threshold ?? row.threshold;
    return limit === null ? [] : [{ model: row.model, rows: publishedScoreRows(row, options), threshold: limit }];
  }));
}

/** Samples of each task and length in the RULER paper (section 4). */
export const PAPER_SAMPLES = 500;

/** How many tasks a score is the mean of. */
const TASKS: Readonly<Record<PublishedCategory, number>> = {
  "RULER-13": 13,
  "passkey": 1,
  "vanilla_niah": 1,
  "retrieval": 8,
  "multi_hop_tracing": 1,
  "aggregation": 2,
  "qa": 2,
};

/** Options for {@linkcode publishedScoreRows}. */
export interface PublishedScoreOptions {
  /** Rows of other tables: where they have the model's four categories, its mean over 13 tasks gets a narrower interval. */
  readonly beside?: readonly PublishedRow[];
}

/**
 * The scores of a published row with intervals, which the paper does not print: mid-p intervals of as many yes/no answers as
 * were asked, {@linkcode PAPER_SAMPLES} for each task.
 *
 * They are upper bounds: partial scores vary less, and so does a mean over tasks of different difficulty. Known categories
 * account for part of that. Yi-34B's 83.2 at 64K is known to 0.91 points from its mean alone, to 0.84 with its categories,
 * and to 0.75 with its 13 task scores, which were published for no other model. The intervals do not cover other prompts,
 * seeds or decoding.
 */
export function publishedScoreRows(row: PublishedRow, options: PublishedScoreOptions = {}): readonly ScoreRow[] {
  const { beside = [] } = options;
  const n = TASKS[row.category] * PAPER_SAMPLES;
  return row.scores.map(({ length, score }) => {
    const share = score / 100;
    const trials = n * Math.max(1, (share * (1 - share)) / (withinCategories(row, length, beside) ?? Infinity));
    const { low, high } = midInterval(share * trials, trials);
    return { task: row.category, length, n, score, low: 100 * low, high: 100 * high, failed: 0, noAnswer: 0 };
  });
}

/** The greatest mean variance of an answer to the 13 tasks, given the scores of the categories; `null` if unknown. */
function withinCategories(row: PublishedRow, length: number, beside: readonly PublishedRow[]): number | null {
  if (row.category !== "RULER-13" || beside.length === 0) return null;
  const { edition, model } = row;
  const parts = CATEGORY_KEYS.map((category) => {
    const score = scoreAt(findRow(beside, { edition, category, model }), length);
    return score === undefined ? null : TASKS[category] * (score / 100) * (1 - score / 100);
  });
  const known = parts.filter((part) => part !== null);
  const variance = known.reduce((sum, part) => sum + part, 0) / TASKS[row.category];
  return known.length === CATEGORY_KEYS.length && variance > 0 ? variance : null;
}

/** How many of a table's printed effective lengths are settled by its samples. */
export interface SettledLengths {
  /** The number of the table. */
  readonly table: PublishedRow["table"];
  /** What its scores are of. */
  readonly category: PublishedRow["category"];
  /** How many effective lengths it prints. */
  readonly lengths: number;
  /** How many of them are the only length that the scores do not exclude, at 95%. */
  readonly settled: number;
  /** The most lengths that the scores of a model do not exclude. */
  readonly most: number;
}

/**
 * Counts, for each table of an edition, how many printed effective lengths the samples behind the scores settle. As the
 * intervals of the scores are upper bounds, more may be settled than the printed numbers show.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
 *
 * const { rows } = await openPublished();
 * const [table3] = settledLengths(rows, "v1");
 * deepEqual([table3?.table, table3?.lengths], [3, 10]);
 * ```
 */
export function settledLengths(rows: readonly PublishedRow[], edition: Edition): readonly SettledLengths[] {
  const printed = rows.filter((row) => row.edition === edition && row.threshold !== null);
  return [...Map.groupBy(printed, ({ table }) => table)].map(([table, ofTable]) => {
    const board = publishedBoard(ofTable, { beside: rows });
    return {
      table,
      category: ofTable[0]!.category,
      lengths: board.length,
      settled: board.filter(({ isSettled }) => isSettled).length,
      most: Math.max(...board.map(({ lengths }) => lengths.filter(({ isPossible }) => isPossible).length)),
    };
  });
}
