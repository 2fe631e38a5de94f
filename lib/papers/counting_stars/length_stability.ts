import { meanOf, type StarPanel } from "./published.ts";
import { type Draw, pick, shuffle, stream } from "@/lib/random/mod.ts";
import { percentiles } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode lengthStability}. */
export interface LengthStabilityOptions {
  /** Any text. */
  readonly seed: string;
  /**
   * The significance level of each pair's test, in (0, 1).
   *
   * @default {0.05}
   */
  readonly level?: number;
  /**
   * Shuffled matrices, and as many resampled ones. Range: from 99.
   *
   * @default {499}
   */
  readonly rounds?: number;
}

/** How often a longer context beats a shorter one. */
export interface LengthStability {
  readonly model: string;
  /** Pairs of a shorter and a longer length. */
  readonly pairs: number;
  /** Pairs in which the longer has the higher mean. */
  readonly longer: number;
  /** Pairs in which it has the lower mean; the rest are equal. */
  readonly shorter: number;
  /** The share of all pairs in which the longer is significantly better, in [0, 1]. */
  readonly share: number;
  /** The low end of that share's 95% interval, over other stars. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** The share to expect if length did not matter and stars failed independently. */
  readonly expected: number;
  /** The p-value of that share: how often a matrix in which length does not matter reaches it, in (0, 1]. */
  readonly p: number;
  /** Of the pairs that differ, the share in which the longer is better, in [0, 1]; `null` if none differ. */
  readonly trend: number | null;
  /** How often columns in random order have at most that share, in (0, 1]: small if accuracy falls with length. */
  readonly fallP: number;
}

/**
 * Measures the length-stability dilemma: how often does a longer context beat a shorter one beyond chance?
 *
 * Every pair of lengths is compared star by star with a one-sided sign test (McNemar 1947 for cells of 0 and 1); `share` is
 * the share of pairs that the longer wins. Some pairs pass by chance, so `p` compares with matrices in which each star's cells
 * are shuffled over the lengths: each star stays as hard as it is, and length means nothing. Of all models that do not improve
 * with length, that one wins the most pairs, so a small `p` says that accuracy goes up and down with length by more than
 * single stars do by chance. It cannot show whether a whole reply failed by chance: for that, ask again.
 *
 * The interval resamples stars (percentiles). `trend` looks at the means alone, and shuffles whole columns.
 *
 * @throws {RangeError} If there are fewer than two lengths, or an option is outside its range.
 *
 * @example The middle one of three lengths fails
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const right = [1, 1, 1, 1, 1, 1];
 * const columns = [right, [0, 0, 0, 0, 0, 1], right].map((cells, at) => ({ length: 4000 * (at + 1), cells }));
 * const { pairs, longer, shorter, share } = lengthStability({ model: "m", columns }, { seed: "a" });
 * equal(pairs, 3);
 * equal(longer, 1);
 * equal(shorter, 1);
 * equal(share, 1 / 3);
 * ```
 */
export function lengthStability(panel: StarPanel, options: LengthStabilityOptions): LengthStability {
  const { seed, level = 0.05, rounds = 499 } = options;
  checkOptions(panel, { level, rounds });
  const cells = toCells(panel);
  const rule = winRule(cells, level);
  const lengths = panel.columns.map((_, length) => length);
  const pairs = lengths.length * (lengths.length - 1) / 2;
  const share = sureWins(cells, rule).length / pairs;
  const draw = stream(seed, "length stability");
  const repeat = (change: (draw: Draw) => Cells): number[] =>
    Array.from({ length: rounds }, () => sureWins(change(draw), rule).length / pairs);
  // Each star's cells in another order of the lengths; as many stars, drawn with replacement.
  const shuffled = repeat((next) => cells.map((row) => shuffle(next, row)));
  const resampled = repeat((next) => cells.map(() => pick(next, cells)));
  const signOf = meanChanges(panel);
  const { longer, shorter } = countTrend(lengths, signOf);
  const trend = longer + shorter === 0 ? null : longer / (longer + shorter);
  const falls = trend === null ? rounds : Array.from({ length: rounds }, () => {
    const other = countTrend(shuffle(draw, lengths), signOf);
    return other.longer / (other.longer + other.shorter);
  }).filter((other) => other <= trend + 1e-12).length;
  const { low, high } = percentiles(resampled, share);
  return {
    model: panel.model,
    pairs,
    longer,
    shorter,
    share,
    low,
    high,
    expected: meanOf(shuffled),
    p: (1 + shuffled.filter((other) => other >= share - 1e-12).length) / (1 + rounds),
    trend,
    fallP: (1 + falls) / (1 + rounds),
  };
}

function checkOptions({ columns }: StarPanel, options: { readonly level: number; readonly rounds: number }): void {
  const { level, rounds } = options;
  const checks: readonly [string, boolean, string, number][] = [
    ["lengths", columns.length >= 2, "at least 2", columns.length],
    ["level", level > 0 && level < 1, "in (0, 1)", level],
    ["rounds", Number.isInteger(rounds) && rounds >= 99, "a whole number from 99", rounds],
  ];
  for (const [name, holds, wanted, value] of checks) {
    if (!holds) {
      throw new RangeError(`Cannot judge length stability as ${name} must be ${wanted}: current value is ${value}`);
    }
  }
}

/** A matrix: for each star its score at each length. */
type Cells = readonly (readonly number[])[];

function toCells({ columns }: StarPanel): Cells {
  return (columns[0]?.cells ?? []).map((_, star) => columns.map(({ cells }) => cells[star]!));
}

