import type { DesignsCompared } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** Options for {@linkcode designsTable}. */
export interface DesignsTableOptions {
  /** The finding; what was asked of the full design on average, unless given. */
  readonly title?: string;
  /** What was simulated, such as `30 runs of each profile`. */
  readonly n: number | string;
}

/**
 * Sets adaptive searches beside the design that asks everything as a table: a profile a row.
 *
 * @param rows The comparisons, from `compareDesigns`.
 * @param options The number of runs, and the finding.
 * @returns The table.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { profile: "gpt-4", truth: "64K", same: 1, asked: 0.24, tokens: 0.48, settled: 0.25, wrong: 0 };
 * match(designsTable([row], { n: 20 }).text, /gpt-4 +64K +100 +24 +48 +25 +0/);
 * ```
 */
export function designsTable(rows: readonly DesignsCompared[], options: DesignsTableOptions): Table {
  const percents = rows.map(({ profile, truth, ...shares }) => ({
    profile,
    truth,
    same: 100 * shares.same,
    asked: 100 * shares.asked,
    tokens: 100 * shares.tokens,
    settled: 100 * shares.settled,
    wrong: 100 * shares.wrong,
  }));
  const mean = (key: "same" | "asked"): string =>
    (percents.reduce((sum, row) => sum + row[key], 0) / rows.length).toFixed(0);
  const { title = `Same answer in ${mean("same")}% of runs, with ${mean("asked")}% of the samples`, n } = options;
  return table(percents, {
    title,
    n,
    origin: "simulated",
    caption:
      "An adaptive search beside the design that asks everything, on the same scores. Samples and tokens: what the search " +
      "asked, of all. Settled: it called its answer certain to 95%; wrong: it did so and was, by the true scores.",
    columns: [
      { field: "profile", label: "Profile" },
      { field: "truth", label: "True length", align: "right" },
      { field: "same", label: "Same answer (%)", digits: 0 },
      { field: "asked", label: "Samples (%)", digits: 0 },
      { field: "tokens", label: "Tokens (%)", digits: 0 },
      { field: "settled", label: "Settled (%)", digits: 0 },
      { field: "wrong", label: "Settled and wrong (%)", digits: 0 },
    ],
  });
}
