/** How good a reply is, what was compared, and why. */
export interface Score {
  /** The share of what was wanted that was found, in [0, 1]; `null` where there was nothing to score. */
  readonly value: number | null;
  /** The text that was compared with the references. */
  readonly answer: string;
  /** A sentence that says what was found and what was missing. */
  readonly why: string;
}