/**
 * For every number of stars that differ, how many must be better for the one-sided sign test to give at most `level`; more
 * than all of them if no number is enough.
 */
function neededWins(stars: number, level: number): number[] {
  return Array.from({ length: stars + 1 }, (_, differing) => {
    let chance = 0;
    let term = 0.5 ** differing;
    for (let better = differing; better >= 0; better--) {
      chance += term;
      if (chance > level) return better + 1;
      term *= better / (differing - better + 1);
    }
    return 0;
  });
}

/** What it takes for a length to win. */
interface WinRule {
  readonly needed: readonly number[];
  /** All scores of the matrix above the least, from the lowest. */
  readonly scores: readonly number[];
}

function winRule(cells: Cells, level: number): WinRule {
  const scores = [...new Set(cells.flat())].sort((left, right) => left - right).slice(1);
  return { needed: neededWins(cells.length, level), scores };
}

/** Finds the pairs of lengths in which the longer is significantly better, each as `early * lengths + late`. */
function sureWins(cells: Cells, { needed, scores }: WinRule): number[] {
  const masks = reachedBy(cells, scores);
  const lengths = masks.length;
  const sure: number[] = [];
  for (let early = 0; early < lengths; early++) {
    for (let late = early + 1; late < lengths; late++) {
      const up = countAbove(masks[late]!, masks[early]!);
      const down = countAbove(masks[early]!, masks[late]!);
      if (up >= needed[up + down]!) sure.push(early * lengths + late);
    }
  }
  return sure;
}

/** For each length and each score above the least, the stars that reach it: a bit each, 32 of them a number. */
type Masks = readonly (readonly number[])[];

/** Writes a matrix in bits, so that 32 stars are compared at a time; by length, then by stars, then by score. */
function reachedBy(cells: Cells, scores: readonly number[]): Masks[] {
  return (cells[0] ?? []).map((_, length) =>
    Array.from({ length: Math.ceil(cells.length / 32) }, (_, word) => {
      const masks = new Array<number>(scores.length).fill(0);
      for (let bit = 0; bit < 32 && 32 * word + bit < cells.length; bit++) {
        const value = cells[32 * word + bit]![length]!;
        for (let at = 0; at < scores.length && value >= scores[at]!; at++) masks[at]! |= 1 << bit;
      }
      return masks;
    })
  );
}

/** Counts the stars whose score is higher in one than in the other. */
function countAbove(one: Masks, other: Masks): number {
  let count = 0;
  for (let word = 0; word < one.length; word++) {
    let above = 0;
    for (let at = 0; at < one[word]!.length; at++) above |= one[word]![at]! & ~other[word]![at]!;
    count += bitCount(above);
  }
  return count;
}

/** The number of bits set in 32, added up in pairs, fours and eights (Warren, Hacker's Delight, 5-1). */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  const eights = (fours + (fours >>> 4)) & 0x0f0f0f0f;
  return Math.imul(eights, 0x01010101) >>> 24;
}

/** Whether the mean of a length is above (1), at (0) or below (-1) that of an earlier one. */
function meanChanges({ columns }: StarPanel): (early: number, late: number) => number {
  const sums = columns.map(({ cells }) => cells.reduce((sum, value) => sum + value, 0));
  return (early, late) => {
    const change = sums[late]! - sums[early]!;
    return Math.abs(change) > 1e-9 ? Math.sign(change) : 0;
  };
}

/** Counts the pairs of lengths in which the later has the higher mean, and the lower. */
function countTrend(
  order: readonly number[],
  signOf: (early: number, late: number) => number,
): { readonly longer: number; readonly shorter: number } {
  let [longer, shorter] = [0, 0];
  for (let early = 0; early < order.length; early++) {
    for (let late = early + 1; late < order.length; late++) {
      const sign = signOf(order[early]!, order[late]!);
      if (sign > 0) longer++;
      else if (sign < 0) shorter++;
    }
  }
  return { longer, shorter };
}

/**
 * Counts the pairs of lengths in which the longer context is significantly better in `any` and in `all` of several matrices.
 *
 * @param panels Repeats of one matrix, with the same lengths and stars.
 * @param level The significance level of each pair's test, in (0, 1).
 * @throws {RangeError} If the lengths differ.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const [low, high] = [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]];
 * const panel = (cells: number[][]) => ({ model: "m", columns: cells.map((of, at) => ({ length: at + 1, cells: of })) });
 * deepEqual(repeatedWins([panel([low!, high!]), panel([high!, high!])]), { any: 1, all: 0 });
 * ```
 */
export function repeatedWins(
  panels: readonly StarPanel[],
  level = 0.05,
): { readonly any: number; readonly all: number } {
  const lengthsOf = ({ columns }: StarPanel): string => columns.map(({ length }) => length).join(", ");
  const wanted = panels[0] ? lengthsOf(panels[0]) : "";
  const other = panels.find((panel) => lengthsOf(panel) !== wanted);
  if (other) {
    throw new RangeError(
      `Cannot compare repeats as all must have the lengths ${wanted}: current value is ${lengthsOf(other)}`,
    );
  }
  const wins = panels.map(toCells).map((cells) => new Set(sureWins(cells, winRule(cells, level))));
  const any = wins.reduce((union, next) => union.union(next), new Set<number>());
  const all = [...any].filter((pair) => wins.every((win) => win.has(pair)));
  return { any: any.size, all: all.length };
}
