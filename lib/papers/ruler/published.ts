import { readLengthText, sum } from "@/lib/base/mod.ts";
import { CATEGORIES, RULER_OVERALL, RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import {
  column,
  type CsvColumn,
  type Evidence,
  openRows,
  type Row,
  type ScoreRow,
  type ScoreWithInterval,
  widestInterval,
} from "@/lib/statistics/mod.ts";

/**
 * The source of a table: the first or third version of arXiv 2404.06654, or the leaderboard of RULER's repository, which continues
 * Table 3. In the leaderboard some models have no weighted averages and no rank, and one has no score at 128K.
 */
export type Edition = "v1" | "v3" | "repository";

/**
 * A task of the tables: the mean over all 13 (Tables 3 and 12), one task (Tables 10 and 11) or the mean over a category (Tables 13
 * to 16).
 */
const TASK = column.choice("task", [RULER_OVERALL, "niah_single_1", "niah_single_2", ...CATEGORIES]);

// The columns by the names that their values have here. Averages and thresholds are in percent.
const PRINTED = {
  source: column.text("source"),
  edition: column.choice<Edition>("edition", ["v1", "v3", "repository"]),
  table: column.count("table"),
  task: TASK,
  model: column.text("model"),
  // Models are ranked and judged within their group: aligned or base.
  aligned: column.yesNo("aligned"),
  // As printed: `128k`, `1M`.
  claimedLength: lengthColumn("claimed_length", /^\d+[KkMm]$/, 'a length like "32K" or "1M"'),
  // As printed: `32k`, `<4k`, `>128K`.
  effectiveLength: column.optional(
    lengthColumn("effective_length", /^([<>]?\d+[Kk]|-)$/, 'a length like "32K", "<4K" or ">128K", or "-"'),
  ),
  average: column.score("avg"),
  weightedIncreasing: column.optional(column.score("wavg_inc")),
  // Ranks are from 1, in the group.
  rankIncreasing: column.optional(column.count("rank_inc")),
  weightedDecreasing: column.optional(column.score("wavg_dec")),
  rankDecreasing: column.optional(column.count("rank_dec")),
};

const THRESHOLDS = {
  table: column.count("table"),
  task: TASK,
  aligned: column.yesNo("aligned"),
  // Llama2-7B as the table names it.
  model: column.text("model"),
  length: column.count("length"),
  threshold: column.score("threshold"),
};

function lengthColumn(name: string, form: RegExp, wanted: string): CsvColumn<string> {
  return { name, wanted, read: (cell) => form.test(cell) ? cell : undefined };
}

/** A model's row in one of RULER's tables: its scores, and the averages, ranks and lengths as printed. */
export interface PublishedRow extends Row<typeof PRINTED> {
  /** The claimed context length, in tokens. */
  readonly claimedWindow: number;
  /** Lengths rising; lengths without a score are left out. The intervals are upper bounds. */
  readonly scores: readonly (ScoreRow & ScoreWithInterval)[];
  /** The score that makes a length effective, in percent; `null` in Tables 10 and 11. */
  readonly threshold: number | null;
}

export interface RulerPublished {
  /** Tables 3 and 10 to 16 in both editions, and the repository's leaderboard. */
  readonly rows: readonly PublishedRow[];
  /** The scores of Llama2-7B at 4K that make a length effective, by table: chat for aligned models, base for others. */
  readonly thresholds: readonly Row<typeof THRESHOLDS>[];
}

/**
 * Reads RULER's tables from the CSV files of `data/published`.
 *
 * @throws {SyntaxError} If a file has the wrong columns or cells.
 */
export async function openPublished(): Promise<RulerPublished> {
  const scoresOf = Map.groupBy(await openEvidence("ruler"), ({ source, model }) => `${source} ${model}`);
  const thresholds = await openRows("ruler_thresholds.csv", THRESHOLDS);
  const printed = await openRows("ruler_aggregates.csv", PRINTED);
  const rows = printed.map((row): PublishedRow => {
    const limit = thresholds.find(({ task, aligned }) => task === row.task && aligned === row.aligned);
    return {
      ...row,
      claimedWindow: readLengthText(row.claimedLength),
      scores: scoresOf.get(`${row.source} ${row.model}`)!.map(scoreRow)
        .toSorted((left, right) => left.length - right.length),
      threshold: limit?.threshold ?? null,
    };
  });
  return { rows: rows.map((row) => ({ ...row, scores: narrowed(row, rows) })), thresholds };
}

function scoreRow({ task, length, n, score, low, high }: Evidence): ScoreRow & ScoreWithInterval {
  return { task, length: length!, n: n!, score, low: low!, high: high!, failed: 0, noAnswer: 0 };
}

/**
 * Narrows the intervals of means over the 13 tasks by the model's four categories, where a table has them.
 *
 * The paper prints no intervals. Those of {@linkcode openEvidence} are of 500 yes/no answers to each task. They are upper bounds:
 * partial scores vary less, and so does a mean over tasks of different difficulty. The categories account for part of that. Yi-34B's
 * 83.2 at 64K is known to 0.91 points from its mean alone, to 0.84 with its categories, and to 0.75 with its 13 task scores, which
 * were published for no other model. The intervals do not cover other prompts, seeds or decoding.
 */
function narrowed(row: PublishedRow, rows: readonly PublishedRow[]): PublishedRow["scores"] {
  if (row.task !== RULER_OVERALL) return row.scores;
  const parts = CATEGORIES.map((task) => ({ weight: RULER_TASKS[task].length, of: findRow(rows, { ...row, task }) }));
  if (parts.some(({ of }) => of === undefined)) return row.scores;
  return row.scores.map((cell) => {
    const varianceOf = (score: number): number => (score / 100) * (1 - score / 100);
    const within = sum(parts, ({ weight, of }) => weight * varianceOf(scoreAt(of, cell.length)!)) / 13;
    const trials = within > 0 ? cell.n * Math.max(1, varianceOf(cell.score) / within) : cell.n;
    return { ...cell, ...widestInterval(cell.score, trials) };
  });
}

/** Finds a model's row for a task, even if a table misprints its size, as Table 16 does for Command-R. */
export function findRow(
  rows: readonly PublishedRow[],
  wanted: Pick<PublishedRow, "edition" | "task" | "model">,
): PublishedRow | undefined {
  const candidates = rows.filter((row) => row.edition === wanted.edition && row.task === wanted.task);
  const ofStem = candidates.filter((row) => stemOf(row.model) === stemOf(wanted.model));
  return candidates.find((row) => row.model === wanted.model) ?? (ofStem.length === 1 ? ofStem[0] : undefined);
}

/** Returns the name without the size: `Command-R` for `Command-R (35B)`. */
export function stemOf(model: string): string {
  return model.replace(/ \([^)]*\)$/, "");
}

/** Returns the printed score of a row at a length. */
export function scoreAt(row: PublishedRow | undefined, length: number): number | undefined {
  return row?.scores.find((at) => at.length === length)?.score;
}
