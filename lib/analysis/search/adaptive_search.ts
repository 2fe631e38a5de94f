import { decideLength, type LengthDecision } from "./_decide_length.ts";
import { type SearchRounds, searchRounds } from "./_search_rounds.ts";
import type { Round } from "../intervals/anytime_test.ts";
import { type EffectiveLength, effectiveLengthText } from "../lengths/effective_length.ts";
import { checkDesign, type SearchDesign } from "./search_design.ts";

/** One sample of a search. */
export interface SearchSample {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The number of the sample in its task and length. */
  readonly index: number;
}

/** A sample that was asked. */
export interface SearchScore extends SearchSample {
  /** Its score in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
}

/** What is known of one length. */
export interface LengthVerdict {
  /** Context length in tokens. */
  readonly length: number;
  /** The scores in rounds of one sample a task. */
  readonly rounds: readonly Round[];
  /** What the mean must reach, in percent; `null` where that is a share of a score that is not known yet. */
  readonly threshold: number | null;
  /** Whether the length passes; `null` where that is open, was never asked or has no score. */
  readonly passes: boolean | null;
  /** Whether the verdict is settled; a verdict that is not rests on the mean of all samples of the design. */
  readonly isSettled: boolean;
}

/** Where a search stands. */
export interface SearchStep {
  /** What to ask next, in any order; none where the search has ended. */
  readonly next: readonly SearchSample[];
  /** The effective length; `null` while the search goes on. */
  readonly answer: EffectiveLength | null;
  /** Whether every verdict that the answer rests on is settled. */
  readonly isSettled: boolean;
  /** What is known of each length, lengths rising. */
  readonly lengths: readonly LengthVerdict[];
}

/**
 * Searches for the effective length and spends samples only where they decide: tells what to ask next, or the answer.
 *
 * It asks in rounds of one sample a task. After each step it tests with {@linkcode anytimeTest} on which side of the threshold the length lies; a length far from the
 * threshold is settled after a few rounds, one at the threshold takes all samples of the design, and their mean then
 * decides, as it would had everything been asked. The chance of error is shared evenly among the lengths (Bonferroni).
 * Against a share of the model's own score, the rounds of the two lengths are compared pair by pair, so that the
 * uncertainty of the threshold counts. Nothing is assumed of the curve between the lengths.
 *
 * It is a function of the scores so far, whatever their order, so that a search that was interrupted goes on where it
 * stood. The scores of a length at which it stopped are not those of a fixed number of samples: their interval is
 * {@linkcode anytimeInterval} of the rounds.
 *
 * @param scores What was asked so far. A sample with a value of `null` was asked in vain: the next one of its task takes
 * its place.
 * @param design What is looked for.
 * @returns What to ask next, and what is known.
 * @throws {RangeError} If an option of the design is outside its range.
 *
 * @example It begins with a few rounds at the longest length
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const design = { tasks: ["vt", "qa_1"], lengths: [4096, 8192], samples: 100, threshold: 85.6 };
 * const { next, answer } = adaptiveSearch([], design);
 * deepEqual(next[0], { task: "vt", length: 8192, index: 0 });
 * equal(next.length, 16);
 * equal(answer, null);
 * ```
 */
export function adaptiveSearch(scores: readonly SearchScore[], design: SearchDesign): SearchStep {
  const isContiguous = design.rule === "contiguous";
  const lengths = checkDesign(design);
  const decide = decider(scores, { design, lengths });
  const decisions = new Map<number, LengthDecision>();
  for (const length of isContiguous ? lengths : lengths.toReversed()) {
    const decision = decide(length);
    decisions.set(length, decision);
    if (decision.next.length > 0 || decision.verdict.passes === !isContiguous) break;
  }
  const verdicts = lengths.map((length) => decisions.get(length)?.verdict ?? { ...decide(length).verdict, ...UNASKED });
  const next = [...decisions.values()].flatMap((decision) => decision.next);
  if (next.length > 0) return { next, answer: null, isSettled: false, lengths: verdicts };
  const tried = verdicts.filter(({ length, passes }) => !decisions.has(length) || passes !== null);
  const miss = tried.findIndex(({ passes }) => passes === false);
  const place = isContiguous
    ? (miss < 0 ? tried.length : miss) - 1
    : tried.findLastIndex(({ passes }) => passes === true);
  const answer = {
    length: tried[place]?.length ?? null,
    text: effectiveLengthText(tried.map(({ length }) => length), place),
  };
  return {
    next,
    answer,
    isSettled: [...decisions.values()].every(({ verdict }) => verdict.isSettled),
    lengths: verdicts,
  };
}

// A length that the answer does not rest on.
const UNASKED = { passes: null, isSettled: false } as const;

function decider(
  scores: readonly SearchScore[],
  { design, lengths }: { readonly design: SearchDesign; readonly lengths: readonly number[] },
): (length: number) => LengthDecision {
  const byLength = Map.groupBy(scores, ({ length }) => length);
  const roundsOf = (length: number): SearchRounds => searchRounds(byLength.get(length) ?? [], { design, length });
  const isOwn = typeof design.threshold === "object";
  const base = isOwn ? roundsOf(lengths[0]!) : null;
  const tested = lengths.length - (isOwn ? 1 : 0);
  // The shortest length reaches a share of its own score, whatever that is, if it can have one.
  const hasScore = base !== null && (base.rounds.length > 0 || base.leadTo(1).length > 0);
  // A share of nothing tells nothing.
  const isNought = base !== null && base.rounds.length > 0 && base.leadTo(base.rounds.length + 1).length === 0 &&
    base.rounds.flat().every((score) => score === 0);
  return (length) => {
    if (isNought) {
      return { verdict: { length, rounds: roundsOf(length).rounds, threshold: null, ...UNASKED }, next: [] };
    }
    const decision = decideLength(roundsOf(length), { length, base, tested, design });
    if (!isOwn || length !== lengths[0]) return decision;
    return { verdict: { ...decision.verdict, passes: hasScore || null, isSettled: hasScore }, next: [] };
  };
}
