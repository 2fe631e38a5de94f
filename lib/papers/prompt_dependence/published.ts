import { mean } from "@/lib/base/mod.ts";
import { column, openRows, type Row } from "@/lib/statistics/mod.ts";

const MODEL = column.text("model");
const TEST = column.text("test");
/** A haystack's length in the model's tokens, and the depth of the needle in percent of it. */
const PLACE = { model: MODEL, length: column.count("context_length"), depth: column.score("depth_percent") };

/** Table 5: prompts graded, the printed recall in percent, and the only sum of grades that rounds to it. */
const RECALLS = {
  model: MODEL,
  test: TEST,
  cells: column.count("num_tests"),
  recall: column.score("recall_percent"),
  gradeSum: column.count("implied_score_sum"),
};
const MODELS = { model: MODEL, window: column.count("context_window_tokens") };
const CELLS = { ...PLACE, score: column.number("score_1_10", { low: 1, high: 10 }) };
const GRADES = { ...PLACE, test: TEST, score: column.number("grade_1_5", { low: 1, high: 5 }) };

/** A cell of Table 5: a model on one of the three tests; and the model's context window in tokens, from Table 1. */
export type PublishedRecall = Row<typeof RECALLS> & Pick<Row<typeof MODELS>, "window">;

/** A cell of one of the paper's heatmaps: the grade of one reply. Every second length is printed, the others lie halfway. */
export type PublishedGrade = Row<typeof GRADES>;

/** A cell of a published needle heatmap: the mean of the judge's scores, in [1, 10], of `n` replies. */
export type NeedleCell = Row<typeof CELLS> & { readonly n: number };

/** The published numbers on recall and prompts; models and tests have the names of Table 5. */
export interface RecallPublished {
  /** Tables 5 and 1. */
  readonly recalls: readonly PublishedRecall[];
  /** Kamradt's results for GPT-4 Turbo (128K) and Claude 2.1 (200K), repeats averaged. */
  readonly cells: readonly NeedleCell[];
  /** Two panels of Figure 3, read from a picture: Mistral 7B v0.1 and v0.2 on Thornfield Hollow. */
  readonly grades: readonly PublishedGrade[];
}

/**
 * Reads Tables 1 and 5 of Machlab and Battle (arXiv 2404.08865v1), two of their heatmaps and Kamradt's scores from the CSV files of
 * `data/published`.
 *
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openRecallPublished(): Promise<RecallPublished> {
  const recalls = await openRows("machlab_table5_recall.csv", RECALLS);
  const models = await openRows("machlab_table1_models.csv", MODELS);
  // Both tables have the models in the same order; Table 1 writes three of their names otherwise.
  const names = [...new Set(recalls.map(({ model }) => model))];
  return {
    recalls: recalls.map((row) => ({ ...row, window: models[names.indexOf(row.model)]!.window })),
    cells: [
      ...meanCells(await openRows("niah_original_gpt4_128k.csv", CELLS)),
      ...meanCells(await openRows("niah_original_claude21_200k.csv", CELLS)),
    ],
    grades: await openRows("machlab_figure3_cells.csv", GRADES),
  };
}

/** Averages the replies of each cell of a model. */
function meanCells(rows: readonly Omit<NeedleCell, "n">[]): NeedleCell[] {
  const cells = Map.groupBy(rows, ({ model, length, depth }) => `${length}/${depth}/${model}`);
  return [...cells.values()].map((repeats) => ({
    ...repeats[0]!,
    score: mean(repeats, ({ score }) => score),
    n: repeats.length,
  }));
}

/**
 * Returns recall from grades of 1 to 5: the sum of grades / (5 x cells), as in Machlab and Battle (arXiv 2404.08865v1), section
 * 3.3. A model that finds nothing has 20%, not 0. `aboveFloor` is the share above the lowest grade, from 0 to 100%.
 *
 * @throws {RangeError} If there is no cell, or that number of grades cannot have that sum.
 */
export function recallPercent(
  gradeSum: number,
  cells: number,
): { readonly recall: number; readonly aboveFloor: number } {
  if (!Number.isInteger(cells) || cells < 1) {
    throw new RangeError(`Cannot give recall as cells must be a whole number from 1: current value is ${cells}`);
  }
  const most = 5 * cells;
  if (!(gradeSum >= cells && gradeSum <= most)) {
    throw new RangeError(
      `Cannot give recall as the sum of ${cells} grades must be in [${cells}, ${most}]: current value is ${gradeSum}`,
    );
  }
  return { recall: 100 * gradeSum / most, aboveFloor: 100 * (gradeSum - cells) / (4 * cells) };
}
