import { type Interval, logChoose, need, risingRoot } from "./intervals.ts";
import { mean as meanOf, sampleVariance } from "simple-statistics";
import { type Draw, shuffle, stream } from "@/lib/random/mod.ts";

/** The scores of two models on different samples of one task, at least one each, independent of each other. */
export interface ScoreGroups {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** The result of a permutation test. */
export interface PermutationResult {
  /** The two-sided p-value, in (0, 1]. */
  readonly p: number;
  /** Whether all permutations were counted, not a random sample. */
  readonly isExact: boolean;
}

/** A relative difference that is only rounding. */
export const SAME = 1e-12;

/** Two groups of scores with at most this many divisions are tested exactly. */
const MAX_DIVISIONS = 20_000;

/** Differences with at most this many distinct sums are tested exactly. */
const MAX_SUMS = 100_000;

function check(draws: number, scores: readonly number[]): void {
  const isCount = Number.isInteger(draws) && draws >= 99 && draws <= 1_000_000;
  need(isCount, "draw permutations", "draws must be a whole number from 99 to 1,000,000", draws);
  const wrong = scores.find((score) => !Number.isFinite(score));
  need(wrong === undefined, "test a difference", "each score must be a finite number", wrong);
}

/**
 * Tests whether two groups of scores have the same mean, by permutation within each task (Fisher 1935).
 *
 * The difference of means is studentised (Welch), so that the test keeps its level for groups of different size and spread
 * (Janssen 1997, "Studentized permutation tests for non-i.i.d. hypotheses"). The observed division is counted among those drawn.
 *
 * @param draws Random permutations if there are too many to count them all, 99 to 1,000,000.
 */
export function permutationTest(tasks: readonly ScoreGroups[], draws = 9999): PermutationResult {
  check(draws, tasks.flatMap(({ first, second }) => [...first, ...second]));
  const areFull = tasks.length > 0 && tasks.every(({ first, second }) => first.length > 0 && second.length > 0);
  need(areFull, "compare two groups", "each must hold at least one score", 0);
  const groups = rescale(tasks);
  const seen = distance(groups) * (1 - SAME) - SAME;
  const [only] = groups;
  if (groups.length === 1 && countDivisions(only!) <= MAX_DIVISIONS) {
    const distances = divisions(only!).map((division) => distance([division]));
    return { p: distances.filter((other) => other >= seen).length / distances.length, isExact: true };
  }
  const draw = stream("permutation", "divisions");
  return drawn(draws, () => distance(groups.map((task) => redivide(task, draw))) >= seen);
}

/** Returns the share of draws beyond the observed one, which is counted among them. */
function drawn(draws: number, isBeyond: () => boolean): PermutationResult {
  let beyond = 1;
  for (let round = 0; round < draws; round++) if (isBeyond()) beyond++;
  return { p: beyond / (draws + 1), isExact: false };
}

/** Rescales all scores by the widest range of a task, so that unit and zero do not change what counts as rounding error. */
function rescale(tasks: readonly ScoreGroups[]): readonly ScoreGroups[] {
  const ranges = tasks.map(({ first, second }) => {
    const all = [...first, ...second];
    const low = all.reduce((lowest, score) => Math.min(lowest, score));
    const high = all.reduce((highest, score) => Math.max(highest, score));
    // Scores that differ only by rounding have no range.
    const isOne = high - low <= SAME * Math.max(Math.abs(low), Math.abs(high));
    return { low, range: isOne ? 0 : high - low };
  });
  const widest = ranges.reduce((most, { range }) => Math.max(most, range), 0);
  return tasks.map((task, at) => {
    const { low, range } = ranges[at]!;
    const count = (score: number): number => range === 0 ? 0 : (score - low) / widest;
    return { first: task.first.map(count), second: task.second.map(count) };
  });
}

/** Returns the absolute difference of the means over tasks, in standard errors. */
function distance(tasks: readonly ScoreGroups[]): number {
  let [difference, square] = [0, 0];
  for (const { first, second } of tasks) {
    difference += meanOf([...first]) - meanOf([...second]);
    square += errorSquare(first) + errorSquare(second);
  }
  if (Math.abs(difference) <= SAME) return 0;
  return square <= SAME * SAME ? Infinity : Math.abs(difference) / Math.sqrt(square);
}

function errorSquare(scores: readonly number[]): number {
  return scores.length < 2 ? 0 : sampleVariance([...scores]) / scores.length;
}

function redivide({ first, second }: ScoreGroups, draw: Draw): ScoreGroups {
  const shuffled = shuffle(draw, [...first, ...second]);
  return { first: shuffled.slice(0, first.length), second: shuffled.slice(first.length) };
}

function countDivisions({ first, second }: ScoreGroups): number {
  let count = 1;
  for (let one = 1; one <= first.length && count <= MAX_DIVISIONS; one++) count *= (second.length + one) / one;
  return count;
}

/** Returns all divisions of the scores into groups of the same sizes. */
function divisions({ first, second }: ScoreGroups): readonly ScoreGroups[] {
  const all = [...first, ...second];
  const divide = (at: number, left: readonly number[], right: readonly number[]): ScoreGroups[] => {
    if (left.length > first.length || right.length > second.length) return [];
    if (at === all.length) return [{ first: left, second: right }];
    return [...divide(at + 1, [...left, all[at]!], right), ...divide(at + 1, left, [...right, all[at]!])];
  };
  return divide(0, [], []);
}

/**
 * Tests whether paired differences have mean 0 (Fisher 1935, "The design of experiments", section 21): flips their signs in all
 * ways and counts the sums at least as far from 0 as the observed one.
 *
 * For yes/no scores it is McNemar's exact test. Above 100,000 distinct sums, signs are drawn at random and the observed sum is
 * counted among them, so that p is never 0 (Phipson and Smyth 2010, "Permutation p-values should never be zero"). Sums are
 * in units of the largest difference, so the unit of the scores does not change p.
 *
 * @param draws Random sign patterns if there are too many sums to count them all, 99 to 1,000,000.
 */
export function signFlipTest(differences: readonly number[], draws = 9999): PermutationResult {
  check(draws, differences);
  const { kinds, total } = groupSizes(differences);
  // Slightly less than the observed sum, so that rounding cannot exclude the observed sum itself.
  const seen = total - SAME * kinds.reduce((sum, { size, count }) => sum + size * count, 0);
  if (kinds.reduce((outcomes, { count }) => outcomes * (count + 1), 1) <= MAX_SUMS) {
    // A p-value too small for a double, such as 2 in 2^2000, becomes the smallest positive one.
    return { p: Math.max(Number.MIN_VALUE, Math.min(1, chanceBeyond(seen, kinds))), isExact: true };
  }
  const draw = stream("permutation", "signs");
  const sum = (): number =>
    kinds.reduce((part, { size, count }) => part + size * (2 * drawHeads(count, draw) - count), 0);
  return drawn(draws, () => Math.abs(sum()) >= seen);
}

/** Differences of one absolute size. */
interface Kind {
  /** In units of the largest difference, in (0, 1]. */
  readonly size: number;
  readonly count: number;
}

/** Groups differences by size, the smallest first, and returns the distance of their sum from 0 in the same units. */
function groupSizes(differences: readonly number[]): { readonly kinds: readonly Kind[]; readonly total: number } {
  const greatest = differences.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const kinds: { readonly size: number; count: number }[] = [];
  let total = 0;
  for (const difference of differences.toSorted((left, right) => Math.abs(left) - Math.abs(right))) {
    const size = Math.abs(difference) / greatest;
    // Subtle: negated, so that NaN (0 / 0, if nothing differs) is skipped too.
    if (!(size > SAME)) continue;
    let kind = kinds.at(-1);
    if (kind === undefined || size > kind.size * (1 + SAME)) kinds.push(kind = { size, count: 0 });
    kind.count++;
    total += Math.sign(difference) * kind.size;
  }
  return { kinds, total: Math.abs(total) };
}

/** Returns the probability that a sum of randomly signed differences is at least this far from 0. */
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

/** Returns the probabilities of 0, 1, … heads in a number of coin throws. */
function chancesOfHeads(throws: number): readonly number[] {
  const logarithm = (heads: number): number => logChoose(throws, heads) - throws * Math.LN2;
  return Array.from({ length: throws + 1 }, (_, heads) => Math.exp(logarithm(heads)));
}

/** Draws how many of some coins show heads; each random number throws 30 coins. */
function drawHeads(coins: number, draw: () => number): number {
  let heads = 0;
  for (let left = coins; left > 0; left -= 30) {
    let bits = Math.floor(draw() * 2 ** Math.min(30, left));
    for (; bits > 0; bits &= bits - 1) heads++;
  }
  return heads;
}

/**
 * Corrects p-values for the number of comparisons, so that the chance of any false positive is at most the level, however they
 * depend on each other (Holm 1979, "A simple sequentially rejective multiple test procedure"). `null` stays `null`.
 */
export function adjustPValues(values: readonly (number | null)[]): readonly (number | null)[] {
  const wrong = values.find((value) => value !== null && !(value >= 0 && value <= 1));
  need(wrong === undefined, "adjust p-values", "each must be in [0, 1]", wrong);
  const order = values.flatMap((value, place) => value === null ? [] : [{ value, place }])
    .sort((left, right) => left.value - right.value);
  const adjusted: (number | null)[] = values.map(() => null);
  let bound = 0;
  for (const [rank, { value, place }] of order.entries()) {
    bound = Math.max(bound, Math.min(1, (order.length - rank) * value));
    adjusted[place] = bound;
  }
  return adjusted;
}

/**
 * Corrects p-values of several families, such as models, so that the chance of any false positive in any of them is at most the
 * level, if it is in each family alone. Families share the level; one whose hypotheses are all rejected passes its part on to the
 * others (Bretz, Maurer, Brannath and Posch 2009, "A graphical approach to sequentially rejective multiple test procedures"). For
 * families of one p-value it is {@linkcode adjustPValues}.
 *
 * @param families The p-values of each, corrected within the family.
 */
export function adjustFamilies(families: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const last = families.map((values) => values.reduce((most, p) => Math.max(most, p), 0));
  const order = [...last.keys()].sort((left, right) => last[left]! - last[right]!);
  const adjusted = families.map((values) => values.map(() => 1));
  let bound = 0;
  for (const [rank, next] of order.entries()) {
    const left = order.length - rank;
    for (const at of order.slice(rank)) {
      adjusted[at] = families[at]!.map((p, place) => Math.min(adjusted[at]![place]!, Math.max(bound, left * p)));
    }
    bound = Math.max(bound, left * last[next]!);
  }
  return adjusted;
}

/** The largest p-value that counts as a difference, as a double. */
const SIGNIFICANT = 1 - 0.95;

/** Whether a corrected p-value shows a difference: it is at most 5%. */
export function isShown(adjusted: number | null): boolean {
  return adjusted !== null && adjusted <= SIGNIFICANT;
}

/** The smallest tail at which an interval is computed. */
const LEAST_TAIL = 1e-6;

/**
 * Returns the p-value of a difference that both a test and an interval must show: the larger of that of the test and the least
 * chance of error at which the interval excludes 0. A sign-flip test alone also rejects asymmetric differences of mean 0. The p-value
 * of a test that shows nothing stays as it is.
 */
export function guardedP(p: number, intervalAt: (level: number) => Interval): number {
  // How far the interval is from 0; it rises with the chance of error.
  const distance = (chance: number): number => {
    const { low, high } = intervalAt(1 - chance);
    return Math.max(low, -high);
  };
  const least = Math.max(p, LEAST_TAIL);
  if (p > SIGNIFICANT || distance(least) > 0) return p;
  // Each step computes all intervals, so the logarithm is found to this precision, and rounded up.
  const within = 0.01;
  const logOf = (log: number): number => distance(Math.exp(log));
  return Math.min(1, Math.exp(within + risingRoot(logOf, { low: Math.log(least), high: Math.log(0.999), within })));
}
