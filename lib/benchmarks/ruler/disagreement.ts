import type { Edition } from "./published.ts";

/** A place where what is printed does not follow from the other printed numbers, or is printed otherwise elsewhere. */
export interface Disagreement {
  /** What does not agree. */
  readonly kind: DisagreementKind;
  /** What it comes of. */
  readonly cause: DisagreementCause;
  /** Where the table stands. */
  readonly edition: Edition;
  /** The table, the row and the column or length. */
  readonly where: string;
  /** What is printed there. */
  readonly printed: string;
  /** What follows from the other numbers, or is printed elsewhere. */
  readonly expected: string;
  /** A sentence that says how the two were compared. */
  readonly why: string;
}

/** What does not agree. */
export type DisagreementKind =
  | "average"
  | "rank"
  | "effective length"
  | "threshold"
  | "categories"
  | "figure"
  | "editions"
  | "name"
  | "claimed length"
  | "ordinal"
  | "notation";

/**
 * What a disagreement comes of, as far as the print tells:
 *
 * - `misprint`: a slip of the pen, a name, a size, a suffix or a number that stands otherwise elsewhere
 * - `rounding`: the last digit is one off, as by rounding to the wrong side
 * - `threshold`: a threshold that does not follow from others, or from the figure that draws it; which is right is not known
 * - `edition`: nothing is wrong with it beside the numbers of its own edition; a later one prints another
 */
export type DisagreementCause = "misprint" | "rounding" | "threshold" | "edition";
