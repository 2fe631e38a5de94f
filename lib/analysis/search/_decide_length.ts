import { mean as meanOf } from "simple-statistics";
import type { LengthVerdict, SearchSample } from "./adaptive_search.ts";
import { anytimeTest, type Round } from "../intervals/anytime_test.ts";
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
  const { compared, threshold } = comparedRounds(rounds, { base, design });
  const common = { length, rounds: rounds.rounds, threshold: thresholdOf(design, base) };
  const { side } = anytimeTest(compared, { threshold, errorChance: (design.errorChance ?? 0.05) / tested });
  if (side !== null) return { verdict: { ...common, passes: side === "above", isSettled: true }, next: [] };
  const step = Math.ceil(Math.max(STEP.rounds, STEP.samples / design.tasks.length, STEP.growth * compared.length));
  const more = [rounds, ...(base === null ? [] : [base])].map((side) => ({
    isEnough: side.rounds.length > compared.length,
    next: side.leadTo(compared.length + step),
  }));
  const isAtEnd = more.some(({ isEnough, next }) => !isEnough && next.length === 0);
  if (!isAtEnd) {
    return { verdict: { ...common, passes: null, isSettled: false }, next: more.flatMap(({ next }) => next) };
  }
  const passes = compared.length === 0 ? null : reaches(meanOf(compared.flat()), threshold, design);
  return { verdict: { ...common, passes, isSettled: false }, next: [] };
}

function reaches(mean: number, threshold: number, { rule }: SearchDesign): boolean {
  return rule === "strict" ? mean > threshold : mean >= threshold;
}

/** The rounds whose mean is to be compared, and with what, both in [0, 1]. */
function comparedRounds(
  { rounds }: SearchRounds,
  { base, design }: { readonly base: SearchRounds | null; readonly design: SearchDesign },
): { readonly compared: readonly Round[]; readonly threshold: number } {
  if (typeof design.threshold === "number") return { compared: rounds, threshold: design.threshold / 100 };
  const { share } = design.threshold;
  // A score less the share of the one at the base lies in [-share, 1] and is moved to [0, 1], and 0 with it.
  const compared = rounds.slice(0, base!.rounds.length).map((round, place) =>
    round.map((score, task) => (score - share * base!.rounds[place]![task]! + share) / (1 + share))
  );
  return { compared, threshold: share / (1 + share) };
}

function thresholdOf({ threshold }: SearchDesign, base: SearchRounds | null): number | null {
  if (typeof threshold === "number") return threshold;
  return base === null || base.rounds.length === 0 ? null : 100 * threshold.share * meanOf(base.rounds.flat());
}
