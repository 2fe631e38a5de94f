import { type Draw, integer, stream } from "@/lib/random/mod.ts";
import { percentiles, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** How much of all that values differ by goes with one thing. */
export interface VarianceShare {
  /** A factor, several factors together, `interactions` (what factors do together and not one by one) or `noise`. */
  readonly source: string;
  /** The share in percent; `null` where no value differs from another, or it cannot be told from noise. */
  readonly share: number | null;
  /** The low end of the 95% interval, in percent; `null` where there is no share. */
  readonly low: number | null;
  /** The high end, in percent. */
  readonly high: number | null;
}

/** Options for {@linkcode varianceShares}. */
interface VarianceSharesOptions {
  /** The factors, by the names that the rows' levels have; at least one. */
  readonly factors: readonly string[];
  /** Factors that are taken together, by what they are called together. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Any text; the same seed gives the same intervals. */
  readonly seed: string;
  /**
   * How often noise is drawn again for the intervals. Range: 20 to 100,000.
   *
   * @default {500}
   */
  readonly replicates?: number;
}

/** Where differences come from. */
export interface VarianceShares {
  /** Each factor in the order given, then `interactions` and `noise`; their shares add up to 100. */
  readonly shares: readonly VarianceShare[];
  /** The groups of factors. */
  readonly groups: readonly VarianceShare[];
  /** By how much the share of the first group is above that of the second, in points; `null` without two groups and a share. */
  readonly lead: ScoreWithInterval | null;
  /** Rows of each combination of levels. */
  readonly repeats: number;
  /** Values that were missing and filled in. */
  readonly missing: number;
}

/**
 * Shares out what values differ by: to each factor, to what factors do only together, and to noise.
 *
 * An analysis of variance of a design in which every combination of levels stands equally often. The levels are taken as they are
 * and not as drawn from others: a share is that of the variance over these levels. From each sum of squares is taken what noise adds
 * to it (Kelley's epsilon squared, 1935), so that a factor without effect has a share of 0 on average. Where each combination stands
 * once, interactions cannot be told from noise and are in it. Intervals are the middle 95% of values drawn again around the effects
 * found, with noise from what is left over (a residual bootstrap); they take rows as independent.
 *
 * @param rows At least one of each combination of levels.
 * @param options The factors, and the seed of the intervals.
 * @returns The shares, in percent.
 * @throws {RangeError} If a factor has less than two levels, combinations stand not equally often, or over a fifth of values are missing.
 *
 * @example Two wordings, and texts that make no difference
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const rows = ["short", "long"].flatMap((wording) =>
 *   [0, 1].map((text) => ({ levels: { wording, text }, value: wording === "long" ? 1 : 0.2 }))
 * );
 * const { shares } = varianceShares(rows, { factors: ["wording", "text"], seed: "1" });
 * deepEqual(shares.map(({ source, share }) => [source, share]), [
 *   ["wording", 100],
 *   ["text", 0],
 *   ["interactions", null],
 *   ["noise", 0],
 * ]);
 * ```
 */
export function varianceShares(rows: readonly FactorRow[], options: VarianceSharesOptions): VarianceShares {
  const { factors, groups = {}, seed, replicates = 500 } = options;
  checkReplicates(replicates);
  const design = readDesign(rows, factors);
  const found = estimateShares(design, design.values);
  const redraw = redrawValues(design, stream(seed, "variance shares"));
  const drawn = found.every((share) => share === 0)
    ? []
    : Array.from({ length: replicates }, () => estimateShares(design, redraw()));
  const interval = (of: (shares: readonly number[]) => number): ScoreWithInterval | null =>
    drawn.length === 0 ? null : percentiles(drawn.map((shares) => 100 * of(shares)), 100 * of(found));
  const describe = (source: string, places: readonly number[]): VarianceShare => {
    const { score: share = null, low = null, high = null } = interval((shares) => sumAt(shares, places)) ?? {};
    return { source, share, low, high };
  };
  const grouped = Object.entries(groups).map(([name, of]) => [name, of.map((one) => placeOf(one, factors))] as const);
  const [first, second] = grouped.map(([, places]) => places);
  const untold = { source: "interactions", share: null, low: null, high: null };
  return {
    shares: [
      ...factors.map((factor, at) => describe(factor, [at])),
      design.repeats > 1 ? describe("interactions", [factors.length]) : untold,
      describe("noise", [factors.length + 1]),
    ],
    groups: grouped.map(([name, places]) => describe(name, places)),
    lead: first && second ? interval((shares) => sumAt(shares, first) - sumAt(shares, second)) : null,
    repeats: design.repeats,
    missing: design.missing,
  };
}

function sumAt(shares: readonly number[], places: readonly number[]): number {
  return places.reduce((sum, at) => sum + shares[at]!, 0);
}

function placeOf(name: string, factors: readonly string[]): number {
  const at = factors.indexOf(name);
  if (at >= 0) return at;
  throw new RangeError(
    `Cannot share out the variance as a group must be of ${factors.join(", ")}: current value is "${name}"`,
  );
}

function checkReplicates(replicates: number): void {
  if (Number.isInteger(replicates) && replicates >= 20 && replicates <= 100_000) return;
  throw new RangeError(
    `Cannot share out the variance as replicates must be a whole number from 20 to 100,000: current value is ${replicates}`,
  );
}

/** A row of a crossed design: the level of each factor, and what was measured there. */
export interface FactorRow {
  /** The level of each factor, by the factor's name. */
  readonly levels: Readonly<Record<string, string | number>>;
  /** What was measured, in any unit; `null` where it is missing. */
  readonly value: number | null;
}

/** A factor, with the number of each row's level. */
interface Factor {
  readonly name: string;
  readonly levels: readonly (string | number)[];
  readonly at: Int32Array;
}

/** Rows of which every combination of levels has as many, with missing values filled in. */
interface CrossedDesign {
  readonly factors: readonly Factor[];
  /** The number of each row's combination, and how many combinations there are. */
  readonly cells: Int32Array;
  readonly cellCount: number;
  /** Rows of each combination. */
  readonly repeats: number;
  readonly values: Float64Array;
  readonly missing: number;
  /** Degrees of freedom of noise: what differs within combinations, or between them where none is repeated. */
  readonly freedomOfNoise: number;
}

/** The greatest share of values that may be missing. */
export const MOST_MISSING = 0.2;

/** Reads rows as a crossed design. */
function readDesign(rows: readonly FactorRow[], names: readonly string[]): CrossedDesign {
  if (names.length === 0) throw cannot("there must be a factor with two levels or more", "none");
  const factors = names.map((name) => readFactor(rows, name));
  const cellCount = factors.reduce((count, { levels }) => count * levels.length, 1);
  const cellOf = (row: number): number => factors.reduce((cell, { levels, at }) => cell * levels.length + at[row]!, 0);
  const cells = Int32Array.from(rows, (_, row) => cellOf(row));
  const sizes = countOf(cells, cellCount);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least !== most) {
    throw cannot(`rows must hold every combination of ${names.join(", ")} equally often`, `${least} to ${most} rows`);
  }
  const missing = rows.filter(({ value }) => value === null).length;
  if (missing > MOST_MISSING * rows.length) {
    throw cannot("at most a fifth of the values may be missing", `${missing} of ${rows.length}`);
  }
  const present = countOf(cells.filter((_, row) => rows[row]!.value !== null), cellCount);
  const within = present.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  const between = factors.reduce((freedom, { levels }) => freedom - (levels.length - 1), cellCount - 1) - missing;
  const freedomOfNoise = most > 1 ? within : between;
  if (freedomOfNoise < 1) throw cannot("some rows must be left over to tell noise by", `${rows.length} rows`);
  return {
    factors,
    cells,
    cellCount,
    repeats: most,
    values: fillMissing(rows, { factors, cells }),
    missing,
    freedomOfNoise,
  };
}

