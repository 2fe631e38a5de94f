import { mean as meanOf } from "simple-statistics";
import type { LengthVerdict, SearchSample } from "./adaptive_search.ts";
import { anytimeTest } from "./anytime_test.ts";
import type { SearchDesign } from "./search_design.ts";
import type { SearchRounds } from "./_search_rounds.ts";

// A step asks at least this many samples, so that many calls can be under way, and a fifth more rounds.
const STEP = { samples: 16, rounds: 2, growth: 0.2 };

/** The verdict on a length, and the samples that would lead to one where it is open. */
export interface LengthDecision {
  readonly verdict: LengthVerdict;
  readonly next: readonly SearchSample[];
}

/** Decides whether a length passes, or what to ask to decide it. */
export function decideLength(
  rounds: SearchRounds,
  options: {
    readonly length: number;
    /** The rounds of the shortest length, where the threshold is a share of its mean. */
    readonly base: SearchRounds | null;
    /** How many lengths share the chance of error. */
    readonly tested: number;
    readonly design: SearchDesign;
  },
): LengthDecision {
  const { length, base, tested, design } = options;
  const { values, threshold } = comparedValues(rounds, { base, design });
  const common = { length, rounds: rounds.means, threshold: thresholdOf(design, base) };
  const { side } = anytimeTest(values, { threshold, errorChance: (design.errorChance ?? 0.05) / tested });
  if (side !== null) return { verdict: { ...common, passes: side === "above", isSettled: true }, next: [] };
  const step = Math.ceil(Math.max(STEP.rounds, STEP.samples / design.tasks.length, STEP.growth * values.length));
  const more = [rounds, ...(base === null ? [] : [base])].map((side) => ({
    isEnough: side.means.length > values.length,
    next: side.leadTo(values.length + step),
  }));
  const isAtEnd = more.some(({ isEnough, next }) => !isEnough && next.length === 0);
  if (!isAtEnd) {
    return { verdict: { ...common, passes: null, isSettled: false }, next: more.flatMap(({ next }) => next) };
  }
  const passes = values.length === 0 ? null : reaches(meanOf([...values]), threshold, design);
  return { verdict: { ...common, passes, isSettled: false }, next: [] };
}

function reaches(mean: number, threshold: number, { rule }: SearchDesign): boolean {
  return rule === "strict" ? mean > threshold : mean >= threshold;
}

/** The values whose mean is to be compared, and with what, both in [0, 1]. */
function comparedValues(
  { means }: SearchRounds,
  { base, design }: { readonly base: SearchRounds | null; readonly design: SearchDesign },
): { readonly values: readonly number[]; readonly threshold: number } {
  if (typeof design.threshold === "number") return { values: means, threshold: design.threshold / 100 };
  const { share } = design.threshold;
  // A round less the share of the base's round lies in [-share, 1] and is moved to [0, 1], and 0 with it.
  const pairs = means.slice(0, base!.means.length).map((mean, round) => mean - share * base!.means[round]!);
  return { values: pairs.map((pair) => (pair + share) / (1 + share)), threshold: share / (1 + share) };
}

function thresholdOf({ threshold }: SearchDesign, base: SearchRounds | null): number | null {
  if (typeof threshold === "number") return threshold;
  return base === null || base.means.length === 0 ? null : 100 * threshold.share * meanOf([...base.means]);
}
