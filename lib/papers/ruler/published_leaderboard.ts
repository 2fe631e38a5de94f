import type { Edition, PublishedRow, RulerPublished } from "./published.ts";
import {
  type BoardModel,
  type Cells,
  lengthsOf,
  scoreCells,
  scoreColumns,
  WEIGHTED,
} from "@/lib/papers/evidence/rank_models.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { type BoardRow, effectiveLengthBoard } from "@/lib/statistics/mod.ts";

/** Converts the rows of a published table for {@linkcode rankModels}. */
export function publishedModels(rows: readonly PublishedRow[]): readonly BoardModel[] {
  return rows.map(({ model, claimedWindow, scores }) => ({ model, origin: "published", claimedWindow, rows: scores }));
}

/**
 * Computes the effective lengths of published rows and how certain they are, given the samples behind their scores. Rows without a
 * threshold are left out.
 *
 * @param threshold For all rows; each table's own unless given.
 */
export function publishedBoard(
  rows: readonly PublishedRow[],
  threshold?: Parameters<typeof effectiveLengthBoard>[0][number]["threshold"],
): readonly BoardRow[] {
  return effectiveLengthBoard(rows.flatMap((row) => {
    const limit = threshold ?? row.threshold;
    return limit === null ? [] : [{ model: row.model, rows: row.scores, threshold: limit }];
  }));
}

const CAPTION = "Scores in percent by context length in tokens, the best of each column in bold.";
const UNDERLINED = "Scores that reach the threshold are underlined (in plain text, followed by +).";
const WEIGHTS =
  "Weighted averages weigh lengths 1, 2, 3 … from the shortest (inc) or from the longest (dec), with the rank in parentheses.";
const REPOSITORY =
  "Scores of models with a star are from reports of other authors: Jamba-1.5-large (arXiv 2408.12570), FILM-7B (2404.16811; YaRN " +
  "without further training beyond 32K, and no worked example in common words), Qwen2.5-1M (2501.15383), Qwen3 (2505.09388), EXAONE " +
  "4.0 (2507.11407). For the last three the repository prints no weighted averages and ranks.";

/**
 * Shows a table of scores as RULER published it, headed by Llama2-7B, whose score at 4K is the threshold of the others.
 *
 * @param options `table`: its number, one of 3 and 10 to 16, by default 3, which the repository's leaderboard continues.
 */
export function publishedTable(
  { rows: all, thresholds }: Pick<RulerPublished, "rows" | "thresholds">,
  { edition, table: number = 3 }: { readonly edition: Edition; readonly table?: number },
): Table {
  const rows = all.filter((row) => row.edition === edition && row.table === number);
  const first = rows[0]!;
  const isRepository = edition === "repository";
  const heads = thresholds
    .filter((limit) => limit.task === first.task && rows.some(({ aligned }) => aligned === limit.aligned))
    .map(({ model, length, threshold }): Cells => ({ model, claimed: "4k", [length]: threshold }));
  return table([...heads, ...rows.map(publishedCells)], {
    title: `${titleOf(first)}, as printed`,
    origin: "published",
    n: `500 samples a task and length${isRepository ? " unless starred" : ""}`,
    caption: [
      CAPTION,
      ...(first.threshold === null ? [] : [UNDERLINED]),
      WEIGHTS,
      ...(isRepository ? [REPOSITORY] : []),
    ].join(" "),
    columns: [
      ...scoreColumns(lengthsOf(rows.map(({ scores }) => scores)), false),
      { field: "average", label: "Average", digits: 1, best: "highest" },
      ...WEIGHTED,
    ],
  });
}

function publishedCells(row: PublishedRow): Cells {
  const ranked = (average: number | null, rank: number | null): string | null =>
    average === null ? null : `${average.toFixed(1)} (${rank})`;
  return {
    model: row.model,
    threshold: row.threshold,
    claimed: row.claimedLength,
    effective: row.threshold === null ? null : row.effectiveLength?.toUpperCase() ?? null,
    ...scoreCells(row.scores),
    average: row.average,
    increasing: ranked(row.weightedIncreasing, row.rankIncreasing),
    decreasing: ranked(row.weightedDecreasing, row.rankDecreasing),
  };
}

function titleOf({ edition, table, task }: PublishedRow): string {
  if (edition === "repository") return "The leaderboard of RULER's repository";
  const paper = edition === "v1" ? "the RULER paper" : "the RULER paper's third version";
  return table === 3 ? `Table 3 of ${paper}` : `Table ${table} of ${paper} (${task})`;
}