function readFactor(rows: readonly FactorRow[], name: string): Factor {
  const level = ({ levels }: FactorRow): string | number | undefined => levels[name];
  const levels = [...new Set(rows.map(level))].filter((value) => value !== undefined);
  if (levels.length < 2 || rows.some((row) => level(row) === undefined)) {
    throw cannot("each factor must have two levels or more, and every row one of them", `"${name}"`);
  }
  const numbers = new Map(levels.map((value, at) => [value, at]));
  return { name, levels, at: Int32Array.from(rows, (row) => numbers.get(level(row)!)!) };
}

function countOf(cells: Int32Array, count: number): readonly number[] {
  const sizes = Array<number>(count).fill(0);
  for (const cell of cells) sizes[cell]!++;
  return sizes;
}

function cannot(wanted: string, current: string): RangeError {
  return new RangeError(`Cannot share out the variance as ${wanted}: current value is ${current}`);
}

/** Rounds after which filled values change no more. */
const ROUNDS = 20;

/**
 * Fills missing values in: with the mean of their combination, or with the sum of their levels' effects where the combination has no
 * value at all (Yates 1933, "The analysis of replicated experiments when the field results are incomplete").
 */
function fillMissing(
  rows: readonly FactorRow[],
  { factors, cells }: Pick<CrossedDesign, "factors" | "cells">,
): Float64Array {
  const known = rows.flatMap(({ value }, row) => value === null ? [] : [{ cell: cells[row]!, value }]);
  const mean = (of: readonly { readonly value: number }[]): number =>
    of.reduce((sum, { value }) => sum + value, 0) / of.length;
  const means = new Map([...Map.groupBy(known, ({ cell }) => cell)].map(([cell, of]) => [cell, mean(of)]));
  const grand = mean(known);
  const values = Float64Array.from(rows, ({ value }, row) => value ?? means.get(cells[row]!) ?? grand);
  const empty = [...cells.keys()].filter((row) => !means.has(cells[row]!));
  for (let round = 0; round < ROUNDS && empty.length > 0; round++) {
    const middle = meanOf(values);
    const effects = factors.map(({ levels, at }) => groupMeans(values, at, levels.length).map((one) => one - middle));
    for (const row of empty) {
      values[row] = factors.reduce((sum, { at }, factor) => sum + effects[factor]![at[row]!]!, middle);
    }
  }
  return values;
}

