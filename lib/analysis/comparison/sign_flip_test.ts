import { gammaln } from "simple-statistics";
import { stream } from "@/lib/random/mod.ts";
import { DRAWS, SAME } from "./_permutation.ts";

/** Options for the permutation tests. */
export interface PermutationOptions {
  /**
   * Random permutations where there are too many to try them all. Range: 99 to 1,000,000.
   *
   * @default {9999}
   */
  readonly draws?: number;
  /**
   * Any text; the same seed draws the same permutations.
   *
   * @default {"permutation"}
   */
  readonly seed?: string;
}

/** The result of a permutation test. */
export interface PermutationResult {
  /** The chance, were there no difference, of one at least as great as was seen, to either side; in (0, 1]. */
  readonly p: number;
  /** Whether all permutations were counted, and not some drawn at random. */
  readonly isExact: boolean;
}

// So many different sums are counted one by one.
const MOST_OUTCOMES = 100_000;

/**
 * Tests whether paired differences are as often positive as negative (Fisher 1935, "The design of experiments", section
 * 21): the sign of each is flipped in all ways, and the sums that are at least as far from 0 as the sum seen are counted.
 *
 * Equal differences need not be told apart, so that yes/no scores are counted exactly whatever their number (McNemar's
 * exact test). Where there are more than 100,000 different sums, signs are drawn at random, and the sum seen is counted
 * among them, so that p is never 0 (Phipson and Smyth 2010, "Permutation p-values should never be zero").
 *
 * @param differences One a pair, in any unit; those of 0 change nothing.
 * @param options How many signs to draw, and from which seed.
 * @returns The p-value; 1 where there is no difference at all.
 * @throws {RangeError} If `draws` is outside its range.
 *
 * @example Five differences to one side: 2 of 32 sums are as far from 0
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(signFlipTest([1, 1, 0, 1, 1, 1]).p.toFixed(6), (2 / 32).toFixed(6));
 * ```
 */
export function signFlipTest(differences: readonly number[], options: PermutationOptions = {}): PermutationResult {
  const { draws = DRAWS.usual, seed = "permutation" } = options;
  DRAWS.check(draws);
  const sizes = Map.groupBy(differences.filter((one) => Math.abs(one) > SAME), (one) => Math.abs(one).toPrecision(12));
  const kinds = [...sizes].map(([size, { length: count }]) => ({ size: Number(size), count }));
  const total = differences.reduce((sum, difference) => sum + difference, 0);
  const seen = Math.abs(total) - SAME * Math.max(1, differences.length);
  if (kinds.reduce((outcomes, { count }) => outcomes * (count + 1), 1) <= MOST_OUTCOMES) {
    return { p: Math.min(1, chanceBeyond(seen, kinds)), isExact: true };
  }
  const draw = stream(seed, "signs");
  let beyond = 1;
  for (let round = 0; round < draws; round++) {
    const sum = kinds.reduce((part, { size, count }) => part + size * (2 * drawHeads(count, draw) - count), 0);
    if (Math.abs(sum) >= seen) beyond++;
  }
  return { p: beyond / (draws + 1), isExact: false };
}

interface Kind {
  readonly size: number;
  readonly count: number;
}

/** The chance that a sum of randomly signed differences is at least so far from 0, counted size by size. */
function chanceBeyond(seen: number, kinds: readonly Kind[]): number {
  const chances = kinds.map(({ count }) => chancesOfHeads(count));
  const beyond = (at: number, sum: number): number => {
    if (at === kinds.length) return Math.abs(sum) >= seen ? 1 : 0;
    const { size, count } = kinds[at]!;
    return chances[at]!.reduce(
      (chance, weight, heads) => chance + weight * beyond(at + 1, sum + size * (2 * heads - count)),
      0,
    );
  };
  return beyond(0, 0);
}

/** The chances of 0, 1, … heads in so many throws of a coin. */
function chancesOfHeads(throws: number): readonly number[] {
  const logarithm = (heads: number): number =>
    gammaln(throws + 1) - gammaln(heads + 1) - gammaln(throws - heads + 1) - throws * Math.LN2;
  return Array.from({ length: throws + 1 }, (_, heads) => Math.exp(logarithm(heads)));
}

/** How many of some coins show heads; 30 are thrown with each number drawn. */
function drawHeads(coins: number, draw: () => number): number {
  let heads = 0;
  for (let left = coins; left > 0; left -= 30) {
    let bits = Math.floor(draw() * 2 ** Math.min(30, left));
    for (; bits > 0; bits &= bits - 1) heads++;
  }
  return heads;
}
