import type { ParsedRow, TaskLimit } from "@/lib/analysis/mod.ts";
import type { FigureOptions } from "../figure.ts";
import { type Table, table } from "../table.ts";

/** Options for tables of Needle Threading. */
export type ThreadingTableOptions = Pick<FigureOptions, "title" | "n" | "origin">;

/**
 * Shows effective context limits by task, as the paper's Table 2 does.
 *
 * @param limits A limit for each task.
 * @param options Title, n and origin; `level` in percent, and the unit of sizes.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const sizes = { difficulty: 5, limit: 20, low: 10, high: 30, isBeyond: false, tested: 80, percent: 25 };
 * const options = { title: "Limits", n: 11, origin: "measured", level: 75, unit: "thousand characters" } as const;
 * match(taskLimitTable([{ ...sizes, task: "one thread", at: "steps = 5" }], options).text, /one thread +steps = 5/);
 * ```
 */
export function taskLimitTable(
  limits: readonly TaskLimit[],
  options: ThreadingTableOptions & { readonly level: number; readonly unit: string },
): Table {
  const { level, unit, ...rest } = options;
  const rows = limits.map((limit) => ({ ...limit, beyond: limit.isBeyond ? "above" : "below" }));
  return table(rows, {
    ...rest,
    caption:
      `Sizes in ${unit}: where accuracy falls through ${level}%, at one difficulty, and that as a share of the ` +
      "longest asked. Above the level there, the limit is that or more.",
    interval: "95% interval (Bayesian bootstrap over samples)",
    columns: [
      { field: "task", label: "Task" },
      { field: "at", label: "Difficulty" },
      { field: "limit", label: "Limit", digits: 1, low: "low", high: "high" },
      { field: "beyond", label: "At the longest" },
      { field: "percent", label: "Share of the longest (%)", digits: 0 },
    ],
  });
}

/**
 * Shows how scores change where a model rewrites replies before they are matched.
 *
 * @param rows The rows of `parsedRows`.
 * @param options Title, n and origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { task: "all", replies: 9, unparsed: 0, byRule: 80, byModel: 81.5, changed: 2 };
 * match(parsedTable([row], { title: "Two readings", n: 9, origin: "measured" }).text, /81\.5/);
 * ```
 */
export function parsedTable(rows: readonly ParsedRow[], options: ThreadingTableOptions): Table {
  return table(rows, {
    ...options,
    caption:
      "The mean score of replies as they are read by rule, and rewritten as a list by a model before they are matched.",
    columns: [
      { field: "task", label: "Task" },
      { field: "replies", label: "Replies" },
      { field: "byRule", label: "By rule (%)", digits: 1 },
      { field: "byModel", label: "Rewritten (%)", digits: 1 },
      { field: "changed", label: "Scores changed (%)", digits: 1 },
      { field: "unparsed", label: "Not rewritten" },
    ],
  });
}
