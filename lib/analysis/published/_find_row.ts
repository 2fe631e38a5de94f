import type { Edition, PublishedRow } from "./published.ts";
import type { PublishedCategory } from "./_published_tables.ts";

/** The name without the size: `Command-R` for `Command-R (35B)`. */
export function stemOf(model: string): string {
  return model.replace(/ \([^)]*\)$/, "");
}

/** Finds a model's row for a category, though a table should print its size wrongly, as Table 16 does for Command-R. */
export function findRow(
  rows: readonly PublishedRow[],
  wanted: { readonly edition: Edition; readonly category: PublishedCategory; readonly model: string },
): PublishedRow | undefined {
  const candidates = rows.filter((row) => row.edition === wanted.edition && row.category === wanted.category);
  const ofStem = candidates.filter((row) => stemOf(row.model) === stemOf(wanted.model));
  return candidates.find((row) => row.model === wanted.model) ?? (ofStem.length === 1 ? ofStem[0] : undefined);
}

/** The printed score of a row at a length. */
export function scoreAt(row: PublishedRow | undefined, length: number): number | undefined {
  return row?.scores.find((at) => at.length === length)?.score;
}
