import { CATEGORY_NAMES, type CategoryName, type PublishedCategory } from "./published_tables.ts";
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
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
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

/** Options for {@linkcode ranks}. */
interface RanksOptions {
  /** The group of each value; values are ranked within their group. One group unless given. */
  readonly groups?: readonly string[];
}

// Averages of the same printed scores can differ in their last digits.
const SAME = 1e-9;

/** Ranks values from the highest, before any rounding, as RULER ranks its models: aligned and base models apart. */
export function ranks(values: readonly (number | null)[], options: RanksOptions = {}): readonly (number | null)[] {
  const { groups = values.map(() => "") } = options;
  if (groups.length !== values.length) {
    throw new RangeError(
      `Cannot rank values as groups must be ${values.length}, one a value: current value is ${groups.length}`,
    );
  }
  return values.map((value, place) => {
    if (value === null) return null;
    const higher = values.filter((other, at) => other !== null && groups[at] === groups[place] && other > value + SAME);
    return higher.length + 1;
  });
}

/**
 * How much each length weighs: `equal`, or linear in the rank of the length, as RULER's `wAvg`: rising (`increasing`,
 * long contexts weigh more) or falling (`decreasing`). A list gives any other weights, one a score.
 */
export type Weighting = "equal" | "increasing" | "decreasing" | readonly number[];

/**
 * Gives the weights of a weighting, which add up to 1.
 *
 * RULER's weights go by rank, not by tokens: 1/21, 2/21 to 6/21 for six lengths (section 4 says "linearly"; the printed
 * averages agree with these weights and with no others tried).
 */
export function rankWeights(count: number, weighting: Weighting): readonly number[] {
  const raw = Array.from({ length: count }, (_, rank) => {
    if (weighting === "equal") return 1;
    if (weighting === "increasing") return rank + 1;
    if (weighting === "decreasing") return count - rank;
    return weighting[rank] ?? NaN;
  });
  if (typeof weighting !== "string" && weighting.length !== count) {
    throw new RangeError(
      `Cannot weigh scores as the weights must be ${count}, one a score: current value is ${weighting.length}`,
    );
  }
  const total = sum(raw);
  if (!(total > 0 && total < Infinity) || raw.some((weight) => weight < 0)) {
    throw new RangeError(
      `Cannot weigh scores as weights must be at least 0, and one above 0: current value is [${raw.join(", ")}]`,
    );
  }
  return raw.map((weight) => weight / total);
}

/** Averages the scores of one model over the lengths. */
export function weightedAverage(scores: readonly (number | null)[], weighting: Weighting): number | null {
  if (scores.length === 0) return null;
  const weights = rankWeights(scores.length, weighting);
  if (scores.some((score, place) => score === null && weights[place]! > 0)) return null;
  return sum(scores.map((score, place) => (score ?? 0) * weights[place]!));
}

/** Options for {@linkcode publishedBoard}. */
export interface PublishedBoardOptions extends PublishedScoreOptions {
  /** What a length must score, for all rows; each table's own threshold unless given. */
  readonly threshold?: BoardEntry["threshold"];
}

/**
 * Tells the effective lengths of published rows with their chances, given the samples behind their scores.
 *
 * @param rows Rows of published tables; those without a threshold are left out unless one is given.
 * @param options Another threshold, and where the categories are printed.
 * @returns A row for each model, in the order given.
 *
 * @example Mixtral's 32K in RULER's Table 3 rests on 85.9 against 85.6
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
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

/** How many samples of each task and length the RULER paper asks (section 4). */
export const PAPER_SAMPLES = 500;

/** The categories that a mean over 13 tasks is of. */
const FOUR = Object.keys(CATEGORY_NAMES) as CategoryName[];

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
  /**
   * Rows of other tables. Where those of the same edition print the model's four categories, its mean over 13 tasks gets
   * the narrower interval that they allow.
   *
   * @default {[]}
   */
  readonly beside?: readonly PublishedRow[];
}

/**
 * Gives the scores of a published row with intervals, as if each had been measured here.
 *
 * The paper prints no intervals. These are the mid-p ones of as many yes/no answers as were asked: {@linkcode
 * PAPER_SAMPLES} times the number of tasks. They are upper bounds: scores that are shares vary less, and so does a mean
 * over tasks of different difficulty. Where the categories are known, that part of the difficulty is taken out. Yi-34B's
 * 83.2 at 64K, for one, is known to 0.91 points from its mean alone, to 0.84 with its categories, and to 0.75 with its 13
 * task scores, which were published of no other model. The intervals say nothing of other prompts, seeds or decoding.
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

/** The greatest variance that an answer of a mean over 13 tasks can have on average, where its categories are known. */
function withinCategories(row: PublishedRow, length: number, beside: readonly PublishedRow[]): number | null {
  if (row.category !== "RULER-13" || beside.length === 0) return null;
  const { edition, model } = row;
  const parts = FOUR.map((category) => {
    const score = scoreAt(findRow(beside, { edition, category, model }), length);
    return score === undefined ? null : TASKS[category] * (score / 100) * (1 - score / 100);
  });
  const known = parts.filter((part) => part !== null);
  const variance = known.reduce((sum, part) => sum + part, 0) / TASKS[row.category];
  return known.length === FOUR.length && variance > 0 ? variance : null;
}

/** How many of the effective lengths that a table prints its samples settle. */
export interface SettledLengths {
  /** The number of the table. */
  readonly table: PublishedRow["table"];
  /** What its scores are of. */
  readonly category: PublishedRow["category"];
  /** Effective lengths that it prints. */
  readonly lengths: number;
  /** How many of them have a chance of at least 95%. */
  readonly settled: number;
  /** The least chance of one of them, in percent. */
  readonly least: number;
}

/**
 * Counts, table by table, how many printed effective lengths the samples behind the scores settle. The intervals of the
 * scores are upper bounds, as in `publishedScoreRows`: that others are not settled says that the print does not settle them.
 *
 * @param rows Published rows; those without a threshold print no effective length and are left out.
 * @param edition Which edition's tables.
 * @returns A row for each table, in order of first appearance.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
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
      least: 100 * Math.min(...board.map(({ chance }) => chance ?? 0)),
    };
  });
}
