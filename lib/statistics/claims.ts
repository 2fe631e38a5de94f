import type { ClusteredSample } from "./clusters.ts";
import { differenceInterval, type ScoreWithInterval } from "./intervals.ts";
import { inPercent, meanOfClusters } from "./mean_interval.ts";
import type { RunReply } from "./repeats.ts";
import { statedInterval, unitsText } from "./stated_interval.ts";
import type { Origin, SummaryRow } from "./summarise.ts";

/**
 * The verdict on a claim: the numbers confirm it, confirm it but for few cases ({@linkcode decidedByCases}), contradict it, or do
 * not decide it.
 */
export type Verdict = "holds" | "mostly holds" | "fails" | "cannot tell";

/** A verdict and the numbers behind it. */
export interface Finding {
  readonly verdict: Verdict;
  /** The observation: one or two sentences with numbers. */
  readonly observed: string;
  /** Set if the claim is open because what it takes was not asked. */
  readonly isAsked?: false;
}

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
  /** Decides, given the evidence. */
  readonly check: (evidence: Evidence) => Finding;
}

/** A claim with the verdict that the published numbers give. */
export type PublishedClaim<Evidence> = Claim<Evidence> & { readonly expected: Verdict };

/** Returns the quote of a claim, for another claim about the same words. */
export function quoteOf(claims: readonly Claim<never>[], id: string): string | readonly [string, string] {
  return claims.find((claim) => claim.id === id)!.quote!;
}

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

