import { column, openRows } from "@/lib/statistics/mod.ts";

/** What was published about recall and its prompts. */
export interface RecallPublished {
  /** Table 5. */
  readonly recalls: readonly PublishedRecall[];
  /** Table 1. */
  readonly models: readonly RecallModel[];
  /** Kamradt's results for GPT-4 Turbo (128K) and Claude 2.1 (200K), repeats averaged. */
  readonly cells: readonly NeedleCell[];
  /** Two panels of Figure 3, read from a picture of them: Mistral 7B v0.1 and v0.2 on Thornfield Hollow. */
  readonly grades: readonly PublishedGrade[];
}

/** A cell of Table 5: a model on one of the three tests. */
export interface PublishedRecall {
  /** As the table names it. */
  readonly model: string;
  /** `PistachioAI`, `San Francisco` or `Thornfield Hollow`. */
  readonly test: string;
  /** Prompts graded: 35 x 35, or 25 x 25. */
  readonly cells: number;
  /** The printed recall in percent, in [20, 100]: the sum of grades over 5 x `cells`. */
  readonly recall: number;
  /** The only sum of grades that rounds to it. */
  readonly gradeSum: number;
}

/** A row of Table 1. */
export interface RecallModel {
  /** As the table names it. */
  readonly model: string;
  /** Its context window in tokens. */
  readonly window: number;
}

/** A cell of a published needle heatmap: all replies at one length and depth. */
export interface NeedleCell {
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

/** A cell of one of the paper's heatmaps: the grade of one reply. */
export interface PublishedGrade {
  /** As Table 5 names it. */
  readonly model: string;
  /** As Table 5 names it. */
  readonly test: string;
  /** The haystack's length in the model's tokens; every second one is printed, the others lie halfway. */
  readonly length: number;
  /** Where the needle stood, in percent of the haystack. */
  readonly depth: number;
  /** From 1 to 5. */
  readonly score: number;
}

/**
 * Opens Tables 1 and 5 of Machlab and Battle (arXiv 2404.08865v1), two of their heatmaps and Kamradt's scores, from the CSV files of
 * `data/published`.
 *
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a cell is not what is wanted; the message names file, line and column.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal((await openRecallPublished()).recalls.length, 27);
 * ```
 */
export async function openRecallPublished(): Promise<RecallPublished> {
  const model = column.text("model");
  const recalls = {
    model,
    test: column.text("test"),
    cells: column.count("num_tests"),
    recall: column.score("recall_percent"),
    gradeSum: column.count("implied_score_sum"),
  };
  const cells = {
    model,
    length: column.count("context_length"),
    depth: column.score("depth_percent"),
    score: column.number("score_1_10", { low: 1, high: 10 }),
  };
  return {
    recalls: await openRows("machlab_table5_recall.csv", recalls),
    models: await openRows("machlab_table1_models.csv", { model, window: column.count("context_window_tokens") }),
    cells: [
      ...meanCells(await openRows("niah_original_gpt4_128k.csv", cells)),
      ...meanCells(await openRows("niah_original_claude21_200k.csv", cells)),
    ],
    grades: await openRows("machlab_figure3_cells.csv", {
      model,
      test: column.text("test"),
      length: cells.length,
      depth: cells.depth,
      score: column.number("grade_1_5", { low: 1, high: 5 }),
    }),
  };
}

/** Averages the replies of each cell of a model: a heatmap has one colour for it. */
export function meanCells(rows: readonly Omit<NeedleCell, "n">[]): NeedleCell[] {
  const cells = Map.groupBy(rows, ({ model, length, depth }) => `${length}/${depth}/${model}`);
  return [...cells.values()].map((repeats) => ({
    ...repeats[0]!,
    score: repeats.reduce((sum, { score }) => sum + score, 0) / repeats.length,
    n: repeats.length,
  }));
}

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
 * @throws {RangeError} If there is no cell, or so many grades cannot have that sum.
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
  if (!(gradeSum >= cells && gradeSum <= 5 * cells)) {
    throw new RangeError(
      `Cannot give recall as the sum of ${cells} grades must be in [${cells}, ${
        5 * cells
      }]: current value is ${gradeSum}`,
    );
  }
  return {
    recall: 100 * gradeSum / (5 * cells),
    aboveFloor: 100 * (gradeSum - cells) / (4 * cells),
  };
}
