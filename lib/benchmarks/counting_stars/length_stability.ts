import { meanOf, type StarPanel } from "./published.ts";
import { type Draw, integer, shuffle, stream } from "@/lib/random/mod.ts";
import { percentiles } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode lengthStability}. */
export interface LengthStabilityOptions {
  /** Any text; the same seed gives the same numbers. */
  readonly seed: string;
  /**
   * What a pair's own test may give at most for the longer context to be called better, in (0, 1).
   *
   * @default {0.05}
   */
  readonly level?: number;
  /**
   * Matrices shuffled, and as many resampled. Range: 99 and more.
   *
   * @default {499}
   */
  readonly rounds?: number;
}

/** How often a longer context beats a shorter one. */
export interface LengthStability {
  /** The model. */
  readonly model: string;
  /** Pairs of a shorter and a longer length. */
  readonly pairs: number;
  /** Pairs in which the longer has the higher mean. */
  readonly longer: number;
  /** Pairs in which it has the lower mean; the rest are equal. */
  readonly shorter: number;
  /** The share of all pairs in which the longer is better beyond chance, in [0, 1]. */
  readonly share: number;
  /** The low end of that share's 95% interval, over other stars. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** The share to be expected if length did not matter at all and stars failed one by one. */
  readonly expected: number;
  /** How often a matrix in which length does not matter has at least that share, in (0, 1]. */
  readonly p: number;
  /** Of the pairs that differ, the share in which the longer is better, in [0, 1]; `null` where none differ. */
  readonly trend: number | null;
  /** How often columns in any order have at most that share, in (0, 1]: small where accuracy falls with length. */
  readonly fallP: number;
}

/**
 * Puts a number to the length-stability dilemma: how often does a longer context beat a shorter one beyond chance?
 *
 * Every pair of lengths is compared star by star with a one-sided sign test (McNemar 1947 for cells of 0 and 1); `share` is
 * the share of pairs in which the longer wins it. Many pairs are tested, so that share is set beside what it would be by
 * chance: each star's cells are shuffled over the lengths, which keeps how hard the star is and takes away all there is of
 * length. Of all models whose accuracy does not rise with length, the one whom length does not matter gives the longer
 * context the most wins, so a small `p` says that accuracy goes up and down with length by more than single stars do by
 * chance. It cannot tell whether a whole reply failed by chance: for that, ask again.
 *
 * The interval resamples stars (percentiles). `trend` looks at the means alone, and shuffles whole columns.
 *
 * @param panel The matrix; at least two lengths.
 * @param options Seed, level and rounds.
 * @returns The shares, intervals and chances.
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
    Array.from({ length: rounds }, () => countWins(change(draw), needed).sure / pairs);
  const share = found.sure / pairs;
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

/** Shuffles each star's cells over the lengths. */
function shuffleRows({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const shuffled = values.slice();
  for (let star = 0; star < stars; star++) {
    const row = star * lengths;
    for (let last = lengths - 1; last > 0; last--) {
      const other = Math.floor(draw() * (last + 1));
      const kept = shuffled[row + last]!;
      shuffled[row + last] = shuffled[row + other]!;
      shuffled[row + other] = kept;
    }
  }
  return { stars, lengths, values: shuffled };
}

/** Draws as many stars with replacement. */
function resampleRows({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const drawn = new Float64Array(values.length);
  for (let star = 0; star < stars; star++) {
    const from = integer(draw, { low: 0, high: stars - 1 }) * lengths;
    drawn.set(values.subarray(from, from + lengths), star * lengths);
  }
  return { stars, lengths, values: drawn };
}

/** Puts the lengths in another order, each with all its stars. */
function shuffleColumns({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const order = shuffle(draw, Array.from({ length: lengths }, (_, length) => length));
  const moved = values.map((_, at) => values[at - at % lengths + order[at % lengths]!]!);
  return { stars, lengths, values: moved };
}

/** A matrix as rows of stars, each with a score for every length, in one flat array. */
interface Cells {
  readonly stars: number;
  readonly lengths: number;
  /** The score of a star at a length, at `star * lengths + length`. */
  readonly values: Float64Array;
}

/** Lays a matrix out for counting. */
function toCells({ columns }: StarPanel): Cells {
  const [stars, lengths] = [columns[0]!.cells.length, columns.length];
  const values = new Float64Array(stars * lengths);
  columns.forEach((column, length) => column.cells.forEach((cell, star) => values[star * lengths + length] = cell));
  return { stars, lengths, values };
}

/** How the longer of two contexts does against the shorter, over all pairs of lengths. */
interface Wins {
  /** Pairs in which the longer has the higher mean. */
  readonly longer: number;
  /** Pairs in which it has the lower mean. */
  readonly shorter: number;
  /** Pairs in which the longer is better beyond chance. */
  readonly sure: number;
}

/**
 * Counts the pairs of lengths in which the longer context does better.
 *
 * Beyond chance: of the stars that do better in one of the two, so many do better in the longer that the one-sided sign test
 * gives at most `level` (for cells of 0 and 1 this is the exact test of McNemar 1947).
 */
function countWins(cells: Cells, needed: readonly number[]): Wins {
  const { stars, lengths, values } = cells;
  let longer = 0;
  let shorter = 0;
  let sure = 0;
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
      if (up >= needed[up + down]!) sure++;
    }
  }
  return { longer, shorter, sure };
}

/**
 * Gives for every number of differing stars how many must be better for the sign test to give at most `level`; more than all
 * of them where no number is enough.
 */
export function neededWins(stars: number, level: number): number[] {
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

/**
 * Counts the pairs of lengths in which the longer context is better beyond chance in every one of several matrices.
 *
 * @param panels Repeats of one matrix, of the same lengths and as many stars.
 * @param level What a pair's own test may give at most, in (0, 1).
 * @returns How many pairs there are in any of the matrices, and how many in all.
 * @throws {RangeError} If the matrices have other lengths.
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
  const wins = panels.map((panel) => new Set(listSureWins(panel, level)));
  const any = wins.reduce((union, next) => union.union(next), new Set<string>());
  const all = [...any].filter((pair) => wins.every((win) => win.has(pair)));
  return { any: any.size, all: all.length };
}

function listSureWins({ columns }: StarPanel, level: number): string[] {
  const needed = neededWins(columns[0]?.cells.length ?? 0, level);
  return columns.flatMap((late, at) =>
    columns.slice(0, at).flatMap((early) => {
      const changes = late.cells.map((cell, star) => cell - early.cells[star]!);
      const up = changes.filter((change) => change > 0).length;
      const down = changes.filter((change) => change < 0).length;
      return up >= needed[up + down]! ? [`${early.length} ${late.length}`] : [];
    })
  );
}
