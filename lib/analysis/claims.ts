/** What became of a claim: the numbers bear it out, contradict it, or do not decide it. */
export type Verdict = "holds" | "fails" | "cannot tell";

/** A verdict and the numbers behind it. */
export interface Finding {
  /** What became of the claim. */
  readonly verdict: Verdict;
  /** What was seen: one or two sentences with numbers. */
  readonly observed: string;
}

/** A statement that numbers can bear out or contradict. */
export interface Claim<Evidence> {
  /** A short name, such as `R4`. */
  readonly id: string;
  /** Where the claim is made: section, table or figure. */
  readonly source: string;
  /** What is claimed. Where the source is vague ("almost all"), the measure taken is part of the statement. */
  readonly statement: string;
  /** Looks at the evidence and decides. */
  readonly check: (evidence: Evidence) => Finding;
}

/** A checked claim, as a row of a table. */
export interface CheckedClaim extends Finding {
  /** The claim's short name. */
  readonly id: string;
  /** Where the claim is made. */
  readonly source: string;
  /** What is claimed. */
  readonly statement: string;
}

/**
 * Checks claims against evidence, for a table with a row a claim.
 *
 * @param claims What to check.
 * @param evidence What the claims are about.
 * @returns A plain object for each claim, in the order given.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const claim = {
 *   id: "A1",
 *   source: "abstract",
 *   statement: "The score is above 50.",
 *   check: (score: number) => ({ verdict: score > 50 ? "holds" : "fails", observed: `It is ${score}.` } as const),
 * };
 * deepEqual(checkClaims([claim], 40), [
 *   { id: "A1", source: "abstract", statement: "The score is above 50.", verdict: "fails", observed: "It is 40." },
 * ]);
 * ```
 */
export function checkClaims<Evidence>(
  claims: readonly Claim<Evidence>[],
  evidence: Evidence,
): readonly CheckedClaim[] {
  return claims.map(({ id, source, statement, check }) => ({ id, source, statement, ...check(evidence) }));
}
