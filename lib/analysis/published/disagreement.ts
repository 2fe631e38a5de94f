import type { Edition } from "./published.ts";

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

/** A place where what is printed does not follow from the other printed numbers, or is printed otherwise elsewhere. */
export interface Disagreement {
  /** What does not agree. */
  readonly kind: DisagreementKind;
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
