import type { Edition } from "./published.ts";

/** A printed value that does not follow from the other printed numbers, or is printed differently elsewhere. */
export interface Disagreement {
  /** What does not agree. */
  readonly kind: DisagreementKind;
  /** Why it does not. */
  readonly cause: DisagreementCause;
  /** Where the table is from. */
  readonly edition: Edition;
  /** Table, row, and column or length. */
  readonly where: string;
  /** The printed value. */
  readonly printed: string;
  /** The value that follows from the other numbers, or is printed elsewhere. */
  readonly expected: string;
  /** How the two were compared. */
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
 * Why published values disagree, as far as the paper shows:
 *
 * - `misprint`: a typo: a name, a size, a suffix or a number that is different elsewhere
 * - `rounding`: the last digit is one off, as if rounded to the wrong side
 * - `threshold`: a threshold that does not follow from others or from its figure; which is right is unknown
 * - `edition`: consistent with its own edition, but a later one prints another value
 */
export type DisagreementCause = "misprint" | "rounding" | "threshold" | "edition";
