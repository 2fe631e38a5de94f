import type { ScoreWithInterval } from "./intervals.ts";
import type { TaskKnobs } from "./knob_rows.ts";
import type { ScoredRecord } from "./repeats.ts";
import type { Origin, SummaryRow } from "./summarise.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** The numbers confirm a claim, contradict it, or do not decide it. */
export type Verdict = "holds" | "fails" | "cannot tell";

/** A verdict and the numbers behind it. */
export interface Finding {
  /** What became of the claim. */
  readonly verdict: Verdict;
  /** What was seen: one or two sentences with numbers. */
  readonly observed: string;
}

/** A statement of the source itself. */
export interface OwnStatement {
  /** The source says it itself. */
  readonly kind: "paper";
  /** The sentence that is checked, or the relevant part of it, verbatim. */
  readonly quote: string;
}

/** Two places of a source that do not seem to agree; it holds if they do. */
export interface OwnInconsistency {
  /** The source says two things of one matter. */
  readonly kind: "inconsistency";
  /** Both places, verbatim. */
  readonly quote: readonly [string, string];
}

/** A check of ours, which the source never stated. */
export interface OwnCheck {
  /** We ask it; the source does not say it. */
  readonly kind: "check";
}

/** Whose words a claim is in, with the sentence that it checks. */
export type ClaimVoice = OwnStatement | OwnInconsistency | OwnCheck;

/** What every claim has. */
export interface ClaimBody<Evidence> {
  /** A short name, such as `R4`. */
  readonly id: string;
  /** Where the claim is made (section, table, figure), or where the numbers of our own check are. */
  readonly source: string;
  /**
   * What is checked, with the quoted sentence's own bar. If the sentence is vague ("almost all"), the bar is ours and the
   * statement says so: "… (our measure: 10 points or more)".
   */
  readonly statement: string;
  /** What the published numbers give; left out for claims about runs only. */
  readonly expected?: Verdict;
  /** Decides, given the evidence. */
  readonly check: (evidence: Evidence) => Finding;
}

/** A statement that numbers can confirm or contradict. */
export type Claim<Evidence> = ClaimBody<Evidence> & ClaimVoice;

/** A claim that says what the published numbers give. */
export type PublishedClaim<Evidence> = Claim<Evidence> & { readonly expected: Verdict };

/** A checked claim, as a row of a table. */
export interface CheckedClaim extends Finding {
  /** The claim's short name. */
  readonly id: string;
  /** Where the claim is made. */
  readonly source: string;
  /** Whose words it is in. */
  readonly kind: ClaimVoice["kind"];
  /** The words checked, in quotation marks; both places of an inconsistency; empty for a check of ours. */
  readonly quote: string;
  readonly statement: string;
  /** What the published numbers give, if the claim says so. */
  readonly expected?: Verdict;
}

/** Checks claims against evidence: a row for each claim, in the order given. */
export function checkClaims<Evidence>(
  claims: readonly Claim<Evidence>[],
  evidence: Evidence,
): readonly CheckedClaim[] {
  return claims.map(({ check, ...claim }) => ({ ...claim, quote: quoted(claim), ...check(evidence) }));
}

/** A difference in words: `3.2 points (95% interval -1.0 to 7.4)`. */
export function pointsText({ score, low, high }: ScoreWithInterval): string {
  return `${score.toFixed(1)} points (95% interval ${low.toFixed(1)} to ${high.toFixed(1)})`;
}

function quoted(voice: ClaimVoice): string {
  if (voice.kind === "check") return "";
  const places = voice.kind === "paper" ? [voice.quote] : voice.quote;
  return places.map((place) => `“${place}”`).join(" against ");
}

/** The claims of one study, checked on its published numbers. */
export interface ClaimSet {
  /** Its name within the benchmark, such as `ablations`. */
  readonly name: string;
  /** The title of its table: what is checked, and on what. */
  readonly title: string;
  /** Where the numbers come from. */
  readonly origin: Origin;
  /** Checks each claim on the published evidence. */
  check(): Promise<readonly CheckedClaim[]>;
}

