import { sum } from "@/lib/base/mod.ts";
import { findRow, type PublishedRow, type RulerPublished, scoreAt } from "@/lib/papers/ruler/published.ts";
import { CATEGORIES, RULER_OVERALL, RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Category } from "@/lib/generators/mod.ts";
import { effectiveLength } from "@/lib/statistics/mod.ts";

/** Computes the mean over RULER's 13 tasks from its four categories: `(8 NIAH + VT + 2 AG + 2 QA) / 13`. */
export function impliedTotal(scores: Readonly<Record<Category, number>>): number {
  return sum(CATEGORIES, (category) => RULER_TASKS[category].length * scores[category]) / 13;
}

/** The implied mean; `null` if a category is missing. */
function totalOf(scoreOf: (category: Category) => number | undefined): number | null {
  const scores = CATEGORIES.map((category) => [category, scoreOf(category)] as const);
  return scores.some(([, score]) => score === undefined)
    ? null
    : impliedTotal(Object.fromEntries(scores) as Record<Category, number>);
}

/** Compares every printed mean over 13 tasks of Tables 3 and 12 with the mean that Tables 13 to 16 imply, in percent. */
export function impliedTotals(rows: readonly PublishedRow[]): readonly {
  readonly row: PublishedRow;
  readonly length: number;
  readonly printed: number;
  readonly implied: number;
}[] {
  return rows.filter((row) => row.task === RULER_OVERALL).flatMap((row) =>
    row.scores.flatMap(({ length, score }) => {
      const { edition, model } = row;
      const implied = totalOf((task) => scoreAt(findRow(rows, { edition, task, model }), length));
      return implied === null ? [] : [{ row, length, printed: score, implied }];
    })
  );
}

/** Compares the thresholds over 13 tasks with those that the thresholds of the categories imply. */
export function impliedThresholds(
  thresholds: RulerPublished["thresholds"],
): readonly { readonly limit: RulerPublished["thresholds"][number]; readonly implied: number }[] {
  return thresholds.filter(({ task }) => task === RULER_OVERALL).map((limit) => {
    const ofGroup = thresholds.filter(({ aligned }) => aligned === limit.aligned);
    return { limit, implied: totalOf((category) => ofGroup.find(({ task }) => task === category)?.threshold)! };
  });
}

/** Whether a printed and an implied mean differ by more than rounding: both are rounded to a tenth. */
export function isApart(printed: number, implied: number): boolean {
  return Math.abs(printed - implied) > 0.1 + 1e-9;
}

/** Lists the effective lengths of a table that another threshold changes. */
export function effectOf(threshold: number, table: readonly PublishedRow[]): string {
  const changes = table.flatMap((row) => {
    const [before, after] = [row.threshold!, threshold].map((limit) => effectiveLength(row.scores, limit).text);
    return before === after ? [] : [`${row.model} from ${before} to ${after}`];
  });
  const effect = changes.length === 0 ? "no effective length" : `the effective length of ${changes.join(", of ")}`;
  return `A threshold of ${threshold.toFixed(1)} changes ${effect}.`;
}
