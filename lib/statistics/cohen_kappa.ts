import { need } from "./intervals.ts";
import { sum } from "@/lib/base/mod.ts";

/**
 * Compares the grades of two raters by Cohen's kappa: 1 for full agreement and 0 for chance.
 *
 * @param pairs For each item the first rater's grade and the second's, whole numbers from 1 to `grades`.
 * @param weights The cost of a disagreement: the squared difference for ordered grades (Cohen 1968), or the same for all if the
 *   grades are names (Cohen 1960).
 * @returns Kappa; `null` if both raters give one grade only.
 * @throws {RangeError} If there is no pair, or a grade is outside its range.
 */
export function cohenKappa(
  pairs: readonly (readonly [number, number])[],
  { grades, weights = "squared" }: { readonly grades: number; readonly weights?: "squared" | "same" },
): number | null {
  need(pairs.length > 0, "compare raters", "there must be at least one pair", 0);
  const wrong = pairs.flat().find((grade) => !Number.isInteger(grade) || grade < 1 || grade > grades);
  need(wrong === undefined, "compare raters", `each grade must be a whole number from 1 to ${grades}`, wrong);
  const table = Array.from({ length: grades }, () => Array<number>(grades).fill(0));
  for (const [first, second] of pairs) table[first - 1]![second - 1]! += 1;
  const rows = table.map((counts) => sum(counts));
  const columns = table.map((_, column) => sum(table, (row) => row[column]!));
  let [seen, expected] = [0, 0];
  for (const [row, counts] of table.entries()) {
    for (const [column, count] of counts.entries()) {
      const weight = weights === "squared" ? (row - column) ** 2 : Number(row !== column);
      seen += weight * count;
      expected += weight * rows[row]! * columns[column]! / pairs.length;
    }
  }
  return expected === 0 ? null : 1 - seen / expected;
}
