import { lengthText, rangeText } from "@/lib/base/mod.ts";
import { type Column, intervalText, type Table, table } from "@/lib/figures/mod.ts";
import {
  differenceInterval,
  effectiveLength,
  highestFinding,
  meanOfRows,
  type Origin,
  RULER_THRESHOLD,
  type ScoreRow,
  type ScoreWithInterval,
  widened,
} from "@/lib/statistics/mod.ts";

/** A model to rank with {@linkcode rankModels}. */
export interface BoardModel {
  readonly model: string;
  readonly origin: Origin;
  /** The context window that its authors claim, in tokens; `null` if unknown. */
  readonly claimedWindow: number | null;
  /** Its mean over the tasks at each length, with a 95% interval. */
  readonly rows: readonly ScoreRow[];
}

export interface RankedMean extends ReturnType<typeof meanOfRows> {
  /** From 1, among the models that have this mean. */
  readonly rank: number;
  /** The best and the worst rank that the intervals of the differences from all others leave open, at 95% together (Bonferroni). */
  readonly ranks: readonly [best: number, worst: number];
}

export interface RankedModel extends BoardModel {
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
export interface Leaderboard {
  /** The highest average first; then the models without one, in the order given. */
  readonly rows: readonly RankedModel[];
  /** The lengths that averages are taken over, in tokens; none if the models share no length. */
  readonly lengths: readonly number[];
}

/** The score that makes a length effective: in percent, or a share of the model's own score at its shortest length. */
type Threshold = number | { readonly share: number };

/**
 * Ranks published and measured models as RULER's Table 3 does, with intervals.
 *
 * RULER's weights go by the rank of the length, not by tokens: 1/21, 2/21 to 6/21 for six lengths. A model that lacks one of the
 * lengths has no average and no rank. Intervals count a question once that is asked at several lengths; those of published rows
 * treat lengths as independent.
 *
 * @param options `lengths`: those to average over, in tokens; by default those that all models have. `threshold`: the score that makes
 *   a length effective, in percent, 85.6 by default, or a share of the model's own score at its shortest length.
 * @throws {RangeError} If there is no model, or two have one name.
 */
export function rankModels(
  models: readonly BoardModel[],
  options: { readonly lengths?: readonly number[]; readonly threshold?: Threshold } = {},
): Leaderboard {
  const names = models.map(({ model }) => model);
  if (names.length === 0 || new Set(names).size < names.length) {
    const shown = names.join(", ") || "none";
    throw new RangeError(
      `Cannot rank models as there must be at least one, with different names: current value is ${shown}`,
    );
  }
  const { threshold = RULER_THRESHOLD } = options;
  const scored = models.map(({ rows }) => scoresByLength(rows));
  const shared = (length: number): boolean => scored.every((scores) => scores.has(length));
  const lengths = rising(options.lengths ?? [...scored[0]!.keys()].filter(shared));
  const rankBy = (weights: readonly number[]): readonly (RankedMean | null)[] =>
    rankMeans(scored.map((scores) => {
      const asked = lengths.map((length) => scores.get(length)).filter((score) => score !== undefined);
      return lengths.length > 0 && asked.length === lengths.length ? meanOfRows(asked, weights) : null;
    }));
  const weights = lengths.map((_, place) => place + 1);
  const average = rankBy(lengths.map(() => 1));
  const increasing = rankBy(weights);
  const decreasing = rankBy(weights.toReversed());
  const rows = models.map((model, at): RankedModel => ({
    ...model,
    average: average[at]!,
    weightedIncreasing: increasing[at]!,
    weightedDecreasing: decreasing[at]!,
    ...effectiveOf(model.rows, threshold),
    missing: lengths.filter((length) => !scored[at]!.has(length)),
  }));
  const scoreOf = ({ average }: RankedModel): number => average?.score ?? -1;
  return { rows: rows.toSorted((one, other) => scoreOf(other) - scoreOf(one)), lengths };
}

function scoresByLength(rows: readonly ScoreRow[]): ReadonlyMap<number, Parameters<typeof meanOfRows>[0][number]> {
  return new Map(
    rows.flatMap(({ length, score, low, high, ...row }) =>
      score === null ? [] : [[length, { ...row, score, low: low ?? score, high: high ?? score }] as const]
    ),
  );
}

function rising(lengths: readonly number[]): readonly number[] {
  return [...new Set(lengths)].sort((left, right) => left - right);
}

// Averages of the same printed scores can differ in their last digits.
const SAME = 1e-9;

/** Ranks means from the highest, before any rounding; ties share the better rank. */
function rankMeans(means: readonly (ReturnType<typeof meanOfRows> | null)[]): readonly (RankedMean | null)[] {
  const ranked = means.filter((mean) => mean !== null);
  const wide = widened(ranked);
  return means.map((mean) => {
    if (mean === null) return null;
    const own = ranked.indexOf(mean);
    const differences = wide.filter((_, at) => at !== own).map((other) => differenceInterval(wide[own]!, other));
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
  threshold: Threshold,
): Pick<RankedModel, "effectiveLength" | "threshold"> {
  const scored = rows.filter(({ score }) => score !== null).toSorted((one, other) => one.length - other.length);
  const [shortest] = scored;
  if (shortest === undefined) return { effectiveLength: "no score", threshold: null };
  const limit = typeof threshold === "number" ? threshold : threshold.share * shortest.score!;
  return limit === 0
    ? { effectiveLength: `${lengthText(shortest.length)} scores 0`, threshold: null }
    : { effectiveLength: effectiveLength(scored, limit).text, threshold: limit };
}

export type Cells = Readonly<Record<string, string | number | null>>;

export type Scores = readonly { readonly length: number; readonly score: number | null }[];

/** Returns the lengths at which models have rows, rising. */
export function lengthsOf(models: readonly Scores[]): readonly number[] {
  return rising(models.flatMap((scores) => scores.map(({ length }) => length)));
}

/** Returns the columns before the averages: scores that reach the row's threshold are underlined, the best of a length is bold. */
export function scoreColumns(lengths: readonly number[], hasOrigin: boolean): readonly Column<Cells>[] {
  return [
    { field: "model", label: "Model" },
    ...(hasOrigin ? [{ field: "origin", label: "Origin" }] : []),
    { field: "claimed", label: "Claimed", align: "right" },
    { field: "effective", label: "Effective", align: "right" },
    ...lengths.map((length): Column<Cells> => ({
      field: String(length),
      label: lengthText(length),
      digits: 1,
      best: "highest",
      underline: (score, { threshold }) =>
        typeof score === "number" && typeof threshold === "number" && score >= threshold,
    })),
  ];
}

export const WEIGHTED: readonly Column<Cells>[] = [
  { field: "increasing", label: "wAvg (inc)", align: "right" },
  { field: "decreasing", label: "wAvg (dec)", align: "right" },
];

export function scoreCells(scores: Scores): Cells {
  return Object.fromEntries(scores.map(({ length, score }) => [String(length), score]));
}

/** Options for {@linkcode rankTable}. */
export interface RankTableOptions {
  /** The finding; by default which model has the highest average, if the intervals decide it. */
  readonly title?: string;
  /** A caveat that must precede the numbers. */
  readonly warning?: string | undefined;
  /** The tasks that scores are the mean of, such as `all 13 tasks`. */
  readonly mean: string;
  /** The rule of the effective length, in words. */
  readonly threshold: string;
}

/**
 * Shows a leaderboard in the form of RULER's Table 3: each row with its origin, n, the interval of the average and the ranks that
 * the intervals leave open.
 */
export function rankTable(board: Leaderboard, options: RankTableOptions): Table {
  const { rows, lengths } = board;
  const ranked = rows.flatMap(({ model, average }) => average === null ? [] : [{ name: model, ...average }]);
  const shown = lengthsOf(rows.map((row) => row.rows));
  const origins = new Set(rows.map(({ origin }) => origin));
  const cells = rows.map((row): Cells => ({
    model: row.model,
    origin: row.origin,
    claimed: row.claimedWindow === null ? null : lengthText(row.claimedWindow),
    effective: row.effectiveLength,
    threshold: row.threshold,
    ...scoreCells(row.rows),
    average: row.average === null ? null : row.average.score.toFixed(1) + intervalText(row.average),
    increasing: rankedText(row.weightedIncreasing),
    decreasing: rankedText(row.weightedDecreasing),
    n: rangeText(row.rows.map(({ n }) => n)),
  }));
  return table(cells, {
    title: options.title ?? highestFinding(ranked, "average"),
    caption: captionOf(board, options),
    origin: origins.size === 1 ? rows[0]!.origin : Object.fromEntries(rows.map(({ model, origin }) => [model, origin])),
    n: "n of each length as in its row",
    interval: "95% interval in brackets",
    warning: options.warning,
    columns: [
      ...scoreColumns(shown, true),
      { field: "average", label: averageLabel(lengths, shown), align: "right" },
      ...WEIGHTED,
      { field: "n", label: "n", align: "right" },
    ],
  });
}

/** Names the lengths of the average, unless they are all that are shown. */
function averageLabel(lengths: readonly number[], shown: readonly number[]): string {
  if (lengths.length === 0 || lengths.length === shown.length) return "Average";
  const [first, last] = [lengths[0]!, lengths.at(-1)!];
  const isStretch = lengths.length > 2 && shown.indexOf(last) - shown.indexOf(first) === lengths.length - 1;
  return `Average of ${isStretch ? `${lengthText(first)} to ${lengthText(last)}` : lengths.map(lengthText).join(", ")}`;
}

function captionOf(
  { rows, lengths }: Leaderboard,
  { mean, threshold }: Pick<RankTableOptions, "mean" | "threshold">,
): string {
  const isPublished = rows.some(({ origin }) => origin === "published");
  const unranked = rows.filter(({ missing }) => missing.length > 0)
    .map(({ model, missing }) => `${model} (${missing.map(lengthText).join(", ")})`);
  return [
    `Means of ${mean} in percent, by context length in tokens. The effective length is by ${threshold}; scores that reach it are ` +
    "underlined (in plain text, followed by +).",
    lengths.length === 0
      ? "There is no average, as no length was asked of all models."
      : `Averages are over ${lengths.map(lengthText).join(", ")}. ` +
        "wAvg weighs these lengths 1, 2, 3 … from the shortest (inc) or from the longest (dec); in parentheses the rank, then the " +
        "ranks that the differences from all others leave open, with 95% confidence for each model (Bonferroni).",
    ...(unranked.length === 0 ? [] : [`Not ranked, as these lengths are missing: ${unranked.join("; ")}.`]),
    ...(isPublished ? ["The intervals of published rows are the widest that 500 samples a task allow."] : []),
  ].join(" ");
}

function rankedText(mean: RankedMean | null): string | null {
  if (mean === null) return null;
  const { score, rank, ranks: [best, worst] } = mean;
  return `${score.toFixed(1)} (${rank}${best === worst ? "" : `; ${best} to ${worst}`})`;
}
