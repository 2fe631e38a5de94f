import { type Draw, stream } from "@/lib/random/mod.ts";
import { percentiles } from "../intervals/_percentiles.ts";
import { resampleRows, shuffleColumns, shuffleRows } from "./_cells.ts";
import { type Cells, countWins, neededWins, toCells } from "./_wins.ts";
import { meanOf, type StarPanel } from "./star_panel.ts";

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