/** Formats a difference: `3.2 points (95% interval -1.0 to 7.4)`; of few units, `3.2 points (about these 3 texts only)`. */
export function pointsText(difference: ScoreWithInterval & { readonly units?: number }): string {
  const { score, low, high } = difference;
  const interval = `95% interval ${low.toFixed(1)} to ${high.toFixed(1)}`;
  return `${score.toFixed(1)} points (${unitsText([difference], interval)})`;
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

/** Returns the verdict on a claim that numbers support, contradict or leave open. */
export function verdictOf(holds: boolean, fails: boolean): Verdict {
  if (holds) return "holds";
  return fails ? "fails" : "cannot tell";
}

/** Returns a finding for numbers without an interval. */
export function decided(holds: boolean, observed: string): Finding {
  return { verdict: holds ? "holds" : "fails", observed };
}

/** The least share of cases for which a claim about all of them "mostly holds". */
const MOSTLY = 3 / 4;

/** The least number of cases for "mostly holds": of fewer, three quarters agree by chance too often. */
const LEAST_CASES = 8;

/**
 * Returns a finding for a claim about each of several cases, such as models or rows: it holds if all agree, mostly holds if three
 * quarters do, and fails otherwise. Fewer than eight cases have no "mostly".
 *
 * @param agrees `null` for a case that is open: the claim is open if the verdict depends on such cases.
 */
export function decidedByCases(agrees: readonly (boolean | null)[], observed: string): Finding {
  const [sure, open] = [true, null].map((wanted) => agrees.filter((each) => each === wanted).length) as [
    number,
    number,
  ];
  const enough = agrees.length >= LEAST_CASES ? MOSTLY * agrees.length : agrees.length;
  if (sure === agrees.length) return { verdict: "holds", observed };
  if (sure >= enough) return { verdict: "mostly holds", observed };
  return { verdict: sure + open < enough ? "fails" : "cannot tell", observed };
}

/** Returns a finding that leaves the claim open. */
export function cannotTell(observed: string): Finding {
  return { verdict: "cannot tell", observed };
}

/** Returns a finding that leaves the claim open as its tasks or lengths were not asked. */
export function notAsked(observed: string): Finding {
  return { ...cannotTell(observed), isAsked: false };
}

/**
 * A difference that is surely smaller counts as none, in points. The difference of two scores of 80% with 500 samples each, the most
 * that a cell of the papers has, is known to 5 points (95%), so their numbers could not show a smaller one.
 */
export const NO_DIFFERENCE = 5;

/**
 * Judges whether one score is above another by their difference in points: the claim holds if it is surely above 0, fails if it is
 * surely below {@linkcode NO_DIFFERENCE}, and is open otherwise.
 *
 * @param options `scores`: both, in percent, of tasks that can be too hard or too easy to show a difference, and `floor`, their lowest
 *   ({@linkcode unlessAtEdge}). `bar`: a least difference, in points, on both sides of which it is decided; none by default.
 */
export function decidedByDifference(
  difference: Pick<ScoreWithInterval, "low" | "high"> & { readonly units?: number },
  observed: string,
  options: { readonly scores?: readonly ScoreWithInterval[]; readonly bar?: number; readonly floor?: number } = {},
): Finding {
  const { low, high } = statedInterval(difference);
  if (low === null || high === null) return cannotTell(observed);
  const { scores, bar = 0, floor = 0 } = options;
  const [holds, least] = bar === 0 ? [low > 0, NO_DIFFERENCE] : [low >= bar, bar];
  const finding: Finding = { verdict: holds ? "holds" : high < least ? "fails" : "cannot tell", observed };
  const isSmall = finding.verdict === "fails" && high > 0;
  return isSmall && scores !== undefined ? unlessAtEdge(finding, scores, { bar: least, floor }) : finding;
}

/** Two groups of replies that are compared. */
export interface GroupComparison<Reply extends RunReply = RunReply> {
  /** Returns the group of a reply; replies of other groups are left out. */
  of(reply: Reply): string | number | undefined;
  readonly groups: readonly [first: string | number | undefined, second: string | number | undefined];
  /** Returns what both groups must have in common, such as the length; these cells weigh the same. */
  alike(reply: Reply): string | number;
  /** Returns what is averaged, in [0, 1]; by default the score. */
  value?(reply: Reply): number | null;
}

/**
 * Compares the means of two groups of replies over the cells that both have. Replies that share a cluster count once.
 *
 * @returns The first group less the second, in points with its 95% interval, the `scores` of both in percent, and the numbers of
 *   their replies; `null` if the groups are the same or share no cell.
 */
export function compareGroups<Reply extends RunReply>(
  replies: readonly Reply[],
  comparison: GroupComparison<Reply>,
):
  | ScoreWithInterval & {
    readonly units: number;
    readonly scores: readonly [ScoreWithInterval, ScoreWithInterval];
    readonly sizes: readonly [number, number];
  }
  | null {
  const { of, groups: [one, other], alike, value = (reply) => reply.value } = comparison;
  const samplesOf = (group: string | number | undefined): ClusteredSample[] =>
    replies.filter((reply) => of(reply) === group && value(reply) !== null).map((reply) => (
      { cell: String(alike(reply)), cluster: reply.cluster, values: [value(reply)!] }
    ));
  const [first, second] = [samplesOf(one), samplesOf(other)];
  const shared = new Set(first.map(({ cell }) => cell)).intersection(new Set(second.map(({ cell }) => cell)));
  if (one === undefined || other === undefined || one === other || shared.size === 0) return null;
  const [left, right] = [first, second].map((all) => all.filter(({ cell }) => shared.has(cell)));
  const means = [meanOfClusters(left!), meanOfClusters(right!)] as const;
  const scores = [inPercent(means[0]), inPercent(means[1])] as const;
  const units = Math.min(means[0].n, means[1].n);
  return { ...differenceInterval(...scores), units, scores, sizes: [left!.length, right!.length] };
}

/** Returns the comparison of the shortest length of some replies with their longest, over the tasks that were asked at both. */
export function shortestLessLongest(replies: readonly RunReply[]): GroupComparison & { readonly words: string } {
  const lengths = replies.map(({ length }) => length).sort((one, other) => one - other);
  const groups = [lengths[0], lengths.at(-1)] as const;
  return {
    of: ({ length }) => length,
    groups,
    alike: ({ task }) => task,
    words: `${groups[0]} less ${groups[1]} tokens`,
  };
}

/**
 * Judges whether the first of two groups of replies scores higher, by {@linkcode compareGroups} and {@linkcode decidedByDifference}.
 *
 * @param comparison `words`: the difference, such as `Forward less backward`. `isRate`: what is averaged has no floor and no ceiling.
 */
export function decidedByGroups<Reply extends RunReply>(
  replies: readonly Reply[],
  comparison: GroupComparison<Reply> & { readonly words: string; readonly bar?: number; readonly isRate?: boolean },
): Finding {
  const found = compareGroups(replies, comparison);
  if (found === null) return notAsked("There are no replies to compare.");
  const observed = `${comparison.words}: ${pointsText(found)}, of ${found.sizes.join(" and ")} replies.`;
  const { bar = 0, isRate = false } = comparison;
  return decidedByDifference(found, observed, isRate ? { bar } : { bar, scores: found.scores });
}

/** A score whose interval reaches this value, in percent, is at the ceiling. */
const CEILING = 99;

/**
 * Returns a finding that depends on two scores being equal, or "cannot tell" if both are at the floor or both at the ceiling within
 * their intervals: the task is then too hard, or too easy, to show a difference.
 *
 * @param finding The finding if the scores are not at an edge.
 * @param scores Both, in percent.
 * @param options `bar`: the difference that the claim is about, in points; a score less than that above the floor could not show
 *   it. `floor`: the lowest possible score, in percent, 0 by default.
 */
export function unlessAtEdge(
  finding: Finding,
  scores: readonly ScoreWithInterval[],
  { bar, floor = 0 }: { readonly bar: number; readonly floor?: number },
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

/** Formats names with numbers: `GPT-4 96.6, Yi (34B) 93.3`. */
export function listed(items: readonly (readonly [string, number])[]): string {
  return items.length === 0 ? "none" : items.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ");
}

/** How many claims have each verdict. */
export interface VerdictCounts {
  /** Claims that hold. */
  readonly holds: number;
  /** Claims that mostly hold. */
  readonly mostly: number;
  /** Claims that fail. */
  readonly fails: number;
  /** Claims that cannot be decided. */
  readonly open: number;
}

/** Formats counts of verdicts, such as `1 holds, 1 mostly holds, 2 fail, 0 cannot tell`; without `mostly` if there is none. */
export function verdictCounts({ holds, mostly, fails, open }: VerdictCounts): string {
  const hold = (count: number): string => count === 1 ? "holds" : "hold";
  return [
    `${holds} ${hold(holds)}`,
    ...(mostly === 0 ? [] : [`${mostly} mostly ${hold(mostly)}`]),
    `${fails} ${fails === 1 ? "fails" : "fail"}`,
    `${open} cannot tell`,
  ].join(", ");
}
