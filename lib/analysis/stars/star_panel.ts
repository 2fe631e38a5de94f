/** What became of every star at one context length. */
export interface StarColumn {
  /** Context length in tokens, as the benchmark names it. */
  readonly length: number;
  /** The score of each star in the order of the text, in [0, 1]. */
  readonly cells: readonly number[];
}

/** One model's stars by context length: the matrix that Counting-Stars draws. */
export interface StarPanel {
  /** The model. */
  readonly model: string;
  /** One column a length, lengths rising; all of as many stars. */
  readonly columns: readonly StarColumn[];
}

/** One cell of a matrix, as a row of a figure. */
export interface StarRow {
  /** The model. */
  readonly model: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The number of the star in the text, from 1. */
  readonly star: number;
  /** Its score, in [0, 1]. */
  readonly score: number;
}

/**
 * Lists the cells of a matrix, for a heat map.
 *
 * @param panel The matrix.
 * @returns One row a cell, column after column.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const panel = { model: "m", columns: [{ length: 4000, cells: [1, 0.5] }] };
 * deepEqual(starRows(panel)[1], { model: "m", length: 4000, star: 2, score: 0.5 });
 * ```
 */
export function starRows({ model, columns }: StarPanel): StarRow[] {
  return columns.flatMap(({ length, cells }) => cells.map((score, at) => ({ model, length, star: at + 1, score })));
}

/**
 * Gives the accuracy of a matrix, the "Acc" of Counting-Stars: the mean of all cells.
 *
 * @param panel The matrix.
 * @returns The mean, in [0, 1].
 * @throws {RangeError} If it has no cell.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(starAccuracy({ model: "m", columns: [{ length: 4000, cells: [1, 0.5] }, { length: 8000, cells: [0, 0.5] }] }), 0.5);
 * ```
 */
export function starAccuracy({ model, columns }: StarPanel): number {
  const cells = columns.flatMap((column) => column.cells);
  if (cells.length === 0) {
    throw new RangeError(`Cannot give the accuracy of ${model} as there must be at least one cell: current value is 0`);
  }
  return meanOf(cells);
}

/** Gives the mean of some numbers, at least one. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
