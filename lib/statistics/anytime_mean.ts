import { bet } from "./bettors.ts";
import { type Interval, need, risingRoot } from "./intervals.ts";
import { mean as meanOf } from "simple-statistics";
import { sum } from "@/lib/base/mod.ts";

/** Rounds of one score of each task in [0, 1]. */
export interface Rounds {
  /** The tasks have the same order in every round. */
  readonly rounds: readonly (readonly number[])[];
  /** The weight of each place of a round in the mean, such as the number of tasks averaged there; 1 by default. */
  readonly weights?: readonly number[];
}

/** The chances of error of both verdicts. */
export type ErrorChances = Readonly<Record<"above" | "below", number>>;

/** Returns the mean over tasks of one or more rounds. */
export function meanOfRounds(
  { rounds, weights = rounds[0]!.map(() => 1) }: Rounds,
): number {
  const total = sum(weights);
  return meanOf(rounds.map((round) => sum(round, (score, at) => weights[at]! * score) / total));
}

// The precision of the ends; each step of the search goes through all rounds.
const WITHIN = 1e-7;

// The wealth that rejects a mean at 2.5%.
const INTERVAL_WEALTH = 2 / (1 - 0.95);

/**
 * Returns a 95% confidence sequence: an interval of the mean over tasks that remains valid if the scores determine when to stop.
 * The chance that it ever misses the true mean, at any number of rounds, is at most 5%, so it is wider than `meanInterval`. It
 * contains the means that {@linkcode anytimeTest} does not reject.
 *
 * @param given `rounds`: one score of each task, in the order asked; no rounds give [0, 1]. `weights`: of the tasks in the mean.
 */
export function anytimeInterval(given: Rounds): Interval {
  // The evidence against a mean weakens as the mean approaches the scores, so there is one point where it is no longer strong.
  const edge = (isRefuted: (mean: number) => boolean): number =>
    risingRoot((mean) => isRefuted(mean) ? -1 : 1, { low: 0, high: 1, within: WITHIN });
  const low = edge((mean) => whenAbove(given, { mean, wealth: INTERVAL_WEALTH }) !== null);
  const high = 1 - edge((mean) => whenBelow(given, { mean: 1 - mean, wealth: INTERVAL_WEALTH }) !== null);
  return { low: low < WITHIN ? 0 : low, high: high > 1 - WITHIN ? 1 : high };
}

/**
 * Decides on which side of a threshold in (0, 1) the mean over tasks lies, and after how many rounds; both are `null` while it is
 * open. It may be called again after every round.
 *
 * Over all calls together it is wrong with a chance of at most `errorChance`, of one side or of both; an ordinary test that is repeated until it
 * rejects is wrong far more often. Method: Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by
 * betting", Journal of the Royal Statistical Society B 86(1); several tasks: Spertus, Sridhar and Stark 2024, "Sequential
 * stratified inference for the mean". Tasks may differ in any way. Samples that share a question or a text must be
 * averaged into one score first, as separate bets on them would count the same luck several times.
 */
export function anytimeTest(
  given: Rounds,
  options: { readonly threshold: number; readonly errorChance?: number | ErrorChances },
): { readonly side: "above" | "below" | null; readonly rounds: number | null } {
  const { threshold, errorChance = 0.05 } = options;
  // Only one side can be wrong, so each has the whole chance of error.
  const chances = typeof errorChance === "number" ? { above: errorChance, below: errorChance } : errorChance;
  for (
    const [name, value] of [["threshold", threshold], ["errorChance", Math.min(chances.above, chances.below)]] as const
  ) {
    need(value > 0 && value < 1, "test a mean", `${name} must be in (0, 1)`, value);
  }
  const above = whenAbove(given, { mean: threshold, wealth: 1 / chances.above });
  const below = whenBelow(given, { mean: threshold, wealth: 1 / chances.below });
  if (above === null && below === null) return { side: null, rounds: null };
  return below === null || (above !== null && above < below)
    ? { side: "above", rounds: above }
    : { side: "below", rounds: below };
}

/** The gain of each bettor from a full point above expectation; at most 0.9, so that no bettor is ruined. */
const STAKES = Array.from({ length: 8 }, (_, place) => 0.9 * 0.02 ** (place / 7));

/**
 * Returns the number of rounds after which there is strong evidence that the mean over tasks is above a value.
 *
 * Eight bettors start with 1/8 each. Before each round every task gets an expected score `c`, `mean` on average, and each score
 * multiplies a purse by `1 + stake * (score - c)`. If the true mean is at most `mean`, a round's expected factor is at most 1
 * (geometric against arithmetic mean), so by Ville's inequality the chance that the purses ever hold `wealth` together is at
 * most `1 / wealth`. Any `c` is valid; one close to the tasks' own means loses least power. Stakes are in proportion to weights.
 */
function whenAbove(
  { rounds, weights = rounds[0]?.map(() => 1) ?? [] }: Rounds,
  claim: { readonly mean: number; readonly wealth: number },
): number | null {
  const purses = STAKES.map(() => 1 / STAKES.length);
  const sums = rounds[0]?.map(() => 0) ?? [];
  const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const parts = weights.map((weight) => weight / heaviest);
  for (const [count, round] of rounds.entries()) {
    const expected = expectedScores(sums, { count, mean: claim.mean, parts });
    const gains = round.map((score, task) => score - expected[task]!);
    if (bet(purses, STAKES, { gains, parts }) >= claim.wealth) return count + 1;
    for (let task = 0; task < round.length; task++) sums[task]! += round[task]!;
  }
  return null;
}

/** The same for a mean below the value. */
function whenBelow(
  { rounds, ...rest }: Rounds,
  { mean, wealth }: { readonly mean: number; readonly wealth: number },
): number | null {
  return whenAbove({ ...rest, rounds: rounds.map((round) => round.map((score) => 1 - score)) }, {
    mean: 1 - mean,
    wealth,
  });
}

/** Returns the expected score of each task given the earlier rounds, shifted so that the average is `mean`. */
function expectedScores(
  sums: readonly number[],
  { count, mean, parts }: { readonly count: number; readonly mean: number; readonly parts: readonly number[] },
): readonly number[] {
  const total = sum(sums);
  const overall = (total + 0.5) / (count * sums.length + 1);
  const guesses = sums.map((sum) => (sum + 2 * overall) / (count + 2));
  const average = sum(guesses, (guess, at) => parts[at]! * guess) /
    sum(parts);
  return mean < average
    ? guesses.map((guess) => guess * (mean / average))
    : guesses.map((guess) => 1 - (1 - guess) * ((1 - mean) / (1 - average)));
}
