import { checkAverages } from "./_check_averages.ts";
import { checkEditions, checkFigures } from "./_check_figures.ts";
import { checkClaimedLengths, checkNames, checkNotation, checkOrdinals } from "./_check_notation.ts";
import { checkThresholds, checkTotals } from "./_check_totals.ts";
import type { Disagreement } from "./disagreement.ts";
import type { RulerPublished } from "./published.ts";

/**
 * Lists every place where RULER's published numbers do not agree with each other: averages, ranks and effective lengths
 * that do not follow from the scores, totals and thresholds that do not follow from the categories, figures and
 * editions that show something else, and slips of the pen. What rounding to the nearest can explain is not listed. Not all
 * are misprints: `cause` says what each comes of.
 *
 * @param published What RULER published.
 * @returns The disagreements, those of arithmetic first.
 *
 * @example The average that does not add up
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/analysis/mod.ts";
 *
 * const [first] = disagreements(await openPublished());
 * equal(first!.where, "Table 11, Together (7B), Avg.");
 * equal(first!.printed, "66.7");
 * equal(first!.expected, "66.633");
 * ```
 */
export function disagreements(published: RulerPublished): readonly Disagreement[] {
  const { rows, thresholds, models } = published;
  return [
    ...checkAverages(rows),
    ...checkTotals(rows),
    ...checkThresholds(rows, thresholds),
    ...checkFigures(published),
    ...checkEditions(published),
    ...checkNames(rows),
    ...checkClaimedLengths(rows, models),
    ...checkOrdinals(rows),
    ...checkNotation(rows),
  ];
}
