import {
  type ComputedRow,
  type RankedMean,
  recompute,
  type RulerLeaderboard,
  type RulerLeaderboardRow,
  type SettledLengths,
} from "./leaderboard.ts";
import type { Edition, PublishedRow, RulerPublished } from "./published.ts";
import { type Column, type Table, table } from "@/lib/figures/mod.ts";
import { highestFinding, type Origin, type ScoreRow, type ScoreWithInterval, sum } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

type Cells = Readonly<Record<string, string | number | null>>;

/** A column for each length: scores that reach the row's threshold are underlined, the best of the column is bold. */
function lengthColumns(lengths: readonly number[]): readonly Column<Cells>[] {
  return lengths.map((length) => ({
    field: String(length),
    label: lengthText(length),
    digits: 1,
    best: "highest",
    underline: (score, { threshold }) =>
      typeof score === "number" && typeof threshold === "number" && score >= threshold,
  }));
}

function scoreCells(scores: readonly { readonly length: number; readonly score: number | null }[]): Cells {
  return Object.fromEntries(scores.map(({ length, score }) => [String(length), score]));
}

function lengthsOf(models: readonly (readonly { readonly length: number }[])[]): readonly number[] {
  const lengths = new Set(models.flatMap((scores) => scores.map(({ length }) => length)));
  return [...lengths].sort((left, right) => left - right);
}