/** The mean of the values of each group. */
function groupMeans(values: Float64Array, groups: Int32Array, count: number): Float64Array {
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  groups.forEach((group, row) => {
    sums[group]! += values[row]!;
    sizes[group]!++;
  });
  return sums.map((sum, group) => sum / sizes[group]!);
}

/** The mean of all values. */
function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Makes a function that draws the values of a design again: its effects stay, and noise is drawn anew from what was left over.
 *
 * Effects are shrunk, and what is left over is stretched, so that the drawn values differ as much as the true ones are estimated to
 * (Carpenter, Goldstein and Rasbash 2003, "A novel bootstrap procedure for assessing the relationship between class size and
 * achievement").
 */
function redrawValues(design: CrossedDesign, draw: Draw): () => Float64Array {
  const { factors, cells, repeats, values } = design;
  const { mean, effects, joint, factors: parts, interactions, noise } = decompose(design, values);
  const meanSquare = noise.squares / noise.freedom;
  const keep = ({ squares, freedom }: Part): number =>
    squares === 0 ? 0 : Math.sqrt(Math.max(0, 1 - freedom * meanSquare / squares));
  const kept = parts.map(keep);
  const keptJoint = repeats > 1 ? keep(interactions) : 0;
  const additive = (row: number, scales: readonly number[]): number =>
    factors.reduce((sum, { at }, factor) => sum + scales[factor]! * effects[factor]![at[row]!]!, mean);
  const whole = factors.map(() => 1);
  const fitted = values.map((_, row) => additive(row, kept) + keptJoint * joint[cells[row]!]!);
  const rest = values.map((value, row) => value - additive(row, whole) - (repeats > 1 ? joint[cells[row]!]! : 0));
  const stretch = Math.sqrt(values.length / noise.freedom);
  return () => fitted.map((value) => value + stretch * rest[integer(draw, { low: 0, high: rest.length - 1 })]!);
}

/** A part of what differs, with its sum of squares and degrees of freedom. */
interface Part {
  readonly squares: number;
  readonly freedom: number;
}

/** What differs in a crossed design, part by part. */
interface Decomposition {
  /** The mean of all values. */
  readonly mean: number;
  /** By factor: the effect of each level, as a difference from the mean. */
  readonly effects: readonly Float64Array[];
  /** By combination: what its mean is above the sum of its levels' effects. */
  readonly joint: Float64Array;
  /** By factor. */
  readonly factors: readonly Part[];
  /** What factors do together and not one by one; with noise in it where no combination is repeated. */
  readonly interactions: Part;
  /** What differs within combinations, or, where none is repeated, the interactions. */
  readonly noise: Part;
}

/** Parts the sum of squares of a balanced crossed design (Fisher's analysis of variance). */
function decompose(design: CrossedDesign, values: Float64Array): Decomposition {
  const { factors, cells, cellCount, repeats, freedomOfNoise } = design;
  const mean = meanOf(values);
  const effects = factors.map(({ at, levels }) => groupMeans(values, at, levels.length).map((one) => one - mean));
  const means = groupMeans(values, cells, cellCount);
  const additive = new Float64Array(cellCount);
  cells.forEach((cell, row) => {
    additive[cell] = factors.reduce((sum, { at }, factor) => sum + effects[factor]![at[row]!]!, mean);
  });
  const joint = means.map((one, cell) => one - additive[cell]!);
  const parts = effects.map((ofLevels): Part => ({
    squares: values.length / ofLevels.length * squaresOf(ofLevels),
    freedom: ofLevels.length - 1,
  }));
  const freedom = cellCount - 1 - parts.reduce((sum, part) => sum + part.freedom, 0);
  const interactions = { squares: repeats * squaresOf(joint), freedom };
  const within = squaresOf(values.map((value, row) => value - means[cells[row]!]!));
  const noise = { squares: repeats > 1 ? within : interactions.squares, freedom: freedomOfNoise };
  return { mean, effects, joint, factors: parts, interactions, noise };
}

/** The sum of squares. */
function squaresOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** Below this share of the squared mean, differences are rounding. */
const ROUNDING = 1e-12;

/**
 * Estimates the share of each factor, of their interactions, and of noise, which together are 1; all are 0 where nothing differs.
 *
 * A part's sum of squares is reduced by what noise alone adds to it, its degrees of freedom times the mean square of noise (Kelley
 * 1935, "An unbiased correlation ratio measure"; Okada 2013 compares it with other measures); below 0 it is taken as 0.
 */
function estimateShares(design: CrossedDesign, values: Float64Array): readonly number[] {
  const { mean, factors, interactions, noise } = decompose(design, values);
  const meanSquare = noise.squares / noise.freedom;
  const cleared = ({ squares, freedom }: Part): number => Math.max(0, squares - freedom * meanSquare);
  const together = design.repeats > 1 ? cleared(interactions) : 0;
  const parts = [...factors.map(cleared), together, (values.length - 1) * meanSquare];
  const total = parts.reduce((sum, part) => sum + part, 0);
  const differs = total > ROUNDING * values.length * (mean * mean + 1);
  return parts.map((part) => differs ? part / total : 0);
}
