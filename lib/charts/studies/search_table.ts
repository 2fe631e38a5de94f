import { anytimeInterval, lengthText, type LengthVerdict, type Origin } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** Options for {@linkcode searchTable}. */
export interface SearchTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the scores come from. */
  readonly origin: Origin;
}

interface LengthRow {
  readonly length: string;
  readonly rounds: number;
  readonly score: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly threshold: number | null;
  readonly verdict: string;
}

/**
 * Sets what an adaptive search knows of each length as a table.
 *
 * @param lengths What is known, from `adaptiveSearch`.
 * @param options The title and the origin.
 * @returns The table.
 * @throws {RangeError} If there are no lengths.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { searchWith } from "@/lib/analysis/mod.ts";
 *
 * const { lengths } = searchWith(() => 1, { tasks: ["vt"], lengths: [4096, 8192], samples: 100, threshold: 85.6 });
 * match(searchTable(lengths, { title: "Found", origin: "simulated" }).text, /8K.*passes/);
 * ```
 */
export function searchTable(lengths: readonly LengthVerdict[], options: SearchTableOptions): Table {
  const rows = lengths.map(({ length, rounds, threshold, ...verdict }): LengthRow => {
    const scores = rounds.flat();
    const { low, high } = anytimeInterval(rounds);
    const known = scores.length > 0;
    return {
      length: lengthText(length),
      rounds: rounds.length,
      score: known ? 100 * scores.reduce((sum, score) => sum + score, 0) / scores.length : null,
      low: known ? 100 * low : null,
      high: known ? 100 * high : null,
      threshold,
      verdict: verdictText(verdict),
    };
  });
  return table(rows, {
    ...options,
    caption:
      "Rounds of one sample a task. Intervals hold wherever the search stops. A length that is not needed was not asked, " +
      "or only to compare others with it.",
    n: `${lengths.reduce((sum, { rounds }) => sum + rounds.flat().length, 0)} scores`,
    interval: "95% interval in brackets",
    columns: [
      { field: "length", label: "Length" },
      { field: "rounds", label: "Rounds", digits: 0 },
      { field: "score", label: "Mean of tasks (%)", digits: 1, low: "low", high: "high" },
      { field: "threshold", label: "Threshold (%)", digits: 1 },
      { field: "verdict", label: "Verdict" },
    ],
  });
}

function verdictText({ passes, isSettled }: Pick<LengthVerdict, "passes" | "isSettled">): string {
  if (passes === null) return "not needed";
  return `${passes ? "passes" : "falls short"}${isSettled ? "" : ", by the mean of all samples alone"}`;
}
