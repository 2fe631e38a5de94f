import type { Titled } from "./figure.ts";
import { type Table, table } from "./table.ts";
import { capitalised } from "./text_fit.ts";
import type { ModelsCompared } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Options for {@linkcode comparisonTable}. */
export interface ComparisonTableOptions extends Titled {
  /** The names of the two models. */
  readonly models: readonly [first: string, second: string];
}

/**
 * Makes a table of a comparison by `compareModels`: a row for each task and length; a row that could not be compared
 * says why.
 *
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { compareModels } from "@/lib/statistics/mod.ts";
 *
 * const of = (index: number, value: number) =>
 *   ({ task: "vt", length: 4096, failed: false, noAnswer: false, value, record: { index, seed: "42" } });
 * const compared = compareModels([0, 1, 2, 3].map((index) => of(index, 1)), [of(0, 0)], { rows: "tasks" });
 * match(comparisonTable(compared, { title: "One", models: ["a", "b"], origin: "measured" }).text, /vt +4K +1 +100.0 +0.0/);
 * ```
 */
export function comparisonTable(compared: ModelsCompared, options: ComparisonTableOptions): Table {
  const { models: [first, second], title, origin } = options;
  const rows = compared.rows.map(({ adjusted, higher, ...row }) => ({
    ...row,
    length: lengthText(row.length),
    adjusted: pText(adjusted),
    verdict: row.reason ??
      (higher === null ? "no difference shown" : `${higher === "first" ? first : second} is higher`),
  }));
  const dropped = compared.rows.reduce((sum, row) => sum + row.dropped, 0);
  return table(rows, {
    title,
    origin,
    caption: `Differences in points, ${first} minus ${second}; intervals are not corrected. ${
      capitalised(compared.corrected)
    }; a difference counts as shown if the corrected p-value is at most 5%.${
      dropped === 0 ? "" : ` ${dropped} ${dropped === 1 ? "sample was" : "samples were"} dropped for failed calls.`
    }`,
    n: "n in each row",
    interval: "95% interval in brackets",
    columns: [
      { field: "task", label: "Task" },
      { field: "length", label: "Length", align: "right" },
      { field: "n", label: "n", digits: 0 },
      { field: "first", label: `${first} (%)`, digits: 1 },
      { field: "second", label: `${second} (%)`, digits: 1 },
      { field: "difference", label: "Difference", digits: 1, low: "low", high: "high" },
      { field: "adjusted", label: "p, corrected", align: "right" },
      { field: "verdict", label: "What it shows" },
    ],
  });
}

/** A p-value with three decimals. */
export function pText(p: number | null): string | null {
  if (p === null) return null;
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}
