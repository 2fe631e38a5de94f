import type { CoverageBand } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** Options for {@linkcode coverageTable}. */
export interface CoverageTableOptions {
  /** The finding. */
  readonly title: string;
  /** What was simulated, such as `1,000 runs of 25 samples a task`. */
  readonly n: number | string;
}

/**
 * Sets how often simulated intervals held the truth as a table: a kind of score and a band of true scores a row.
 *
 * @param bands The bands, from `coverageBands`.
 * @param options The finding and the number of runs.
 * @returns The table.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { coverageBands } from "@/lib/analysis/mod.ts";
 *
 * const row = { task: "vt", length: 4096, kind: "shares", samples: 25, runs: 100, truth: 80, covered: 0.95 } as const;
 * match(coverageTable(coverageBands([row]), { title: "One", n: 100 }).text, /shares +5 to 95 +1 +95\.0/);
 * ```
 */
export function coverageTable(bands: readonly CoverageBand[], options: CoverageTableOptions): Table {
  return table(bands, {
    ...options,
    origin: "simulated",
    caption:
      "How often an interval that says 95% held the true score. Least and greatest: of single numbers, a task or mean at " +
      "one length. Near 0 and 100 most runs give nothing but 0 or 100, and the interval of such a run holds the truth.",
    columns: [
      { field: "kind", label: "Scores" },
      { field: "truths", label: "True score (%)", align: "right" },
      { field: "cells", label: "Numbers", digits: 0 },
      { field: "covered", label: "Held (%)", digits: 1 },
      { field: "least", label: "Least (%)", digits: 1 },
      { field: "greatest", label: "Greatest (%)", digits: 1 },
    ],
  });
}
