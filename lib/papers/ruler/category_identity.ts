import type { Disagreement } from "./disagreement.ts";
import {
  CATEGORY_NAMES,
  type CategoryName,
  type PublishedCategory,
  type PublishedThreshold,
} from "./published_tables.ts";
import { findRow, type PublishedRow, scoreAt } from "./published.ts";
import { CATEGORIES, RULER_TASKS } from "@/lib/benchmarks/ruler/mod.ts";
import type { Category } from "@/lib/generators/mod.ts";
import { effectiveLength } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** The mean over RULER's 13 tasks that the four categories imply: `(8 NIAH + VT + 2 AG + 2 QA) / 13`. */
export function impliedTotal(scores: Readonly<Record<Category, number>>): number {
  return CATEGORIES.reduce((sum, category) => sum + RULER_TASKS[category].length * scores[category], 0) / 13;
}

/** The implied mean of scores by the paper's category names; `null` if one is missing. */
function totalOf(scoreOf: (category: CategoryName) => number | undefined): number | null {
  const scores = Object.entries(CATEGORY_NAMES).map(([name, category]) => [category, scoreOf(name as CategoryName)]);
  return scores.some(([, score]) => score === undefined)
    ? null
    : impliedTotal(Object.fromEntries(scores) as Record<Category, number>);
}

/** A printed mean over 13 tasks and the one that the printed categories imply, in percent. */
interface ImpliedTotal {
  readonly row: PublishedRow;
  readonly length: number;
  readonly printed: number;
  readonly implied: number;
}

/** Compares every mean over 13 tasks of Tables 3 and 12 with what Tables 13 to 16 imply. */
export function impliedTotals(rows: readonly PublishedRow[]): readonly ImpliedTotal[] {
  return rows.filter((row) => row.category === "RULER-13").flatMap((row) =>
    row.scores.flatMap(({ length, score }) => {
      const { edition, model } = row;
      const implied = totalOf((category) => scoreAt(findRow(rows, { edition, category, model }), length));
      return implied === null ? [] : [{ row, length, printed: score, implied }];
    })
  );
}

// The total and the categories are rounded to a tenth each, and the categories' weights add up to 1.
const SLACK = 0.1 + 1e-9;

/** Lists the means over 13 tasks that do not follow from the categories. */
export function checkTotals(rows: readonly PublishedRow[]): readonly Disagreement[] {
  return impliedTotals(rows).filter(({ printed, implied }) => Math.abs(printed - implied) > SLACK)
    .map(({ row, length, printed, implied }) => ({
      kind: "categories" as const,
      cause: "misprint" as const,
      edition: row.edition,
      where: `Table ${row.table}, ${row.model}, ${lengthText(length)}`,
      printed: printed.toFixed(1),
      expected: implied.toFixed(2),
      why: "(8 NIAH + VT + 2 AG + 2 QA) / 13 from Tables 13 to 16; more than 0.1 apart is no rounding.",
    }));
}

/** Lists the thresholds over 13 tasks that do not follow from the categories', and the effective lengths they change. */
export function checkThresholds(
  rows: readonly PublishedRow[],
  thresholds: readonly PublishedThreshold[],
): readonly Disagreement[] {
  return [true, false].flatMap((aligned) => {
    const limit = (category: PublishedCategory): PublishedThreshold =>
      thresholds.find((threshold) => threshold.category === category && threshold.aligned === aligned)!;
    const total = limit("RULER-13");
    const implied = totalOf((category) => limit(category).threshold)!;
    if (Math.abs(total.threshold - implied) <= SLACK) return [];
    const table = rows.filter((row) => row.edition === "v1" && row.table === total.table);
    return [{
      kind: "threshold" as const,
      cause: "threshold" as const,
      edition: "v1" as const,
      where: `Table ${total.table}, Llama2-7B (${aligned ? "chat" : "base"}), 4K`,
      printed: total.threshold.toFixed(1),
      expected: implied.toFixed(2),
      why: `(8 NIAH + VT + 2 AG + 2 QA) / 13 from its rows in Tables 13 to 16. ${effectOf(implied, table)}`,
    }];
  });
}

/** Says which effective lengths of a table another threshold changes. */
export function effectOf(threshold: number, table: readonly PublishedRow[]): string {
  const changes = table.flatMap((row) => {
    const was = effectiveLength(row.scores, row.threshold!).text;
    const is = effectiveLength(row.scores, threshold).text;
    return was === is ? [] : [`${row.model} from ${was} to ${is}`];
  });
  const limit = threshold.toFixed(1);
  return changes.length === 0
    ? `A threshold of ${limit} changes no effective length.`
    : `A threshold of ${limit} takes the effective length of ${changes.join(", of ")}.`;
}
