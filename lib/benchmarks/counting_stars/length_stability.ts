import { meanOf, type StarPanel } from "./published.ts";
import { type Draw, integer, shuffle, stream } from "@/lib/random/mod.ts";
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
  const needed = neededWins(cells.stars, level);
  const pairs = cells.lengths * (cells.lengths - 1) / 2;
  const found = countWins(cells, needed);
  const draw = stream(seed, "length stability");
  const repeat = (change: (draw: Draw) => Cells): number[] =>
    Array.from({ length: rounds }, () => countWins(change(draw), needed).sure.length / pairs);
  const share = found.sure.length / pairs;
  const shuffled = repeat((next) => shuffleRows(cells, next));
  const resampled = repeat((next) => resampleRows(cells, next));
  const trendOf = ({ longer, shorter }: { longer: number; shorter: number }): number => longer / (longer + shorter);
  const trend = found.longer + found.shorter === 0 ? null : trendOf(found);
  const falls = trend === null ? rounds : Array.from(
    { length: rounds },
    () => trendOf(countWins(shuffleColumns(cells, draw), needed)),
  ).filter((other) => other <= trend + 1e-12).length;
  const { low, high } = percentiles(resampled, share);
  return {
    model: panel.model,
    pairs,
    longer: found.longer,
    shorter: found.shorter,
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

/** A matrix in one flat array: a row per star, with its score at each length. */
interface Cells {
  readonly stars: number;
  readonly lengths: number;
  /** The score of a star at a length, at `star * lengths + length`. */
  readonly values: Float64Array;
}

function toCells({ columns }: StarPanel): Cells {
  const [stars, lengths] = [columns[0]?.cells.length ?? 0, columns.length];
  const values = new Float64Array(stars * lengths);
  columns.forEach((column, length) => column.cells.forEach((cell, star) => values[star * lengths + length] = cell));
  return { stars, lengths, values };
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

/** How the longer of two contexts does against the shorter, over all pairs of lengths. */
interface Wins {
  /** Pairs in which the longer has the higher mean. */
  readonly longer: number;
  /** Pairs in which it has the lower mean. */
  readonly shorter: number;
  /** The pairs in which the longer is significantly better, each as `early * lengths + late`. */
  readonly sure: readonly number[];
}

function countWins(cells: Cells, needed: readonly number[]): Wins {
  const { stars, lengths, values } = cells;
  let longer = 0;
  let shorter = 0;
  const sure: number[] = [];
  for (let early = 0; early < lengths; early++) {
    for (let late = early + 1; late < lengths; late++) {
      let up = 0;
      let down = 0;
      let gain = 0;
      for (let star = 0; star < stars; star++) {
        const change = values[star * lengths + late]! - values[star * lengths + early]!;
        gain += change;
        if (change > 0) up++;
        else if (change < 0) down++;
      }
      if (gain > 1e-9) longer++;
      else if (gain < -1e-9) shorter++;
      if (up >= needed[up + down]!) sure.push(early * lengths + late);
    }
  }
  return { longer, shorter, sure };
}

/** Shuffles each star's cells over the lengths. */
function shuffleRows({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const shuffled = new Float64Array(values.length);
  for (let star = 0; star < stars; star++) {
    const row = Array.from(values.subarray(star * lengths, (star + 1) * lengths));
    shuffled.set(shuffle(draw, row), star * lengths);
  }
  return { stars, lengths, values: shuffled };
}

/** Draws the same number of stars with replacement. */
function resampleRows({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const drawn = new Float64Array(values.length);
  for (let star = 0; star < stars; star++) {
    const from = integer(draw, { low: 0, high: stars - 1 }) * lengths;
    drawn.set(values.subarray(from, from + lengths), star * lengths);
  }
  return { stars, lengths, values: drawn };
}

/** Shuffles the lengths, each with all its stars. */
function shuffleColumns({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const order = shuffle(draw, Array.from({ length: lengths }, (_, length) => length));
  const moved = values.map((_, at) => values[at - at % lengths + order[at % lengths]!]!);
  return { stars, lengths, values: moved };
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
  const needed = neededWins(panels[0]?.columns[0]?.cells.length ?? 0, level);
  const wins = panels.map((panel) => new Set(countWins(toCells(panel), needed).sure));
  const any = wins.reduce((union, next) => union.union(next), new Set<number>());
  const all = [...any].filter((pair) => wins.every((win) => win.has(pair)));
  return { any: any.size, all: all.length };
}