/** Options for {@linkcode rulerLeaderboardTable}. */
export interface RulerLeaderboardTableOptions {
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
export function rulerLeaderboardTable(
  { rows, lengths }: RulerLeaderboard,
  { mean, threshold, warning, ...options }: RulerLeaderboardTableOptions,
): Table {
  const ranked = rows.flatMap(({ model, average }) => average === null ? [] : [{ name: model, ...average }]);
  const { title = highestFinding(ranked, "average") } = options;
  const shown = lengthsOf(rows.map((row) => row.rows));
  const cells = rows.map((row): Cells => ({
    model: row.model,
    origin: row.origin,
    claimed: row.claimedWindow === null ? null : lengthText(row.claimedWindow),
    effective: row.effectiveLength,
    threshold: row.threshold,
    ...scoreCells(row.rows),
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
      ...lengthColumns(shown),
      { field: "average", label: averageLabel(lengths, shown), align: "right" },
      { field: "increasing", label: "wAvg (inc)", align: "right" },
      { field: "decreasing", label: "wAvg (dec)", align: "right" },
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

/** The origin of all rows, or each model's. */
function originsOf(rows: readonly RulerLeaderboardRow[]): Origin | Readonly<Record<string, Origin>> {
  const [first] = rows;
  return rows.every(({ origin }) => origin === first?.origin)
    ? first!.origin
    : Object.fromEntries(rows.map(({ model, origin }) => [model, origin]));
}

function captionOf(
  { rows, lengths }: RulerLeaderboard,
  { mean, threshold }: Pick<RulerLeaderboardTableOptions, "mean" | "threshold">,
): string {
  const isPublished = rows.some(({ origin }) => origin === "published");
  const unranked = rows.filter(({ missing }) => missing.length > 0)
    .map(({ model, missing }) => `${model} (${missing.map(lengthText).join(", ")})`);
  return [
    `Means of ${mean} in percent, by context length in tokens. The effective length is by ${threshold}; scores that reach it are ` +
    "underlined (in plain text, followed by +).",
    lengths.length === 0
      ? "There is no average, as no length was asked of all models."
      : `Averages are over ${
        lengths.map(lengthText).join(", ")
      }. wAvg weighs these lengths 1, 2, 3 … from the shortest ` +
        "(inc) or from the longest (dec); in parentheses the rank, then the ranks that 95% intervals of the differences leave " +
        "open. Each such range holds for its model alone, not for all models at once.",
    ...(unranked.length === 0 ? [] : [`Not ranked, as these lengths are missing: ${unranked.join("; ")}.`]),
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
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)].map((count) => count.toLocaleString("en"));
  return fewest === most ? `${fewest}` : `${fewest} to ${most}`;
}

/** Selects the table that {@linkcode publishedTable} shows. */
export interface PublishedTableOptions {
  readonly edition: Edition;
  /**
   * Its number, one of 3 and 10 to 16; the repository's leaderboard continues Table 3.
   *
   * @default {3}
   */
  readonly table?: number;
}

const CAPTION = "Scores in percent by context length in tokens, the best of each column in bold.";
const UNDERLINED = "Scores that reach the threshold are underlined (in plain text, followed by +).";
const WEIGHTS =
  "Weighted averages weigh lengths 1, 2, 3 … from the shortest (inc) or from the longest (dec), with the rank in parentheses.";
const REPOSITORY =
  "Scores of models with a star are from reports of other authors: Jamba-1.5-large (arXiv 2408.12570), FILM-7B (2404.16811; YaRN " +
  "without further training beyond 32K, and no worked example in common words), Qwen2.5-1M (2501.15383), Qwen3 (2505.09388), EXAONE " +
  "4.0 (2507.11407). For the last three the repository prints no weighted averages and ranks; here they are computed, so ranks are " +
  "among more models than there. A model without a score at a length has no average and no rank.";

/**
 * Shows a table of scores that RULER published, headed by Llama2-7B, whose score at 4K is the threshold of the others. Averages, ranks
 * and effective lengths are recomputed from the scores.
 *
 * @throws {RangeError} If the edition has no such table.
 *
 * @example The longest list of models is the repository's
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
 *
 * const { text } = publishedTable(await openPublished(), { edition: "repository" });
 * match(text, /^EXAONE-4\.0-1\.2B\* \(1\.2B\) +64K +16K +87\.0\+ .* –/m);
 * ```
 */
export function publishedTable(
  { rows: all, thresholds }: Pick<RulerPublished, "rows" | "thresholds">,
  { edition, table: number = 3 }: PublishedTableOptions,
): Table {
  const ofEdition = all.filter((row) => row.edition === edition);
  const rows = ofEdition.filter(({ table }) => table === number);
  const [first] = rows;
  if (first === undefined) {
    const numbers = [...new Set(ofEdition.map(({ table }) => table))].join(", ");
    throw new RangeError(
      `Cannot show a published table as its number must be one of ${numbers} in ${edition}: current value is ${number}`,
    );
  }
  const groups = new Set(rows.map(({ group }) => group));
  const heads = thresholds
    .filter(({ category, aligned }) => category === first.category && groups.has(aligned ? "aligned" : "base"))
    .map(({ model, length, threshold }): Cells => ({ model, claimed: "4k", [length]: threshold }));
  return table([...heads, ...recompute(rows).map(publishedCells)], {
    title: `${titleOf(first)}, every derived column recomputed`,
    origin: "published",
    n: edition === "repository" ? "500 samples a task and length unless starred" : "500 samples a task and length",
    caption: [
      CAPTION,
      ...(first.threshold === null ? [] : [UNDERLINED]),
      WEIGHTS,
      ...(edition === "repository" ? [REPOSITORY] : []),
    ].join(" "),
    columns: [
      { field: "model", label: "Model" },
      { field: "claimed", label: "Claimed", align: "right" },
      { field: "effective", label: "Effective", align: "right" },
      ...lengthColumns(lengthsOf(rows.map(({ scores }) => scores))),
      { field: "average", label: "Average", digits: 1, best: "highest" },
      { field: "increasing", label: "wAvg (inc)", align: "right" },
      { field: "decreasing", label: "wAvg (dec)", align: "right" },
    ],
  });
}

function publishedCells({ model, threshold, claimedLength, scores, computed }: ComputedRow): Cells {
  const ranked = (mean: RankedMean | null): string | null =>
    mean === null ? null : `${mean.score.toFixed(1)} (${mean.rank})`;
  return {
    model,
    threshold,
    claimed: claimedLength,
    effective: threshold === null ? null : computed.effectiveLength,
    ...scoreCells(scores),
    // An error-free sum, so that ties round alike on every machine.
    average: computed.average === null ? null : sum(scores.map(({ score }) => score * (1 / scores.length))),
    increasing: ranked(computed.weightedIncreasing),
    decreasing: ranked(computed.weightedDecreasing),
  };
}

function titleOf({ edition, table, category }: PublishedRow): string {
  if (edition === "repository") return "The leaderboard of RULER's repository";
  const paper = edition === "v1" ? "the RULER paper" : "the RULER paper's third version";
  return table === 3 ? `Table 3 of ${paper}` : `Table ${table} of ${paper} (${category})`;
}

/**
 * Shows how many printed effective lengths are settled, one row for each published table; the title has the sums.
 *
 * @throws {RangeError} If there are no rows.
 */
export function settledTable(rows: readonly SettledLengths[]): Table {
  const total = (part: (row: SettledLengths) => number): number => rows.reduce((sum, row) => sum + part(row), 0);
  const named = rows.map((row) => ({ ...row, name: `Table ${row.table}` }));
  return table(named, {
    title: `${total(({ settled }) => settled)} of ${total(({ lengths }) => lengths)} ` +
      "printed effective lengths are settled by the samples behind them",
    caption:
      "Settled: the 95% confidence set of the effective length holds no other length. The spread of scores is taken at its widest, " +
      "so more may be settled; thresholds are taken as certain, so fewer may be.",
    origin: "published",
    n: "500 samples of each task",
    columns: [
      { field: "name", label: "Table" },
      { field: "category", label: "Scores" },
      { field: "lengths", label: "Effective lengths", digits: 0 },
      { field: "settled", label: "Settled", digits: 0 },
      { field: "most", label: "Most lengths not excluded", digits: 0 },
    ],
  });
}
