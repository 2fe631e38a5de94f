import { countColumn, numberColumn, readRows, type Row, scoreColumn, textColumn } from "../published/_columns.ts";

/** A cell of Table 5: a model on one of the three tests. */
export interface PublishedRecall {
  /** The model as the table names it. */
  readonly model: string;
  /** The test: `PistachioAI`, `San Francisco` or `Thornfield Hollow`. */
  readonly test: string;
  /** Prompts graded: 35 x 35, or 25 x 25. */
  readonly cells: number;
  /** The printed recall in percent, in [20, 100]: the sum of grades over 5 x `cells`. */
  readonly recall: number;
  /** The one sum of grades that rounds to it. */
  readonly gradeSum: number;
}

/** A row of Table 1. */
export interface RecallModel {
  /** The model as the table names it. */
  readonly model: string;
  /** Its context window in tokens. */
  readonly window: number;
}

/** A cell of a published needle heatmap: all replies at one length and depth. */
export interface NeedleCell {
  /** The model. */
  readonly model: string;
  /** Context length in tokens. */
  readonly length: number;
  /** Where the needle stood, in percent of the context. */
  readonly depth: number;
  /** The mean of the judge's scores, in [1, 10]. */
  readonly score: number;
  /** How many replies it is the mean of. */
  readonly n: number;
}

/** What was published about recall and its prompts. */
export interface RecallPublished {
  /** Table 5. */
  readonly recalls: readonly PublishedRecall[];
  /** Table 1. */
  readonly models: readonly RecallModel[];
  /** Kamradt's results for GPT-4 Turbo (128K) and Claude 2.1 (200K), repeats averaged. */
  readonly cells: readonly NeedleCell[];
}

/** The files of `data/published` that hold it. */
export const RECALL_FILES = [
  "machlab_table1_models.csv",
  "machlab_table5_recall.csv",
  "niah_original_gpt4_128k.csv",
  "niah_original_claude21_200k.csv",
] as const;

/** The text of each of {@linkcode RECALL_FILES}. */
export type RecallTexts = Readonly<Record<typeof RECALL_FILES[number], string>>;

const RECALL_COLUMNS = {
  model: textColumn("model"),
  test: textColumn("test"),
  cells: countColumn("num_tests"),
  recall: scoreColumn("recall_percent"),
  gradeSum: countColumn("implied_score_sum"),
};
const CELL_COLUMNS = {
  model: textColumn("model"),
  length: countColumn("context_length"),
  depth: scoreColumn("depth_percent"),
  score: numberColumn("score_1_10", { low: 1, high: 10 }),
};

/**
 * Reads what was published about prompt-dependent recall from the texts of its CSV files; `openRecallPublished` reads the files too.
 *
 * @param texts The text of each file.
 * @returns Tables 1 and 5 of Machlab and Battle (arXiv 2404.08865v1), and Kamradt's scores, one row a length and depth.
 * @throws {SyntaxError} If a file is not as wanted; the message names file, line and column.
 *
 * @example An empty file is told by name
 * ```ts
 * import { throws } from "node:assert/strict";
 * import { RECALL_FILES, type RecallTexts } from "@/lib/analysis/mod.ts";
 *
 * const texts = Object.fromEntries(RECALL_FILES.map((file) => [file, ""])) as RecallTexts;
 * throws(() => readRecallPublished(texts), /Cannot read machlab_table5_recall.csv/);
 * ```
 */
export function readRecallPublished(texts: RecallTexts): RecallPublished {
  const read = <const C extends Parameters<typeof readRows>[1]["columns"]>(
    file: keyof RecallTexts,
    columns: C,
  ): readonly Row<C>[] => readRows(texts[file], { file, columns });
  const windows = { model: textColumn("model"), window: countColumn("context_window_tokens") };
  return {
    recalls: read("machlab_table5_recall.csv", RECALL_COLUMNS),
    models: read("machlab_table1_models.csv", windows),
    cells: [
      ...meanCells(read("niah_original_gpt4_128k.csv", CELL_COLUMNS)),
      ...meanCells(read("niah_original_claude21_200k.csv", CELL_COLUMNS)),
    ],
  };
}

/** Averages what stands in one cell: a heatmap has one colour for it. */
function meanCells(rows: readonly Omit<NeedleCell, "n">[]): NeedleCell[] {
  const cells = Map.groupBy(rows, ({ length, depth }) => `${length}/${depth}`);
  return [...cells.values()].map((repeats) => ({
    ...repeats[0]!,
    score: repeats.reduce((sum, { score }) => sum + score, 0) / repeats.length,
    n: repeats.length,
  }));
}
