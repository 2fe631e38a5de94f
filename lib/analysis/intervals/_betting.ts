import type { Round } from "./anytime_test.ts";

/** The bets: how much is won for a whole point above what is expected. At most 0.9, so that no bettor is ever ruined. */
const STAKES = Array.from({ length: 8 }, (_, place) => 0.9 * 0.02 ** (place / 7));

/**
 * Finds where the evidence becomes strong that the mean over tasks lies above a number.
 *
 * Eight bettors begin with 1/8 each. Before each round a number `c` is set for every task, with `mean` for their average,
 * and each bettor's purse is multiplied by `1 + stake * (score - c)` for every score of the round. If the true means of the
 * tasks average at most `mean`, no bettor can expect to win: scores are independent, so the expected factor of a round is
 * the product over tasks of `1 + stake * (true mean - c)`, which is at most the power of their average, which is at most
 * 1. By Ville's inequality the chance that the purses together ever hold `wealth` is then at most `1 / wealth`, however
 * long one watches. This is betting on a grid (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables
 * by betting") of strata (Spertus, Sridhar and Stark 2024, "Sequential stratified inference for the mean"). Any `c` will
 * do; the nearer they are to the tasks' own means, the less the differences between tasks blur.
 *
 * @param rounds The rounds so far, in the order they came.
 * @param claim `mean`, the number; `wealth`, what counts as strong.
 * @returns How many of the rounds it took, or `null` where they were not enough.
 */
export function whenAbove(
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
export function whenBelow(
  rounds: readonly Round[],
  { mean, wealth }: { readonly mean: number; readonly wealth: number },
): number | null {
  return whenAbove(rounds.map((round) => round.map((score) => 1 - score)), { mean: 1 - mean, wealth });
}

/** What each task is expected to score by the rounds before, moved towards 0 or 1 so that the average is `mean`. */
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
