import type { CrossedDesign, FactorRow } from "./_crossed_design.ts";
import { groupMeans, meanOf } from "./_group_means.ts";

/** Rounds after which filled values change no more. */
const ROUNDS = 20;

/**
 * Fills missing values in: with the mean of their combination, or with the sum of their levels' effects where the combination has no
 * value at all (Yates 1933, "The analysis of replicated experiments when the field results are incomplete").
 */
export function fillMissing(
  rows: readonly FactorRow[],
  { factors, cells }: Pick<CrossedDesign, "factors" | "cells">,
): Float64Array {
  const known = rows.flatMap(({ value }, row) => value === null ? [] : [{ cell: cells[row]!, value }]);
  const mean = (of: readonly { readonly value: number }[]): number =>
    of.reduce((sum, { value }) => sum + value, 0) / of.length;
  const means = new Map([...Map.groupBy(known, ({ cell }) => cell)].map(([cell, of]) => [cell, mean(of)]));
  const grand = mean(known);
  const values = Float64Array.from(rows, ({ value }, row) => value ?? means.get(cells[row]!) ?? grand);
  const empty = [...cells.keys()].filter((row) => !means.has(cells[row]!));
  for (let round = 0; round < ROUNDS && empty.length > 0; round++) {
    const middle = meanOf(values);
    const effects = factors.map(({ levels, at }) => groupMeans(values, at, levels.length).map((one) => one - middle));
    for (const row of empty) {
      values[row] = factors.reduce((sum, { at }, factor) => sum + effects[factor]![at[row]!]!, middle);
    }
  }
  return values;
}
