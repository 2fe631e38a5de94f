import { publishedScoreRows } from "./leaderboard.ts";
import type { PublishedRow } from "./published.ts";
import { type Column, type Table, table } from "@/lib/figures/mod.ts";
import {
  differenceInterval,
  effectiveLength,
  highestFinding,
  meanOfRows,
  type Origin,
  RULER_THRESHOLD,
  type ScoreRow,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";
import { lengthText, readLengthText } from "@/lib/text/mod.ts";

/** A model for {@linkcode ownLeaderboard}. */
export interface BoardModel {
  /** Its name, which no other has. */
  readonly model: string;
  readonly origin: Origin;
  /** The context window that its authors claim, in tokens; `null` where nobody said. */
  readonly claimedWindow: number | null;
  /** Its mean over the tasks at each length, with a 95% interval. */
  readonly rows: readonly ScoreRow[];
}

/** Options for {@linkcode ownLeaderboard}. */
export interface OwnLeaderboardOptions {
  /** The lengths that averages are taken over, in tokens; by default those that all models have. */
  readonly lengths?: readonly number[];
  /**
   * What a length must score to be effective: in percent, or a share in (0, 1] of the model's own score at its shortest length.
   *
   * @default {RULER_THRESHOLD}
   */
  readonly threshold?: number | { readonly share: number };
}

/** A mean over lengths, and its rank. */
export interface RankedMean extends ScoreWithInterval {
  /** From 1, among the models that have this mean. */
  readonly rank: number;
  /** The best and the worst rank that the intervals of the differences between models leave open. */
  readonly ranks: readonly [best: number, worst: number];
}

/** A model on the leaderboard. */
export interface OwnLeaderboardRow extends BoardModel {
  /** The mean over the lengths, in percent; `null` where the model lacks one of them. */
  readonly average: RankedMean | null;
  /** The mean with weights 1, 2, 3 … from the shortest length. */
  readonly weightedIncreasing: RankedMean | null;
  /** The mean with weights 1, 2, 3 … from the longest length. */
  readonly weightedDecreasing: RankedMean | null;
  /** Such as `64K`, `<4K` or `>128K`; why there is none where there is no threshold. */
  readonly effectiveLength: string;
  /** What a score must reach to be effective, in percent; `null` where there is no score to take a share of. */
  readonly threshold: number | null;
  /** The lengths of the averages that it has no score at, in tokens. */
  readonly missing: readonly number[];
}

/** Models compared by their means over the same lengths. */
export interface OwnLeaderboard {
  /** The highest average first; then those without one, in the order given. */
  readonly rows: readonly OwnLeaderboardRow[];
  /** The lengths that averages are taken over, in tokens; none where the models share no length. */
  readonly lengths: readonly number[];
}

/**
 * Ranks models by RULER's averages, published ones and one's own alike, with intervals.
 *
 * A mean over other lengths is another mean: averages are over the lengths that all models have, or over those given, and a model
 * that lacks one of these has no average and no rank. Intervals of averages count a question once that is asked at several
 * lengths; those of published rows, whose samples are not known, take lengths as independent.
 *
 * @throws {RangeError} If there is no model, two have one name, or a share is outside (0, 1].
 *
 * @example A model that was not asked at 8K is not ranked where 8K counts
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const row = { task: "all", n: 130, score: 90, low: 85, high: 94, failed: 0, noAnswer: 0 };
 * const about = { origin: "measured", claimedWindow: null } as const;
 * const one = { ...about, model: "one", rows: [{ ...row, length: 4096 }, { ...row, length: 8192 }] };
 * const two = { ...about, model: "two", rows: [{ ...row, length: 4096, score: 92 }] };
 * const { rows } = ownLeaderboard([one, two], { lengths: [4096, 8192] });
 * deepEqual(rows.map(({ model, average, missing }) => [model, average?.rank, missing]), [["one", 1, []], ["two", undefined, [8192]]]);
 * deepEqual(ownLeaderboard([one, two]).rows.map(({ model }) => model), ["two", "one"]);
 * ```
 */
export function ownLeaderboard(models: readonly BoardModel[], options: OwnLeaderboardOptions = {}): OwnLeaderboard {
  const names = models.map(({ model }) => model);
  if (names.length === 0 || new Set(names).size < names.length) {
    throw new RangeError(
      `Cannot rank models as there must be at least one, each with a name of its own: current value is ${
        names.join(", ") || "none"
      }`,
    );
  }
  const { threshold = RULER_THRESHOLD } = options;
  const scored = models.map(({ rows }) => scoresByLength(rows));
  const all = [...new Set(options.lengths ?? scored.flatMap((scores) => [...scores.keys()]))].sort((one, other) =>
    one - other
  );
  const lengths = options.lengths === undefined ? all.filter((each) => scored.every((of) => of.has(each))) : all;
  const rising = lengths.map((_, place) => place + 1);
  const meansBy = (weights: readonly number[]): readonly (RankedMean | null)[] =>
    rankMeans(scored.map((scores) => {
      const asked = lengths.map((length) => scores.get(length)).filter((score) => score !== undefined);
      return lengths.length > 0 && asked.length === lengths.length ? meanOfRows(asked, weights) : null;
    }));
  const average = meansBy(lengths.map(() => 1));
  const increasing = meansBy(rising);
  const decreasing = meansBy(rising.toReversed());
  const rows = models.map((model, at): OwnLeaderboardRow => ({
    ...model,
    average: average[at]!,
    weightedIncreasing: increasing[at]!,
    weightedDecreasing: decreasing[at]!,
    ...effectiveOf(model.rows, threshold),
    missing: lengths.filter((length) => !scored[at]!.has(length)),
  }));
  const scoreOf = ({ average }: OwnLeaderboardRow): number => average?.score ?? -1;
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

/** Ranks means from the highest; models without one have no rank. */
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
): Pick<OwnLeaderboardRow, "effectiveLength" | "threshold"> {
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
 * The rows of a published table as models for {@linkcode ownLeaderboard}, with the intervals that the samples behind them allow
 * at most.
 *
 * @param rows Of one table.
 * @param beside Rows of other tables of the same edition: where they have the model's four categories, its intervals are narrower.
 */
export function publishedModels(
  rows: readonly PublishedRow[],
  beside: readonly PublishedRow[] = [],
): readonly BoardModel[] {
  return rows.map((row) => ({
    model: row.model,
    origin: "published",
    claimedWindow: readLengthText(row.claimedLength),
    rows: publishedScoreRows(row, { beside }),
  }));
}

/** Options for {@linkcode ownLeaderboardTable}. */
export interface OwnLeaderboardTableOptions {
  /** The finding; by default which model has the highest average, if the intervals decide it. */
  readonly title?: string;
  /** What must be known before any number is read. */
  readonly warning?: string | undefined;
  /** What the scores are the mean of, such as `all 13 tasks`. */
  readonly mean: string;
  /** What the effective length is by, in words. */
  readonly threshold: string;
}

interface BoardCells extends Readonly<Record<string, string | number | null>> {
  readonly threshold: number | null;
}

/**
 * A leaderboard in the form of RULER's Table 3, each row marked by its origin, with n, the interval of the average and the ranks
 * that the intervals leave open.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, ownLeaderboard, publishedModels } from "@/lib/papers/ruler/mod.ts";
 *
 * const { rows } = await openPublished();
 * const table3 = publishedModels(rows.filter(({ edition, table, group }) => `${edition} ${table} ${group}` === "v1 3 aligned"));
 * const { text } = ownLeaderboardTable(ownLeaderboard(table3), { mean: "all 13 tasks", threshold: "85.6" });
 * match(text, /Yi \(34B\) +published +200K +32K .* 87\.5 \[8\d\.\d, 8\d\.\d\]/);
 * ```
 */
export function ownLeaderboardTable(
  { rows, lengths }: OwnLeaderboard,
  { mean, threshold, warning, ...options }: OwnLeaderboardTableOptions,
): Table {
  const ranked = rows.flatMap(({ model, average }) => average === null ? [] : [{ name: model, ...average }]);
  const { title = highestFinding(ranked, "average") } = options;
  const shown = [...new Set(rows.flatMap((row) => row.rows.map(({ length }) => length)))].sort((one, other) =>
    one - other
  );
  const cells = rows.map((row): BoardCells => ({
    model: row.model,
    origin: row.origin,
    claimed: row.claimedWindow === null ? null : lengthText(row.claimedWindow),
    effective: row.effectiveLength,
    threshold: row.threshold,
    ...Object.fromEntries(row.rows.map(({ length, score }) => [String(length), score])),
    average: row.average === null ? null : scoreText(row.average),
    increasing: row.weightedIncreasing === null ? null : rankedText(row.weightedIncreasing),
    decreasing: row.weightedDecreasing === null ? null : rankedText(row.weightedDecreasing),
    n: countText(row.rows),
  }));
  return table(cells, {
    title,
    caption: captionOf({ rows, lengths }, { mean, threshold }),
    origin: originsOf(rows),
    n: "n of each length as in its row",
    interval: "95% interval in brackets",
    warning,
    columns: [
      { field: "model", label: "Model" },
      { field: "origin", label: "Origin" },
      { field: "claimed", label: "Claimed", align: "right" },
      { field: "effective", label: "Effective", align: "right" },
      ...shown.map((length): Column<BoardCells> => ({
        field: String(length),
        label: lengthText(length),
        digits: 1,
        best: "highest",
        underline: (score, { threshold }) => typeof score === "number" && threshold !== null && score >= threshold,
      })),
      { field: "average", label: averageLabel(lengths, shown), align: "right" },
      { field: "increasing", label: "wAvg (inc)", align: "right" },
      { field: "decreasing", label: "wAvg (dec)", align: "right" },
      { field: "n", label: "n", align: "right" },
    ],
  });
}

/** What the average is over, where that is not every length shown. */
function averageLabel(lengths: readonly number[], shown: readonly number[]): string {
  if (lengths.length === 0 || lengths.length === shown.length) return "Average";
  const [first, last] = [lengths[0]!, lengths.at(-1)!];
  const isStretch = lengths.length > 2 && shown.indexOf(last) - shown.indexOf(first) === lengths.length - 1;
  return `Average of ${isStretch ? `${lengthText(first)} to ${lengthText(last)}` : lengths.map(lengthText).join(", ")}`;
}

/** The origin of all, or each model's. */
function originsOf(rows: readonly OwnLeaderboardRow[]): Origin | Readonly<Record<string, Origin>> {
  const [first] = rows;
  return rows.every(({ origin }) => origin === first?.origin)
    ? first!.origin
    : Object.fromEntries(rows.map(({ model, origin }) => [model, origin]));
}

function captionOf(
  { rows, lengths }: OwnLeaderboard,
  { mean, threshold }: Pick<OwnLeaderboardTableOptions, "mean" | "threshold">,
): string {
  const isPublished = rows.some(({ origin }) => origin === "published");
  const lacking = rows.filter(({ missing }) => missing.length > 0)
    .map(({ model, missing }) => `${model} (${missing.map(lengthText).join(", ")})`);
  return [
    `Means of ${mean} in percent, by context length in tokens; the effective length is by ${threshold}, and scores that reach it ` +
    "are underlined (plain text has a + behind them).",
    lengths.length === 0
      ? "There is no average, as no length was asked of all."
      : `Averages are over ${
        lengths.map(lengthText).join(", ")
      }. wAvg weighs these lengths 1, 2, 3 … from the shortest ` +
        "(inc) or from the longest (dec); the rank follows, then the ranks that 95% intervals of the differences leave open: " +
        "each holds for its model alone, not for all models at once.",
    ...(lacking.length === 0 ? [] : [`Not ranked, as these lengths are lacking: ${lacking.join("; ")}.`]),
    ...(isPublished ? ["The intervals of published rows are the widest that 500 samples a task allow."] : []),
  ].join(" ");
}

function scoreText({ score, low, high }: ScoreWithInterval): string {
  return `${score.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

function rankedText({ score, rank, ranks: [best, worst] }: RankedMean): string {
  return `${score.toFixed(1)} (${rank}${best === worst ? "" : `; ${best} to ${worst}`})`;
}

function countText(rows: readonly ScoreRow[]): string {
  const counts = rows.map(({ n }) => n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)].map((count) => count.toLocaleString("en"));
  return least === most ? `${least}` : `${least} to ${most}`;
}
