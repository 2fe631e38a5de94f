import {
  countColumn,
  numberColumn,
  PUBLISHED_FOLDER,
  readPublishedTexts,
  readRows,
  type Row,
  scoreColumn,
  textColumn,
} from "@/lib/statistics/mod.ts";

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
 * import { RECALL_FILES, type RecallTexts } from "@/lib/benchmarks/prompt_dependence/published.ts";
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

/**
 * Opens what was published about prompt-dependent recall, from the CSV files of `data/published`; it needs permission to read
 * that folder.
 *
 * @param folder Where the files are, if elsewhere; ends in a slash.
 * @returns The tables, as typed rows.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file is not as wanted.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal((await openRecallPublished()).recalls.length, 27);
 * ```
 */
export async function openRecallPublished(folder: URL = PUBLISHED_FOLDER): Promise<RecallPublished> {
  return readRecallPublished(await readPublishedTexts(RECALL_FILES, folder));
}

/** The lowest and the highest grade that a judge can give. */
const [LOWEST, HIGHEST] = [1, 5];

/** Recall as the paper counts it, and without its floor. */
export interface RecallPercent {
  /** The sum of grades over 5 x cells, in percent. Range: 20 to 100, as the lowest grade is 1. */
  readonly recall: number;
  /** The share of what lies above the lowest grade, in percent. Range: 0 to 100. */
  readonly aboveFloor: number;
}

/**
 * Gives recall from grades of 1 to 5: the sum of grades / (5 x cells).
 *
 * Machlab and Battle (arXiv 2404.08865v1), section 3.3. A model that finds nothing has 20%, not 0.
 *
 * @param gradeSum The sum of all grades.
 * @param cells How many there are.
 * @throws {RangeError} If there is no cell, or the sum is none that so many grades can have.
 *
 * @example Mistral 7B v0.1 on Thornfield Hollow
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { recall, aboveFloor } = recallPercent(2507, 1225);
 * equal(recall.toFixed(2), "40.93");
 * equal(aboveFloor.toFixed(1), "26.2");
 * ```
 */
export function recallPercent(gradeSum: number, cells: number): RecallPercent {
  if (!Number.isInteger(cells) || cells < 1) {
    throw new RangeError(`Cannot give recall as cells must be a whole number from 1: current value is ${cells}`);
  }
  if (!(gradeSum >= LOWEST * cells && gradeSum <= HIGHEST * cells)) {
    throw new RangeError(
      `Cannot give recall as the sum of ${cells} grades must be in [${cells}, ${
        5 * cells
      }]: current value is ${gradeSum}`,
    );
  }
  return {
    recall: 100 * gradeSum / (HIGHEST * cells),
    aboveFloor: 100 * (gradeSum - LOWEST * cells) / ((HIGHEST - LOWEST) * cells),
  };
}
