import { type Interval, type IntervalOptions, risingRoot } from "./intervals.ts";

// Precision of the ends; each try goes through all rounds.
const WITHIN = 1e-7;

/**
 * Returns an interval of the mean over tasks that stays valid when the scores themselves decide when to stop: a
 * confidence sequence.
 *
 * The chance that the interval ever misses the true mean, at any number of rounds, is at most 1 − level. The price is
 * that it is wider than `meanInterval`. It contains the means that {@linkcode anytimeTest} has not rejected
 * (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting").
 *
 * @param rounds Rounds of one score a task, in the order they came; none gives [0, 1].
 * @param options The level.
 * @returns The interval of the mean over tasks, in [0, 1].
 * @throws {RangeError} If the level is outside (0, 1).
 *
 * @example Wider than an interval for a number of scores fixed beforehand
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { meanInterval } from "@/lib/statistics/mod.ts";
 *
 * const values = [1, 0.5, 1, 1, 0.75, 1, 1, 0.5, 1, 1];
 * ok(anytimeInterval(values.map((value) => [value])).low < meanInterval(values).low);
 * ```
 */
export function anytimeInterval(rounds: readonly Round[], options: IntervalOptions = {}): Interval {
  const { level = 0.95 } = options;
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`Cannot give an interval as level must be in (0, 1): current value is ${level}`);
  }
  const wealth = 2 / (1 - level);
  // The evidence against a mean falls as the mean nears the scores, so there is one place where it ceases to be strong.
  const edge = (isRefuted: (mean: number) => boolean): number =>
    risingRoot((mean) => isRefuted(mean) ? -1 : 1, { low: 0, high: 1, within: WITHIN });
  const low = edge((mean) => whenAbove(rounds, { mean, wealth }) !== null);
  const high = 1 - edge((mean) => whenBelow(rounds, { mean: 1 - mean, wealth }) !== null);
  return { low: low < WITHIN ? 0 : low, high: high > 1 - WITHIN ? 1 : high };
}

/** One score of each task, each in [0, 1], the tasks in the same order in every round. */
export type Round = readonly number[];

/** Options for {@linkcode anytimeTest}. */
interface AnytimeTestOptions {
  /** The number that the mean over tasks is compared with, in (0, 1). */
  readonly threshold: number;
  /**
   * The largest acceptable chance of a wrong verdict, in (0, 1).
   *
   * @default {0.05}
   */
  readonly errorChance?: number;
}

/** On which side of a threshold a mean lies, given the rounds so far. */
interface AnytimeVerdict {
  /** The side; `null` while it is open. */
  readonly side: "above" | "below" | null;
  /** How many rounds it took; `null` while it is open. */
  readonly rounds: number | null;
}

/**
 * Decides on which side of a threshold the mean over tasks lies; it may be called again after every round.
 *
 * An ordinary test that is repeated until it says yes is wrong far more often than its level. This one is wrong with a
 * chance of at most `errorChance` over all looks together: it bets on the scores, and nobody gets rich betting against
 * a true claim (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting", Journal of the
 * Royal Statistical Society B 86(1); for several tasks Spertus, Sridhar and Stark 2024, "Sequential stratified
 * inference for the mean"). Scores must be independent draws; tasks may differ freely.
 */
export function anytimeTest(rounds: readonly Round[], options: AnytimeTestOptions): AnytimeVerdict {
  const { threshold, errorChance = 0.05 } = options;
  for (const [name, value] of [["threshold", threshold], ["errorChance", errorChance]] as const) {
    if (!(value > 0 && value < 1)) {
      throw new RangeError(`Cannot test a mean as ${name} must be in (0, 1): current value is ${value}`);
    }
  }
  // Only one side can be wrong, so each has the whole chance of error.
  const claim = { mean: threshold, wealth: 1 / errorChance };
  const [above, below] = [whenAbove(rounds, claim), whenBelow(rounds, claim)];
  if (above === null && below === null) return { side: null, rounds: null };
  return below === null || (above !== null && above < below)
    ? { side: "above", rounds: above }
    : { side: "below", rounds: below };
}

/** The stakes: what a full point above expectation wins. At most 0.9, so that no bettor is ever ruined. */
const STAKES = Array.from({ length: 8 }, (_, place) => 0.9 * 0.02 ** (place / 7));

/**
 * Finds the round at which the evidence that the mean over tasks lies above a number becomes strong.
 *
 * Eight bettors begin with 1/8 each. Before each round a number `c` is set for every task, with `mean` for their
 * average, and each bettor's purse is multiplied by `1 + stake * (score - c)` for every score of the round. If the true
 * means of the tasks average at most `mean`, no bettor can expect to win: scores are independent, so the expected
 * factor of a round is the product over tasks of `1 + stake * (true mean - c)`, which is at most the power of their
 * average, which is at most 1. By Ville's inequality the chance that the purses together ever hold `wealth` is then at
 * most `1 / wealth`, however long the test runs. This is betting on a grid (Waudby-Smith and Ramdas 2024, "Estimating
 * means of bounded random variables by betting") of strata (Spertus, Sridhar and Stark 2024, "Sequential stratified
 * inference for the mean"). Any `c` will do; the nearer they are to the tasks' own means, the less the differences
 * between tasks blur.
 */
function whenAbove(
  rounds: readonly Round[],
  claim: { readonly mean: number; readonly wealth: number },
): number | null {
  const purses = STAKES.map(() => 1 / STAKES.length);
  const sums = rounds[0]?.map(() => 0) ?? [];
  for (const [count, round] of rounds.entries()) {
    const expected = expectedScores(sums, { count, mean: claim.mean });
    let wealth = 0;
    for (const [place, stake] of STAKES.entries()) {
      for (let task = 0; task < round.length; task++) purses[place]! *= 1 + stake * (round[task]! - expected[task]!);
      wealth += purses[place]!;
    }
    if (wealth >= claim.wealth) return count + 1;
    for (let task = 0; task < round.length; task++) sums[task]! += round[task]!;
  }
  return null;
}

/** The same for a mean below the number. */
function whenBelow(
  rounds: readonly Round[],
  { mean, wealth }: { readonly mean: number; readonly wealth: number },
): number | null {
  return whenAbove(rounds.map((round) => round.map((score) => 1 - score)), { mean: 1 - mean, wealth });
}

/** The score expected of each task given the earlier rounds, shifted so that the average is `mean`. */
function expectedScores(
  sums: readonly number[],
  { count, mean }: { readonly count: number; readonly mean: number },
): readonly number[] {
  const total = sums.reduce((sum, score) => sum + score, 0);
  const overall = (total + 0.5) / (count * sums.length + 1);
  const guesses = sums.map((sum) => (sum + 2 * overall) / (count + 2));
  const average = guesses.reduce((sum, guess) => sum + guess, 0) / guesses.length;
  return mean < average
    ? guesses.map((guess) => guess * (mean / average))
    : guesses.map((guess) => 1 - (1 - guess) * ((1 - mean) / (1 - average)));
}
