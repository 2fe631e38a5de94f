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
 * Sums are compared in units of the greatest difference, so that the same differences in percent, in shares or in tokens
 * give the same p, and sums that only rounding parts count as one.
 *
 * @param differences One a pair, in any unit; those of 0 change nothing, nor do those below 1e-12 of the greatest.
 * @param options How many signs to draw, and from which seed.
 * @returns The p-value; 1 where there is no difference at all.
 * @throws {RangeError} If `draws` is outside its range, or a difference is not a finite number.
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
  const wrong = differences.find((one) => !Number.isFinite(one));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot flip signs as each difference must be a finite number: current value is ${wrong}`);
  }
  const { kinds, total } = groupSizes(differences);
  // The sum seen is one of those counted, so that p is above 0 whatever rounding does.
  const seen = total - SAME * kinds.reduce((sum, { size, count }) => sum + size * count, 0);
  if (kinds.reduce((outcomes, { count }) => outcomes * (count + 1), 1) <= MOST_OUTCOMES) {
    // A chance too small for a number, as 2 of 2^2000, is given as the smallest number there is.
    return { p: Math.max(Number.MIN_VALUE, Math.min(1, chanceBeyond(seen, kinds))), isExact: true };
  }
  const draw = stream(seed, "signs");
  let beyond = 1;
  for (let round = 0; round < draws; round++) {
    const sum = kinds.reduce((part, { size, count }) => part + size * (2 * drawHeads(count, draw) - count), 0);
    if (Math.abs(sum) >= seen) beyond++;
  }
  return { p: beyond / (draws + 1), isExact: false };
}

/** Differences of one size, sign aside. */
interface Kind {
  /** In units of the greatest difference, in (0, 1]. */
  readonly size: number;
  readonly count: number;
}

/** Groups differences by size, the smallest first, and gives how far their sum is from 0, in the same units. */
function groupSizes(differences: readonly number[]): { readonly kinds: readonly Kind[]; readonly total: number } {
  const greatest = differences.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const kinds: { readonly size: number; count: number }[] = [];
  let total = 0;
  for (const difference of differences.toSorted((left, right) => Math.abs(left) - Math.abs(right))) {
    const size = Math.abs(difference) / greatest;
    // Also where nothing differs, as 0 / 0 is no number.
    if (!(size > SAME)) continue;
    let kind = kinds.at(-1);
    if (kind === undefined || size > kind.size * (1 + SAME)) kinds.push(kind = { size, count: 0 });
    kind.count++;
    total += Math.sign(difference) * kind.size;
  }
  return { kinds, total: Math.abs(total) };
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
