import { type ComparisonRow, lengthText, type Origin, type ReplyCounts } from "@/lib/analysis/mod.ts";
import { type Column, type Table, table } from "../table.ts";

/** What a table of CDME's says of itself. */
export interface CdmeTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the replies come from. */
  readonly origin: Origin;
}

/**
 * Sets kinds of replies as a table: answers, empty replies, refusals, replies in another language, failed calls.
 *
 * @param counts Counts by task and length, from `replyCounts`.
 * @param options The title and the origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const count = { task: "cdme_zh", length: 4000, asked: 20, answers: 17, empty: 0, refusals: 3, otherLanguage: 0, failed: 0 };
 * match(replyCountTable([count], { title: "Three refusals", origin: "measured" }).text, /cdme_zh +4,000 +20 +17 +0 +3 +0 +0/);
 * ```
 */
export function replyCountTable(counts: readonly ReplyCounts[], options: CdmeTableOptions): Table {
  const asked = counts.reduce((sum, count) => sum + count.asked, 0);
  return table(counts, {
    ...options,
    caption:
      "Refusals are told by their words, languages by their script. Failed calls are in no score; all other replies are.",
    n: `${asked} questions`,
    columns: [
      { field: "task", label: "Task" },
      {
        field: "length",
        label: "Length (tokens)",
        write: (length) => Number(length).toLocaleString("en"),
        align: "right",
      },
      { field: "asked", label: "Asked" },
      { field: "answers", label: "Answers" },
      { field: "empty", label: "Empty" },
      { field: "refusals", label: "Refusals" },
      { field: "otherLanguage", label: "Other language" },
      { field: "failed", label: "Failed calls" },
    ],
  });
}

/** Options for {@linkcode twinTable}. */
export interface TwinTableOptions extends CdmeTableOptions {
  /** What the first and the second of each pair are called, such as their languages. */
  readonly names: readonly [string, string];
}

/**
 * Sets the comparison of twins as a table: a length a row, both means, their difference with its interval, and what it shows.
 *
 * @param rows Rows from `twinRows`.
 * @param options The title, the origin and the names.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { twinRows } from "@/lib/analysis/mod.ts";
 *
 * const of = (task: string, index: number, value: number) =>
 *   ({ task, length: 4000, failed: false, noAnswer: false, value, record: { index, seed: "42" } });
 * const replies = Array.from({ length: 9 }, (_, index) => [of("zh", index, 0), of("en", index, 1)]).flat();
 * const rows = twinRows(replies, { first: "zh", second: "en" });
 * const options = { title: "English is read better", origin: "measured", names: ["Chinese", "English"] } as const;
 * match(twinTable(rows, options).text, /-100\.0 .* English/);
 * ```
 */
export function twinTable(rows: readonly ComparisonRow[], options: TwinTableOptions): Table {
  const { names: [first, second], ...said } = options;
  const shown = rows.map((row) => ({
    ...row,
    shown: row.higher === null ? "none" : row.higher === "first" ? first : second,
  }));
  const columns: Column<typeof shown[number]>[] = [
    { field: "length", label: "Length", write: (length) => lengthText(Number(length)), align: "right" },
    { field: "n", label: "Pairs" },
    { field: "first", label: `${first} (%)`, digits: 1 },
    { field: "second", label: `${second} (%)`, digits: 1 },
    { field: "difference", label: "Difference (points)", digits: 1, low: "low", high: "high" },
    { field: "adjusted", label: "p, corrected", digits: 3 },
    { field: "shown", label: "Shown to be higher" },
  ];
  const pairs = rows.reduce((sum, { n }) => sum + n, 0);
  return table(shown, {
    ...said,
    caption:
      "The same items, pair by pair. p-values are by sign flips, corrected for the number of lengths after Holm.",
    n: `${pairs} pairs`,
    interval: "95% interval of the difference in brackets",
    columns,
  });
}
