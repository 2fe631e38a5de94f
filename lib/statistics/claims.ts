/** A verdict that printed numbers decide. */
export function decided(holds: boolean, observed: string): Finding {
  return { verdict: holds ? "holds" : "fails", observed };
}

/** Names with numbers: `GPT-4 96.6, Yi (34B) 93.3`. */
export function listed(items: readonly (readonly [string, number])[]): string {
  return items.length === 0 ? "none" : items.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ");
}

/** What became of a claim: the numbers bear it out, contradict it, or do not decide it. */
export type Verdict = "holds" | "fails" | "cannot tell";

/** A verdict and the numbers behind it. */
export interface Finding {
  /** What became of the claim. */
  readonly verdict: Verdict;
  /** What was seen: one or two sentences with numbers. */
  readonly observed: string;
}

/** The source's own statement: without the sentence that makes it, it is not one. */
export interface OwnStatement {
  /** The source says it itself. */
  readonly kind: "paper";
  /** The sentence that is checked, or the part of it, as the source has it. */
  readonly quote: string;
}

/** Two places of a source that do not seem to agree; it holds if they do. */
export interface OwnInconsistency {
  /** The source says two things of one matter. */
  readonly kind: "inconsistency";
  /** Both places, as the source has them. */
  readonly quote: readonly [string, string];
}

/** A check of ours: the source never stated it, so nothing of it can be held against the source. */
export interface OwnCheck {
  /** We ask it; the source does not say it. */
  readonly kind: "check";
}

/** Whose words a claim is in, with the sentence that it checks. */
export type ClaimVoice = OwnStatement | OwnInconsistency | OwnCheck;

/** What every claim has, whoever makes it. */
export interface ClaimBody<Evidence> {
  /** A short name, such as `R4`. */
  readonly id: string;
  /** Where the claim is made: section, table or figure; of a check of ours, where the numbers stand. */
  readonly source: string;
  /**
   * What is checked. Its bar is the bar of the quoted sentence. Where the sentence is vague ("almost all") the measure is
   * ours and the statement says so: "… (our measure: 10 points or more)".
   */
  readonly statement: string;
  /** Looks at the evidence and decides. */
  readonly check: (evidence: Evidence) => Finding;
}

/**
 * A statement that numbers can bear out or contradict. A paper's claim quotes the sentence that it checks.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const claim: Claim<number> = {
 *   id: "A1",
 *   source: "abstract",
 *   kind: "paper",
 *   quote: "the score is nearly perfect",
 *   statement: "The score is nearly perfect (our measure: 95 or more).",
 *   check: (score) => ({ verdict: score >= 95 ? "holds" : "fails", observed: `It is ${score}.` }),
 * };
 * equal(claim.check(96).verdict, "holds");
 * ```
 */
export type Claim<Evidence> = ClaimBody<Evidence> & ClaimVoice;

/** A checked claim, as a row of a table. */
export interface CheckedClaim extends Finding {
  /** The claim's short name. */
  readonly id: string;
  /** Where the claim is made. */
  readonly source: string;
  /** Whose words it is in. */
  readonly kind: ClaimVoice["kind"];
  /** The words checked, in quotation marks: both places of an inconsistency, and empty for a check of ours. */
  readonly quote: string;
  /** What is checked. */
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
 * const claim: Claim<number> = {
 *   id: "A1",
 *   source: "abstract",
 *   kind: "paper",
 *   quote: "scores exceed 50",
 *   statement: "The score is above 50.",
 *   check: (score) => ({ verdict: score > 50 ? "holds" : "fails", observed: `It is ${score}.` }),
 * };
 * deepEqual(checkClaims([claim], 40), [{
 *   id: "A1",
 *   source: "abstract",
 *   kind: "paper",
 *   quote: "“scores exceed 50”",
 *   statement: "The score is above 50.",
 *   verdict: "fails",
 *   observed: "It is 40.",
 * }]);
 * ```
 */
export function checkClaims<Evidence>(
  claims: readonly Claim<Evidence>[],
  evidence: Evidence,
): readonly CheckedClaim[] {
  return claims.map((claim) => {
    const { id, source, kind, statement, check } = claim;
    return { id, source, kind, quote: quoted(claim), statement, ...check(evidence) };
  });
}

function quoted(voice: ClaimVoice): string {
  if (voice.kind === "check") return "";
  const places = voice.kind === "paper" ? [voice.quote] : voice.quote;
  return places.map((place) => `“${place}”`).join(" against ");
}
