import { sampleCorrelation } from "simple-statistics";
import { need } from "./intervals.ts";

/**
 * Compares the grades of two raters.
 *
 * Spearman's rank correlation uses midranks, and is `null` if a rater gives one grade only. Cohen's kappa is 1 for full agreement
 * and 0 for chance, and is `null` if both give one grade only.
 *
 * @param pairs For each item the first rater's grade and the second's, whole numbers from 1 to `grades`.
 * @param weights The cost of a disagreement in kappa: the squared difference for ordered grades (Cohen 1968), or the same for
 *   all if the grades are names (Cohen 1960).
 * @returns `n`: the items; `same`: the share with the same grade, in [0, 1]; `table`: counts by the first rater's grade (row) and
 *   the second's (column), the lowest grade first.
 * @throws {RangeError} If there is no pair, or a grade is outside its range.
 */
export function raterAgreement(
  pairs: readonly (readonly [number, number])[],
  { grades, weights = "squared" }: { readonly grades: number; readonly weights?: "squared" | "same" },
): {
  readonly n: number;
  readonly same: number;
  readonly spearman: number | null;
  readonly kappa: number | null;
  readonly table: readonly (readonly number[])[];
} {
  const n = pairs.length;
  need(n > 0, "compare raters", "there must be at least one pair", 0);
  const wrong = pairs.flat().find((grade) => !Number.isInteger(grade) || grade < 1 || grade > grades);
  need(wrong === undefined, "compare raters", `each grade must be a whole number from 1 to ${grades}`, wrong);
  const table = Array.from({ length: grades }, () => Array<number>(grades).fill(0));
  for (const [first, second] of pairs) table[first - 1]![second - 1]! += 1;
  const same = pairs.filter(([first, second]) => first === second).length / n;
  return { n, same, spearman: correlateRanks(pairs), kappa: weightedKappa(table, n, weights), table };
}

function correlateRanks(pairs: readonly (readonly [number, number])[]): number | null {
  const [first, second] = [pairs.map(([grade]) => grade), pairs.map(([, grade]) => grade)];
  if (new Set(first).size < 2 || new Set(second).size < 2) return null;
  return sampleCorrelation([...midranks(first)], [...midranks(second)]);
}

/** Ranks numbers from the lowest, starting at 1; ties share the mean of their ranks. */
function midranks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((left, right) => left - right);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}

function weightedKappa(table: readonly (readonly number[])[], n: number, weights: "squared" | "same"): number | null {
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const rows = table.map(sum);
  const columns = table.map((_, column) => sum(table.map((row) => row[column]!)));
  let [seen, expected] = [0, 0];
  for (const [row, counts] of table.entries()) {
    for (const [column, count] of counts.entries()) {
      const weight = weights === "squared" ? (row - column) ** 2 : Number(row !== column);
      seen += weight * count;
      expected += weight * rows[row]! * columns[column]! / n;
    }
  }
  return expected === 0 ? null : 1 - seen / expected;
}
