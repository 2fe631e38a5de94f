import type { Finding, Verdict } from "./findings.ts";
import type { RunReply } from "./units.ts";
import type { Origin, SummaryRow } from "./summarise.ts";

/** A statement that numbers can confirm or contradict. */
export interface Claim<Evidence> {
  /** A short name, such as `R4`. */
  readonly id: string;
  /** Where the source makes the claim (section, table, figure), or the source of the numbers of our own check. */
  readonly source: string;
  /** The checked words of the source, verbatim: a sentence, or two places that seem to disagree. A check of ours has none. */
  readonly quote?: string | readonly [string, string];
  /**
   * The statement that is checked, with the quoted sentence's own threshold. If the sentence is vague ("almost all"), the threshold
   * is ours and the statement marks it: "… (our measure: 10 points or more)".
   */
  readonly statement: string;
  /** The verdict of the published numbers; absent for claims about runs only. */
  readonly expected?: Verdict;
  /** How many of its cases the statement is about, and the word of the quote that says so. */
  readonly quantifier?: { readonly of: "all" | "most" | "some" | "on average"; readonly word: string };
  /** What a run must have before the claim is checked on it. */
  readonly needs?: RunNeeds;
  /** Decides, given the evidence. */
  readonly check: (evidence: Evidence) => Finding;
}

/** What a run must have, besides two lengths and replies of which some are right and some are wrong. */
export interface RunNeeds {
  readonly knobs?: readonly string[];
  /** The least number of lengths; 2 by default. */
  readonly lengths?: number;
}

/** A claim with the verdict that the published numbers give. */
export type PublishedClaim<Evidence> = Claim<Evidence> & { readonly expected: Verdict };

/** A checked claim, as a row of a table. */
export interface CheckedClaim extends Finding, Omit<Claim<never>, "quote" | "check"> {
  /** A statement of the source, two of its places compared, or a check of ours. */
  readonly kind: "paper" | "inconsistency" | "check";
  /** The words checked, in quotation marks; both places of an inconsistency; empty for a check of ours. */
  readonly quote: string;
}

/** Checks claims against evidence. Returns a row for each claim, in the order given. */
export function checkClaims<Evidence>(
  claims: readonly Claim<Evidence>[],
  evidence: Evidence,
): readonly CheckedClaim[] {
  return claims.map(({ check, quote, ...claim }) => ({ ...claim, ...quoted(quote), ...check(evidence) }));
}

function quoted(quote: Claim<never>["quote"]): Pick<CheckedClaim, "kind" | "quote"> {
  if (quote === undefined) return { kind: "check", quote: "" };
  return typeof quote === "string"
    ? { kind: "paper", quote: `“${quote}”` }
    : { kind: "inconsistency", quote: quote.map((place) => `“${place}”`).join(" against ") };
}

/** The claims of one study, checked on its published numbers. */
export interface ClaimSet {
  /** Its name within the benchmark, such as `ablations`. */
  readonly name: string;
  readonly title: string;
  readonly origin: Origin;
  /** Checks each claim on the published evidence. */
  check(): Promise<readonly CheckedClaim[]>;
}

/**
 * Combines the claims of a study with the evidence that they are checked on, which is opened at the first check. The origin is
 * `published` by default.
 */
export function claimSet<Evidence>(
  parts: Pick<ClaimSet, "name" | "title"> & Partial<Pick<ClaimSet, "origin">> & {
    readonly claims: readonly PublishedClaim<Evidence>[];
    readonly evidence: () => Evidence | Promise<Evidence>;
  },
): ClaimSet {
  const { name, title, origin = "published", claims, evidence } = parts;
  return { name, title, origin, check: async () => checkClaims(claims, await evidence()) };
}

/** The evidence for claims about a run of one model. */
export interface RunEvidence {
  /** From `summarise`; `lengthMeans` averages groups of them. */
  readonly rows: readonly SummaryRow[];
  /** The scored replies, one for each sample; repeats are averaged. */
  readonly replies: readonly RunReply[];
  /** The tasks of the run with their knobs, as in its manifest. */
  readonly tasks: Readonly<Record<string, { readonly options: Readonly<Record<string, string | number>> }>>;
  /** The context length that the model's makers claim, in tokens; `null` if unknown. */
  readonly claimedLength: number | null;
}
