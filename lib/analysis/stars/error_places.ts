import type { StarPanel } from "./star_panel.ts";

/** Where a matrix loses stars. */
export interface ErrorPlaces {
  /** The model. */
  readonly model: string;
  /** What is lost of all cells together, in stars; half a star where a cell scores 0.5. */
  readonly errors: number;
  /** The shares of it in the first, middle and last third of the stars, in [0, 1]; `null` where nothing is lost. */
  readonly first: number | null;
  /** The share in the middle third. */
  readonly middle: number | null;
  /** The share in the last third. */
  readonly last: number | null;
  /** The third that loses most; `null` where nothing is lost or two lose the same. */
  readonly most: "first" | "middle" | "last" | null;
  /** The star that is lost most often, from 1; `null` where nothing is lost. */
  readonly worstStar: number | null;
  /** The share of all errors that this star has, in [0, 1]. */
  readonly worstShare: number | null;
}

/**
 * Tells where in the text the stars of a matrix are lost.
 *
 * Star i of M is in third floor(3 (i - 1) / M), so that thirds differ by a star at most.
 *
 * @param panel The matrix.
 * @returns The shares of its errors by third, and the star with most of them.
 *
 * @example A model that loses the tail
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { last, most, worstStar } = errorPlaces({ model: "m", columns: [{ length: 4000, cells: [1, 1, 0.5, 1, 1, 0] }] });
 * equal(last, 2 / 3);
 * equal(most, "last");
 * equal(worstStar, 6);
 * ```
 */
export function errorPlaces({ model, columns }: StarPanel): ErrorPlaces {
  const stars = columns[0]?.cells.length ?? 0;
  const lost = Array.from(
    { length: stars },
    (_, star) => columns.reduce((sum, { cells }) => sum + 1 - cells[star]!, 0),
  );
  const errors = lost.reduce((sum, loss) => sum + loss, 0);
  if (errors === 0) {
    return { model, errors, first: null, middle: null, last: null, most: null, worstStar: null, worstShare: null };
  }
  const thirds = [0, 0, 0];
  lost.forEach((loss, star) => thirds[Math.floor(3 * star / stars)]! += loss / errors);
  const greatest = Math.max(...thirds);
  const leading = thirds.flatMap((share, third) => greatest - share < 1e-9 ? [third] : []);
  const worst = lost.indexOf(Math.max(...lost));
  return {
    model,
    errors,
    first: thirds[0]!,
    middle: thirds[1]!,
    last: thirds[2]!,
    most: leading.length === 1 ? THIRDS[leading[0]!]! : null,
    worstStar: worst + 1,
    worstShare: lost[worst]! / errors,
  };
}

const THIRDS = ["first", "middle", "last"] as const;
