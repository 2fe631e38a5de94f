import { publishedBoard } from "./published_board.ts";
import type { Edition, PublishedRow } from "./published.ts";

/** How many of the effective lengths that a table prints its samples settle. */
export interface SettledLengths {
  /** The number of the table. */
  readonly table: PublishedRow["table"];
  /** What its scores are of. */
  readonly category: PublishedRow["category"];
  /** Effective lengths that it prints. */
  readonly lengths: number;
  /** How many of them have a chance of at least 95%. */
  readonly settled: number;
  /** The least chance of one of them, in percent. */
  readonly least: number;
}

/**
 * Counts, table by table, how many printed effective lengths the samples behind the scores settle. The intervals of the
 * scores are upper bounds, as in `publishedScoreRows`: that others are not settled says that the print does not settle them.
 *
 * @param rows Published rows; those without a threshold print no effective length and are left out.
 * @param edition Which edition's tables.
 * @returns A row for each table, in order of first appearance.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished } from "@/lib/analysis/mod.ts";
 *
 * const { rows } = await openPublished();
 * const [table3] = settledLengths(rows, "v1");
 * deepEqual([table3?.table, table3?.lengths], [3, 10]);
 * ```
 */
export function settledLengths(rows: readonly PublishedRow[], edition: Edition): readonly SettledLengths[] {
  const printed = rows.filter((row) => row.edition === edition && row.threshold !== null);
  return [...Map.groupBy(printed, ({ table }) => table)].map(([table, ofTable]) => {
    const board = publishedBoard(ofTable, { beside: rows });
    return {
      table,
      category: ofTable[0]!.category,
      lengths: board.length,
      settled: board.filter(({ isSettled }) => isSettled).length,
      least: 100 * Math.min(...board.map(({ chance }) => chance ?? 0)),
    };
  });
}
