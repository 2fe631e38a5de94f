import type { SettledLengths } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/**
 * Sets how many printed effective lengths are settled as a table: a published table a row.
 *
 * @param rows The counts, from `settledLengths`.
 * @returns The table; its title has the sums.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const row = { table: 3, category: "RULER-13", lengths: 10, settled: 7, least: 61 } as const;
 * equal(settledTable([row]).title, "7 of 10 printed effective lengths are settled by the samples behind them");
 * ```
 */
export function settledTable(rows: readonly SettledLengths[]): Table {
  const total = (part: (row: SettledLengths) => number): number => rows.reduce((sum, row) => sum + part(row), 0);
  const named = rows.map((row) => ({ ...row, name: `Table ${row.table}` }));
  return table(named, {
    title: `${total(({ settled }) => settled)} of ${
      total(({ lengths }) => lengths)
    } printed effective lengths are settled by the samples behind them`,
    caption:
      "Settled: the true scores give the same with a chance of at least 95%. The spread of scores is taken at its widest, so " +
      "more may be settled; thresholds are taken as certain, so fewer may be.",
    origin: "published",
    n: "500 samples of each task",
    columns: [
      { field: "name", label: "Of" },
      { field: "category", label: "Scores" },
      { field: "lengths", label: "Effective lengths", digits: 0 },
      { field: "settled", label: "Settled", digits: 0 },
      { field: "least", label: "Least chance (%)", digits: 0 },
    ],
  });
}
