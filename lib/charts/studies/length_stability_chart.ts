import type { LengthStability } from "@/lib/analysis/mod.ts";
import { barChart } from "../bar_chart.ts";
import type { Figure, FigureOptions } from "../figure.ts";
import { type Table, table } from "../table.ts";

/**
 * Draws how often a longer context beats a shorter one beyond chance: a bar for each matrix, with its interval.
 *
 * @param rows One a matrix, each named by its `model`.
 * @param options Title and origin.
 * @returns The figure.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { lengthStability } from "@/lib/analysis/mod.ts";
 *
 * const columns = [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]].map((cells, at) => ({ length: at + 1, cells }));
 * const row = lengthStability({ model: "Kimi", columns }, { seed: "a" });
 * match(await lengthStabilityChart([row], { title: "Up again", origin: "measured" }).svg(), /Kimi/);
 * ```
 */
export function lengthStabilityChart(
  rows: readonly LengthStability[],
  options: Pick<FigureOptions, "title" | "origin">,
): Figure {
  const bars = rows.map(({ model, share, low, high }) => ({
    model,
    share: 100 * share,
    low: 100 * Math.min(low, share),
    high: 100 * Math.max(high, share),
  }));
  return barChart(bars, {
    ...options,
    caption: "Pairs of lengths in which the longer context finds more stars, beyond chance by a sign test at 5%.",
    n: pairsText(rows),
    interval: "95% interval over stars",
    category: "model",
    value: "share",
    low: "low",
    high: "high",
    horizontal: true,
    order: rows.map(({ model }) => model),
    categoryTitle: "Matrix",
    valueTitle: "Pairs won by the longer context (%)",
  });
}

/**
 * Sets the same as a table, beside what chance alone would give.
 *
 * @param rows One a matrix, each named by its `model`.
 * @param options Title and origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { lengthStability } from "@/lib/analysis/mod.ts";
 *
 * const columns = [1, 2].map((length) => ({ length, cells: [1, 1] }));
 * const row = lengthStability({ model: "GPT-4", columns }, { seed: "a" });
 * match(lengthStabilityTable([row], { title: "Level", origin: "measured" }).text, /GPT-4/);
 * ```
 */
export function lengthStabilityTable(
  rows: readonly LengthStability[],
  options: Pick<FigureOptions, "title" | "origin">,
): Table {
  const inPercent = rows.map((row) => ({
    ...row,
    share: 100 * row.share,
    expected: 100 * row.expected,
    trend: row.trend === null ? null : 100 * row.trend,
  }));
  return table(inPercent, {
    ...options,
    caption:
      "Won: pairs in which the longer context is better beyond chance; by chance: the same where length means nothing, and p " +
      "how often that gives as many. Longer better: of the pairs that differ at all; p of falling: how often lengths in any " +
      "order give as little.",
    n: pairsText(rows),
    columns: [
      { field: "model", label: "Matrix" },
      { field: "share", label: "Won (%)", digits: 1 },
      { field: "expected", label: "By chance (%)", digits: 1 },
      { field: "p", label: "p", digits: 3 },
      { field: "trend", label: "Longer better (%)", digits: 0 },
      { field: "fallP", label: "p of falling", digits: 3 },
    ],
  });
}

function pairsText(rows: readonly LengthStability[]): string {
  const counts = [...new Set(rows.map(({ pairs }) => pairs))].sort((left, right) => left - right);
  return `${counts.join(" or ")} pairs of lengths`;
}
