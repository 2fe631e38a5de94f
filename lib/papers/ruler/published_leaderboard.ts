import { readLengthText } from "@/lib/base/mod.ts";
import { type BoardModel, type Cells, lengthsOf, scoreCells, scoreColumns, WEIGHTED } from "@/lib/reports/mod.ts";
import {
  CATEGORY_KEYS,
  CATEGORY_NAMES,
  type CategoryName,
  type Edition,
  findRow,
  type PublishedCategory,
  type PublishedRow,
  type RulerPublished,
  scoreAt,
} from "./published.ts";
import { RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { type BoardRow, effectiveLengthBoard, midInterval, type ScoreRow, sum } from "@/lib/statistics/mod.ts";

/** Samples of each task and length in the RULER paper (section 4). */
export const PAPER_SAMPLES = 500;

/** Returns the number of tasks that a score is the mean of. */
function tasksOf(category: PublishedCategory): number {
  const name = CATEGORY_NAMES[category as CategoryName];
  if (category === "RULER-13") return 13;
  return name === undefined ? 1 : RULER_TASKS[name].length;
}

/**
 * Gives the scores of a published row the intervals that the paper does not print: mid-p intervals of {@linkcode PAPER_SAMPLES}
 * yes/no answers to each task.
 *
 * They are upper bounds: partial scores vary less, and so does a mean over tasks of different difficulty. The categories account
 * for part of that. Yi-34B's 83.2 at 64K is known to 0.91 points from its mean alone, to 0.84 with its categories, and to 0.75
 * with its 13 task scores, which were published for no other model. The intervals do not cover other prompts, seeds or decoding.
 *
 * @param beside Rows of other tables of the same edition: a model's four categories make its intervals narrower.
 */
export function publishedScoreRows(row: PublishedRow, beside: readonly PublishedRow[] = []): readonly ScoreRow[] {
  const n = tasksOf(row.category) * PAPER_SAMPLES;
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
    return score === undefined ? null : tasksOf(category) * (score / 100) * (1 - score / 100);
  });
  const known = parts.filter((part) => part !== null);
  const variance = known.reduce((sum, part) => sum + part, 0) / tasksOf(row.category);
  return known.length === CATEGORY_KEYS.length && variance > 0 ? variance : null;
}

/** Converts the rows of a published table for {@linkcode rankModels}; `beside` as for {@linkcode publishedScoreRows}. */
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

/** Returns sentences on the models that keep a score up to the window that they claim, and on the points that all lose. */
export function windowText(models: readonly BoardModel[], threshold: number): string {
  const ends = models.map(({ claimedWindow, rows }) => {
    const scored = rows.filter(({ score }) => score !== null);
    const within = scored.filter(({ length }) => length <= (claimedWindow ?? Infinity));
    return { isKept: (within.at(-1)?.score ?? 0) >= threshold, lost: scored[0]!.score! - scored.at(-1)!.score! };
  });
  const kept = ends.filter(({ isKept }) => isKept).length;
  const some = kept === 0 ? "None" : String(kept);
  const [least, most] = [Math.min, Math.max].map((end) => end(...ends.map(({ lost }) => lost)).toFixed(0));
  const verb = kept === 1 ? "keeps" : "keep";
  return `${some} of ${models.length} models ${verb} RULER's level up to the window claimed for it. ` +
    `From the shortest length to the longest they lose ${least} to ${most} points.`;
}

/**
 * Computes the effective lengths of published rows and how certain they are, given the samples behind their scores. Rows without a
 * threshold are left out.
 *
 * @param options `threshold`: for all rows; each table's own unless given. `beside`: as for {@linkcode publishedScoreRows}.
 */
export function publishedBoard(
  rows: readonly PublishedRow[],
  { threshold, beside = [] }: {
    readonly threshold?: Parameters<typeof effectiveLengthBoard>[0][number]["threshold"];
    readonly beside?: readonly PublishedRow[];
  } = {},
): readonly BoardRow[] {
  return effectiveLengthBoard(rows.flatMap((row) => {
    const limit = threshold ?? row.threshold;
    return limit === null ? [] : [{ model: row.model, rows: publishedScoreRows(row, beside), threshold: limit }];
  }));
}

/**
 * Shows, for each table of an edition, how many of the printed effective lengths are settled by the samples behind the scores; the title
 * has the sums.
 */
export function settledTable(rows: readonly PublishedRow[], edition: Edition): Table {
  const printed = rows.filter((row) => row.edition === edition && row.threshold !== null);
  const counts = [...Map.groupBy(printed, ({ table }) => table)].map(([number, ofTable]) => {
    const board = publishedBoard(ofTable, { beside: rows });
    return {
      name: `Table ${number}`,
      category: ofTable[0]!.category,
      lengths: board.length,
      settled: board.filter(({ isSettled }) => isSettled).length,
      most: Math.max(...board.map(({ lengths }) => lengths.filter(({ isPossible }) => isPossible).length)),
    };
  });
  return table(counts, {
    title: `${sum(counts.map(({ settled }) => settled))} of ${printed.length} ` +
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
  const groups = new Set(rows.map(({ group }) => group));
  const heads = thresholds
    .filter(({ category, aligned }) => category === first.category && groups.has(aligned ? "aligned" : "base"))
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

function publishedCells({ model, threshold, claimedLength, scores, printed }: PublishedRow): Cells {
  const ranked = (average: number | null, rank: number | null): string | null =>
    average === null ? null : `${average.toFixed(1)} (${rank})`;
  return {
    model,
    threshold,
    claimed: claimedLength,
    effective: threshold === null ? null : printed.effectiveLength?.toUpperCase() ?? null,
    ...scoreCells(scores),
    average: printed.average,
    increasing: ranked(printed.weightedIncreasing, printed.rankIncreasing),
    decreasing: ranked(printed.weightedDecreasing, printed.rankDecreasing),
  };
}

function titleOf({ edition, table, category }: PublishedRow): string {
  if (edition === "repository") return "The leaderboard of RULER's repository";
  const paper = edition === "v1" ? "the RULER paper" : "the RULER paper's third version";
  return table === 3 ? `Table 3 of ${paper}` : `Table ${table} of ${paper} (${category})`;
}
