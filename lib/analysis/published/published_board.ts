import { type BoardEntry, type BoardRow, effectiveLengthBoard } from "../lengths/effective_length_board.ts";
import { type PublishedScoreOptions, publishedScoreRows } from "./published_score_rows.ts";
import type { PublishedRow } from "./published.ts";

/** Options for {@linkcode publishedBoard}. */
export interface PublishedBoardOptions extends PublishedScoreOptions {
  /** What a length must score, for all rows; each table's own threshold unless given. */
  readonly threshold?: BoardEntry["threshold"];
}

/**
 * Tells the effective lengths of published rows with their chances, given the samples behind their scores.
 *
 * @param rows Rows of published tables; those without a threshold are left out unless one is given.
 * @param options Another threshold, and where the categories are printed.
 * @returns A row for each model, in the order given.
 *
 * @example Mixtral's 32K in RULER's Table 3 rests on 85.9 against 85.6
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished } from "@/lib/analysis/mod.ts";
 *
 * const { rows } = await openPublished();
 * const [mixtral] = publishedBoard(rows.filter(({ table, model }) => table === 3 && model === "Mixtral (8x7B)"));
 * deepEqual([mixtral?.found, mixtral?.isSettled], ["32K", false]);
 * ```
 */
export function publishedBoard(
  rows: readonly PublishedRow[],
  options: PublishedBoardOptions = {},
): readonly BoardRow[] {
  return effectiveLengthBoard(rows.flatMap((row) => {
    const limit = options.threshold ?? row.threshold;
    return limit === null ? [] : [{ model: row.model, rows: publishedScoreRows(row, options), threshold: limit }];
  }));
}
