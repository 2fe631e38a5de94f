import { readCsv } from "../published/_csv.ts";
import type { DepthCell } from "./depth_cells.ts";

/** What one model scored in an OpenCompass summary. */
export interface OpencompassModel {
  /** The model as its column is called. */
  readonly model: string;
  /** Its cells, lengths rising and depths in each. */
  readonly cells: readonly DepthCell[];
}

/** The needle scores of an OpenCompass summary. */
export interface OpencompassSummary {
  /** A model for each column after the first four. */
  readonly models: readonly OpencompassModel[];
  /** Rows of other datasets, which have no length and depth in their names. */
  readonly skipped: number;
}

/** The columns before the models'. */
const COLUMNS = ["dataset", "version", "metric", "mode"];
const DATASET = /^CDME_Length(\d+)Depth(\d+)$/;
/** What stands where a model has no score. */
const MISSING = ["", "-", "nan", "NaN"];

/**
 * Reads the needle scores of an OpenCompass summary, `summary_….csv`.
 *
 * Rows are called `CDME_Length{length}Depth{depth}`; a cell that stands twice, as in the 200K configuration with and without
 * trimming, is averaged, as the original tool does.
 *
 * @param text The text of the file.
 * @param file What to call it in messages.
 * @returns The cells of every model.
 * @throws {SyntaxError} If it is no such summary, holds no needle scores, or a score is no number in [0, 100]; the message tells
 * the line.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const text = "dataset,version,metric,mode,my-model\nCDME_Length1000Depth42,abc,score,gen,87.50\n";
 * const { models } = readOpencompassSummary(text, "summary.csv");
 * equal(models[0]?.model, "my-model");
 * equal(models[0]?.cells[0]?.score, 87.5);
 * ```
 */
export function readOpencompassSummary(text: string, file: string): OpencompassSummary {
  const [header, ...rows] = readCsv(text, file);
  const columns = header!.fields.map((field) => field.trim());
  const models = columns.slice(COLUMNS.length);
  if (COLUMNS.some((name, at) => columns[at] !== name) || models.length === 0) {
    throw new SyntaxError(
      `Cannot read ${file} as its columns must be ${COLUMNS.join(", ")} and a model each: current value is ` +
        columns.join(", "),
    );
  }
  const read = rows.flatMap(({ line, fields }) => {
    const [, length, depth] = DATASET.exec(fields[0]!.trim()) ?? [];
    const scores = fields.slice(COLUMNS.length).map((field) => field.trim());
    return length === undefined ? [] : [{ line, length: Number(length), depth: Number(depth), scores }];
  });
  if (read.length === 0) {
    throw new SyntaxError(
      `Cannot read ${file} as it must have rows of CDME, such as CDME_Length1000Depth0: current value is ` +
        `${rows.length} rows of other datasets`,
    );
  }
  return {
    models: models.map((model, column) => ({
      model,
      cells: averageCells(read.map((row) => ({ ...row, score: readScore(row.scores[column]!, { ...row, file }) }))),
    })),
    skipped: rows.length - read.length,
  };
}

function readScore(field: string, { line, file }: { readonly line: number; readonly file: string }): number | null {
  if (MISSING.includes(field)) return null;
  const score = Number(field);
  if (score >= 0 && score <= 100) return score;
  throw new SyntaxError(
    `Cannot read ${file} as a score in line ${line} must be a number in [0, 100] or -: current value is "${field}"`,
  );
}

type ReadCell = Pick<DepthCell, "length" | "depth" | "score">;

function averageCells(cells: readonly ReadCell[]): readonly DepthCell[] {
  return [...Map.groupBy(cells, ({ length, depth }) => `${length}/${depth}`).values()].map((twins) => {
    const { length, depth } = twins[0]!;
    const scores = twins.flatMap(({ score }) => score === null ? [] : [score]);
    const score = scores.length === 0 ? null : scores.reduce((sum, value) => sum + value, 0) / scores.length;
    return { length, depth, score, n: null, failed: 0, noAnswer: 0 };
  }).toSorted((left, right) => left.length - right.length || left.depth - right.depth);
}
