import { type DepthRow, lengthText, type Origin, type ThirdsCompared, type ThirdsRow } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** Options for the tables of depths. */
export interface DepthTableOptions {
  /** The finding; for thirds it is told from the comparison unless given. */
  readonly title?: string;
  /** Where the scores come from. */
  readonly origin: Origin;
}

/**
 * Sets scores by task, length and depth as a table: a stretch of the context a column, with n and interval in each cell.
 *
 * @param rows Rows from `depthRows`; at least one.
 * @param options The title and the origin.
 * @returns The table; a stretch without a score is a dash.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { depthRows } from "@/lib/analysis/mod.ts";
 *
 * const of = (depth: number) => ({ task: "niah", length: 4096, depth, value: 1, failed: false, noAnswer: false });
 * const { text } = depthTable(depthRows([0, 0.1, 0.9].map(of), { stretches: 2 }), { origin: "measured" });
 * match(text, /niah +4K +100 \[22, 100\] \(2\) +100 \[5, 100\] \(1\)/);
 * ```
 */
export function depthTable(rows: readonly DepthRow[], options: DepthTableOptions): Table {
  const { origin, title = "Scores by the depth of the target" } = options;
  const stretches = [...new Map(rows.map(({ from, stretch }) => [from, stretch]))].sort(([one], [other]) =>
    one - other
  );
  const cells = [...Map.groupBy(rows, ({ task, length }) => JSON.stringify([task, length])).values()].map((ofCell) => ({
    task: ofCell[0]!.task,
    length: lengthText(ofCell[0]!.length),
    ...Object.fromEntries(ofCell.map((row) => [row.stretch, cellText(row)])),
  }));
  return table(cells as readonly Readonly<Record<string, string>>[], {
    title,
    origin,
    caption:
      "Mean scores in percent of the samples whose target stands in that stretch of the context; how many those are in parentheses.",
    n: "samples as in each cell",
    interval: "95% interval in brackets",
    columns: [
      { field: "task", label: "Task" },
      { field: "length", label: "Length", align: "right" },
      ...stretches.map(([, stretch]) => ({ field: stretch, label: stretch, align: "right" as const })),
    ],
  });
}

function cellText({ score, low, high, n }: DepthRow): string {
  if (score === null || low === null || high === null) return "—";
  return `${score.toFixed(0)} [${low.toFixed(0)}, ${high.toFixed(0)}] (${n})`;
}

/**
 * Sets the comparison of the thirds of a context as a table.
 *
 * @param compared The comparison, from `compareThirds`.
 * @param options The title, which is the finding unless given, and the origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { equal, match } from "node:assert/strict";
 * import { compareThirds } from "@/lib/analysis/mod.ts";
 *
 * const of = (at: number) => ({ task: "niah", length: 4096, depth: at / 30, value: at < 20 ? 1 : 0, failed: false, noAnswer: false });
 * const { title, text } = thirdsTable(compareThirds(Array.from({ length: 30 }, (_, at) => of(at))), { origin: "measured" });
 * equal(title, "What stands in the last third of the context is lost more often than in the first and in the middle");
 * match(text, /middle less last +100\.0 +0\.0 +100\.0/);
 * ```
 */
export function thirdsTable(compared: ThirdsCompared, options: DepthTableOptions): Table {
  const { origin, title = compared.finding } = options;
  const rows = compared.rows.map((row) => ({
    ...row,
    pair: `${row.left} less ${row.right}`,
    corrected: row.adjusted === null ? null : row.adjusted < 0.001 ? "<0.001" : row.adjusted.toFixed(3),
    verdict: verdictText(row),
  }));
  const cells = Math.max(...rows.map((row) => row.cells));
  return table(rows, {
    title,
    origin,
    caption:
      "Thirds of the context by where the target stands, compared as groups of samples within each task and length, which " +
      "weigh the same. Studentised permutation test, p-values corrected for three comparisons (Holm); intervals are those of " +
      "single rows. A third is lost where it is below both others.",
    n: `${cells} ${cells === 1 ? "cell" : "cells"} of a task and a length, samples as in each row`,
    interval: "95% interval in brackets",
    columns: [
      { field: "pair", label: "Thirds" },
      { field: "leftScore", label: "The one (%)", digits: 1 },
      { field: "rightScore", label: "The other (%)", digits: 1 },
      { field: "difference", label: "Difference", digits: 1, low: "low", high: "high" },
      { field: "nLeft", label: "n, the one", digits: 0 },
      { field: "nRight", label: "n, the other", digits: 0 },
      { field: "corrected", label: "p, corrected", align: "right" },
      { field: "verdict", label: "What it shows" },
    ],
  });
}

function verdictText({ higher, p }: ThirdsRow): string {
  if (p === null) return "nothing to compare";
  return higher === null ? "no difference shown" : `the ${higher} third is higher`;
}
