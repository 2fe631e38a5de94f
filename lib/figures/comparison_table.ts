import type { FigureOptions } from "./figure.ts";
import { type Table, table } from "./table.ts";
import type { ModelsCompared } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Options for {@linkcode comparisonTable}. */
export interface ComparisonTableOptions {
  /** The finding. */
  readonly title: string;
  /** The names of the two models. */
  readonly models: readonly [first: string, second: string];
  /** Where the scores come from; by model where they come from several places. */
  readonly origin: FigureOptions["origin"];
}

/**
 * Makes a table of the comparison of two models: a row for each task and length.
 *
 * @param compared The comparison, from `compareModels`.
 * @param options Title, models and origin.
 * @returns The table; a row that could not be compared says why.
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
    adjusted: adjusted === null ? null : adjusted < 0.001 ? "<0.001" : adjusted.toFixed(3),
    verdict: row.reason ??
      (higher === null ? "no difference shown" : `${higher === "first" ? first : second} is higher`),
  }));
  const dropped = compared.rows.reduce((sum, row) => sum + row.dropped, 0);
  return table(rows, {
    title,
    origin,
    caption: `Differences in points, ${first} minus ${second}; intervals are not corrected. ${
      capital(compared.corrected)
    }; a difference counts as shown if the corrected p-value is at most 5%.${
      dropped === 0 ? "" : ` ${dropped} samples were dropped for failed calls.`
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

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
