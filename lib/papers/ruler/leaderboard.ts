import { CATEGORY_KEYS, type PublishedCategory } from "./published_tables.ts";
import { type Edition, findRow, type PublishedRow, scoreAt } from "./published.ts";
import {
  type BoardRow,
  differenceInterval,
  effectiveLength,
  effectiveLengthBoard,
  meanOfRows,
  midInterval,
  type Origin,
  RULER_THRESHOLD,
  type ScoreRow,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";
import { lengthText, readLengthText } from "@/lib/text/mod.ts";

/** A model to rank with {@linkcode rulerLeaderboard}. */
export interface BoardModel {
  /** Its name, which no other has. */
  readonly model: string;
  readonly origin: Origin;
  /** The context window that its authors claim, in tokens; `null` if unknown. */
  readonly claimedWindow: number | null;
  /** Its mean over the tasks at each length, with a 95% interval. */
  readonly rows: readonly ScoreRow[];
}

/** Options for {@linkcode rulerLeaderboard}. */
export interface RulerLeaderboardOptions {
  /** The lengths to average over, in tokens; by default those that all models have. */
  readonly lengths?: readonly number[];
  /**
   * The score that makes a length effective: in percent, or a share in (0, 1] of the model's own score at its shortest length.
   *
   * @default {RULER_THRESHOLD}
   */
  readonly threshold?: number | { readonly share: number };
}

/** A mean over lengths, and its rank. */
export interface RankedMean extends ScoreWithInterval {
  /** From 1, among the models that have this mean. */
  readonly rank: number;
  /** The best and the worst rank that the intervals of the differences leave open. */
  readonly ranks: readonly [best: number, worst: number];
}

/** A model on the leaderboard. */
export interface RulerLeaderboardRow extends BoardModel {
  /** The mean over the lengths, in percent; `null` if the model lacks one of them. */
  readonly average: RankedMean | null;
  /** The mean with weights 1, 2, 3 … from the shortest length. */
  readonly weightedIncreasing: RankedMean | null;
  /** The mean with weights 1, 2, 3 … from the longest length. */
  readonly weightedDecreasing: RankedMean | null;
  /** Such as `64K`, `<4K` or `>128K`, or the reason why there is none. */
  readonly effectiveLength: string;
  /** The score that makes a length effective, in percent; `null` if there is no score to take a share of. */
  readonly threshold: number | null;
  /** The lengths of the averages at which it has no score, in tokens. */
  readonly missing: readonly number[];
}

/** Models ranked by their means over the same lengths. */
export interface RulerLeaderboard {
  /** The highest average first; then the models without one, in the order given. */
  readonly rows: readonly RulerLeaderboardRow[];
  /** The lengths that averages are taken over, in tokens; none if the models share no length. */
  readonly lengths: readonly number[];
}

/**
 * Ranks published and measured models as RULER's Table 3 does, with intervals.
 *
 * RULER's weights go by the rank of the length, not by tokens: 1/21, 2/21 to 6/21 for six lengths. A model that lacks one of the
 * lengths has no average and no rank. Intervals count a question once that is asked at several lengths; those of published rows
 * treat lengths as independent.
 *
 * @throws {RangeError} If there is no model, two have one name, or a share is outside (0, 1].
 *
 * @example A model that was not asked at 8K is not ranked if 8K counts
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const row = { task: "all", n: 130, score: 90, low: 85, high: 94, failed: 0, noAnswer: 0 };
 * const about = { origin: "measured", claimedWindow: null } as const;
 * const one = { ...about, model: "one", rows: [{ ...row, length: 4096 }, { ...row, length: 8192 }] };
 * const two = { ...about, model: "two", rows: [{ ...row, length: 4096, score: 92 }] };
 * const { rows } = rulerLeaderboard([one, two], { lengths: [4096, 8192] });
 * deepEqual(rows.map(({ model, average, missing }) => [model, average?.rank, missing]), [["one", 1, []], ["two", undefined, [8192]]]);
 * ```
 */
export function rulerLeaderboard(
  models: readonly BoardModel[],
  options: RulerLeaderboardOptions = {},
): RulerLeaderboard {
  const names = models.map(({ model }) => model);
  if (names.length === 0 || new Set(names).size < names.length) {
    throw new RangeError(
      `Cannot rank models as there must be at least one, with different names: current value is ${
        names.join(", ") || "none"
      }`,
    );
  }
  const { threshold = RULER_THRESHOLD } = options;
  const scored = models.map(({ rows }) => scoresByLength(rows));
  const all = [...new Set(options.lengths ?? scored.flatMap((scores) => [...scores.keys()]))]
    .sort((left, right) => left - right);
  const lengths = options.lengths === undefined ? all.filter((each) => scored.every((of) => of.has(each))) : all;
  const rankBy = (weights: readonly number[]): readonly (RankedMean | null)[] =>
    rankMeans(scored.map((scores) => {
      const asked = lengths.map((length) => scores.get(length)).filter((score) => score !== undefined);
      return lengths.length > 0 && asked.length === lengths.length ? meanOfRows(asked, weights) : null;
    }));
  const rising = lengths.map((_, place) => place + 1);
  const average = rankBy(lengths.map(() => 1));
  const increasing = rankBy(rising);
  const decreasing = rankBy(rising.toReversed());
  const rows = models.map((model, at): RulerLeaderboardRow => ({
    ...model,
    average: average[at]!,
    weightedIncreasing: increasing[at]!,
    weightedDecreasing: decreasing[at]!,
    ...effectiveOf(model.rows, threshold),
    missing: lengths.filter((length) => !scored[at]!.has(length)),
  }));
  const scoreOf = ({ average }: RulerLeaderboardRow): number => average?.score ?? -1;
  return { rows: rows.toSorted((one, other) => scoreOf(other) - scoreOf(one)), lengths };
}

function scoresByLength(rows: readonly ScoreRow[]): ReadonlyMap<number, ScoreWithInterval> {
  return new Map(
    rows.flatMap(({ length, score, low, high, ...row }) =>
      score === null ? [] : [[length, { ...row, score, low: low ?? score, high: high ?? score }] as const]
    ),
  );
}

// Averages of the same printed scores can differ in their last digits.
const SAME = 1e-9;

/** Ranks means from the highest, before any rounding; ties share the better rank. */
function rankMeans(means: readonly (ScoreWithInterval | null)[]): readonly (RankedMean | null)[] {
  const ranked = means.filter((mean) => mean !== null);
  return means.map((mean) => {
    if (mean === null) return null;
    const differences = ranked.filter((other) => other !== mean).map((other) => differenceInterval(mean, other));
    const count = (isSo: (difference: ScoreWithInterval) => boolean): number => differences.filter(isSo).length;
    return {
      ...mean,
      rank: 1 + count(({ score }) => score < -SAME),
      ranks: [1 + count(({ high }) => high < 0), ranked.length - count(({ low }) => low > 0)],
    };
  });
}

function effectiveOf(
  rows: readonly ScoreRow[],
  threshold: number | { readonly share: number },
): Pick<RulerLeaderboardRow, "effectiveLength" | "threshold"> {
  const scored = rows.filter(({ score }) => score !== null).toSorted((one, other) => one.length - other.length);
  const [shortest] = scored;
  if (shortest === undefined) return { effectiveLength: "no score", threshold: null };
  const limit = typeof threshold === "number" ? threshold : threshold.share * shortest.score!;
  if (typeof threshold !== "number" && !(threshold.share > 0 && threshold.share <= 1)) {
    throw new RangeError(`Cannot set a threshold as share must be in (0, 1]: current value is ${threshold.share}`);
  }
  const text = limit === 0 ? `${lengthText(shortest.length)} scores 0` : effectiveLength(scored, limit).text;
  return { effectiveLength: text, threshold: limit === 0 ? null : limit };
}

/**
 * Converts the rows of a published table for {@linkcode rulerLeaderboard}, with the widest intervals that their samples allow.
 *
 * @param beside Rows of other tables of the same edition: a model's four categories make its intervals narrower.
 */
export function publishedModels(
  rows: readonly PublishedRow[],
  beside: readonly PublishedRow[] = [],
): readonly BoardModel[] {
  return rows.map((row) => ({
    model: row.model,
    origin: "published",
    claimedWindow: readLengthText(row.claimedLength),
    rows: publishedScoreRows(row, beside),
  }));
}

/** A published row, and its averages, ranks and effective length recomputed from its scores. */
export interface ComputedRow extends PublishedRow {
  readonly computed: RulerLeaderboardRow;
}

/** Recomputes averages, ranks and effective lengths of one printed table, each model within its group, in the table's order. */
export function recompute(rows: readonly PublishedRow[]): readonly ComputedRow[] {
  const lengths = rows.flatMap(({ scores }) => scores.map(({ length }) => length));
  const computed = [...Map.groupBy(rows, ({ group }) => group).values()].flatMap((ofGroup) => {
    const threshold = ofGroup[0]!.threshold ?? RULER_THRESHOLD;
    return rulerLeaderboard(publishedModels(ofGroup), { lengths, threshold }).rows;
  });
  return rows.map((row) => ({ ...row, computed: computed.find(({ model }) => model === row.model)! }));
}

/** Options for {@linkcode publishedBoard}. */
export interface PublishedBoardOptions {
  /** The score that makes a length effective, for all rows; each table's own threshold unless given. */
  readonly threshold?: Parameters<typeof effectiveLengthBoard>[0][number]["threshold"];
  /** Rows of other tables: a model's four categories make the intervals of its mean over 13 tasks narrower. */
  readonly beside?: readonly PublishedRow[];
}

/**
 * Computes the effective lengths of published rows and how certain they are, given the samples behind their scores. Rows without a
 * threshold are left out.
 */
export function publishedBoard(
  rows: readonly PublishedRow[],
  { threshold, beside = [] }: PublishedBoardOptions = {},
): readonly BoardRow[] {
  return effectiveLengthBoard(rows.flatMap((row) => {
    const limit = threshold ?? row.threshold;
    return limit === null ? [] : [{ model: row.model, rows: publishedScoreRows(row, beside), threshold: limit }];
  }));
}

/** Samples of each task and length in the RULER paper (section 4). */
export const PAPER_SAMPLES = 500;

/** The number of tasks that a score is the mean of. */
const TASKS: Readonly<Record<PublishedCategory, number>> = {
  "RULER-13": 13,
  "passkey": 1,
  "vanilla_niah": 1,
  "retrieval": 8,
  "multi_hop_tracing": 1,
  "aggregation": 2,
  "qa": 2,
};

/**
 * Gives the scores of a published row the intervals that the paper does not print: mid-p intervals of {@linkcode PAPER_SAMPLES}
 * yes/no answers to each task.
 *
 * They are upper bounds: partial scores vary less, and so does a mean over tasks of different difficulty. The categories account
 * for part of that. Yi-34B's 83.2 at 64K is known to 0.91 points from its mean alone, to 0.84 with its categories, and to 0.75
 * with its 13 task scores, which were published for no other model. The intervals do not cover other prompts, seeds or decoding.
 */
export function publishedScoreRows(row: PublishedRow, beside: readonly PublishedRow[] = []): readonly ScoreRow[] {
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
  /** The tasks that its scores are the mean of. */
  readonly category: PublishedRow["category"];
  /** Printed effective lengths. */
  readonly lengths: number;
  /** Those that are the only length that the scores do not exclude, at 95%. */
  readonly settled: number;
  /** The most lengths that the scores of one model do not exclude. */
  readonly most: number;
}

/**
 * Counts, for each table of an edition, the printed effective lengths that the samples behind the scores settle. As the intervals of
 * the scores are upper bounds, more may be settled than the printed numbers show.
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