/** What {@linkcode claimSet} makes a set of. */
export interface ClaimSetParts<Evidence> extends Pick<ClaimSet, "name" | "title"> {
  /**
   * Where the numbers come from.
   *
   * @default {"published"}
   */
  readonly origin?: Origin;
  /** The claims, each with the verdict that the published numbers give. */
  readonly claims: readonly PublishedClaim<Evidence>[];
  /** Opens what the claims are checked on. */
  readonly evidence: () => Evidence | Promise<Evidence>;
}

/** Combines the claims of a study with the evidence they are checked on. */
export function claimSet<Evidence>(parts: ClaimSetParts<Evidence>): ClaimSet {
  const { name, title, origin = "published", claims, evidence } = parts;
  return { name, title, origin, check: async () => checkClaims(claims, await evidence()) };
}

/** The evidence for claims about a run of one model. */
export interface RunEvidence {
  /** From `summarise`; `lengthMeans` averages groups of them. */
  readonly rows: readonly SummaryRow[];
  /** The scored replies, one a sample: repeats are averaged. */
  readonly replies: readonly RunReply[];
  readonly tasks: TaskKnobs;
  /** The context that the model's makers claim, in tokens; `null` if unknown. */
  readonly claimedLength: number | null;
}

/** A scored reply, with the sample that it answers. */
export interface RunReply extends ScoredRecord {
  /** The sample's number and seed, and the depth of its target, if there is one. */
  readonly record: Pick<RunRecord, "index" | "seed" | "depth" | "repeat">;
}

/** A verdict for numbers without an interval. */
export function decided(holds: boolean, observed: string): Finding {
  return { verdict: holds ? "holds" : "fails", observed };
}

/** A finding that leaves the claim open. */
export function cannotTell(observed: string): Finding {
  return { verdict: "cannot tell", observed };
}

/** Judges a difference by its sign: the claim holds above 0, fails at or below 0, and is open while the interval includes both. */
export function decidedBySign({ low, high }: Pick<ScoreWithInterval, "low" | "high">, observed: string): Finding {
  return { verdict: low > 0 ? "holds" : high <= 0 ? "fails" : "cannot tell", observed };
}

/** What could have shown a difference of two scores. */
export interface EdgeOptions {
  /** The difference that the claim is about, in points: a score with less than that above the floor could not have shown it. */
  readonly bar: number;
  /**
   * The least score there is, in percent.
   *
   * @default {0}
   */
  readonly floor?: number;
}

/** A score that cannot be told from so many points below 100 is at the ceiling. */
const CEILING = 99;

/**
 * Leaves open what two scores would say by being alike, where both are at the floor or both at the ceiling within their
 * intervals: the task is then too hard, or too easy, for any difference to show.
 *
 * @param finding What is said by their being alike.
 * @param scores Both, in percent.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const alike = { verdict: "holds", observed: "Nothing is lost." } as const;
 * const nothing = { score: 0, low: 0, high: 3 };
 * equal(unlessAtEdge(alike, [nothing, nothing], { bar: 10 }).verdict, "cannot tell");
 * equal(unlessAtEdge(alike, [{ score: 60, low: 57, high: 63 }, nothing], { bar: 10 }).verdict, "holds");
 * ```
 */
export function unlessAtEdge(
  finding: Finding,
  scores: readonly [ScoreWithInterval, ScoreWithInterval],
  { bar, floor = 0 }: EdgeOptions,
): Finding {
  const isLow = scores.every(({ low }) => low < floor + bar);
  const isHigh = scores.every(({ high }) => high > CEILING);
  if (!isLow && !isHigh) return finding;
  const [first, second] = scores.map(({ score }) => score.toFixed(1));
  return cannotTell(
    `${finding.observed} Both scores (${first} and ${second}) are at the ${
      isLow ? "floor" : "ceiling"
    }, so the task is too ${isLow ? "hard" : "easy"} to show a difference.`,
  );
}

/** Names with numbers: `GPT-4 96.6, Yi (34B) 93.3`. */
export function listed(items: readonly (readonly [string, number])[]): string {
  return items.length === 0 ? "none" : items.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ");
}
