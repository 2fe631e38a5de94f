import { type Draw, integer, stream } from "@/lib/random/mod.ts";
import { percentiles, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** The share of the variance that one source explains. */
export interface VarianceShare {
  /** A factor, a group of factors, `interactions` (what factors do only together) or `noise`. */
  readonly source: string;
  /** In percent; `null` where all values are the same, or the share cannot be separated from noise. */
  readonly share: number | null;
  /** The low end of the 95% interval, in percent; `null` where there is no share. */
  readonly low: number | null;
  /** The high end, in percent. */
  readonly high: number | null;
}

/** Options for {@linkcode varianceShares}. */
interface VarianceSharesOptions {
  /** The names of the factors in the rows' levels; at least one. */
  readonly factors: readonly string[];
  /** Factors that are taken together, by the group's name. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Any text; the same seed gives the same intervals. */
  readonly seed: string;
  /**
   * Bootstrap replicates for the intervals. Range: 20 to 100,000.
   *
   * @default {500}
   */
  readonly replicates?: number;
}

/** The variance of values, split by source. */
export interface VarianceShares {
  /** Each factor in the order given, then `interactions` and `noise`; their shares add up to 100. */
  readonly shares: readonly VarianceShare[];
  /** The groups of factors. */
  readonly groups: readonly VarianceShare[];
  /** The share of the first group less that of the second, in points; `null` without two groups and a share. */
  readonly lead: ScoreWithInterval | null;
  /** Rows of each combination of levels. */
  readonly repeats: number;
  /** Values that were missing and filled in. */
  readonly missing: number;
}

/**
 * Splits the variance of values between each factor, their interactions, and noise.
 *
 * An analysis of variance with fixed effects, of a design in which every combination of levels is equally frequent. What noise adds
 * to each sum of squares is subtracted (Kelley's epsilon squared, 1935), so that a factor without effect has a share of 0 on average.
 * With one row a combination, interactions cannot be separated from noise and count as noise. Intervals are the middle 95% of a
 * residual bootstrap, which takes rows as independent.
 *
 * @throws {RangeError} If a factor has fewer than two levels, combinations are not equally frequent, or over a fifth of the values
 *   are missing.
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
  if (freedomOfNoise < 1) throw cannot("some rows must be left over to estimate the noise", `${rows.length} rows`);
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

/** After so many rounds filled values no longer change. */
const ROUNDS = 20;

/**
 * Fills in missing values: with the mean of their combination, or, where it has no value at all, with the sum of their levels' effects
 * (Yates 1933, "The analysis of replicated experiments when the field results are incomplete").
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

function groupMeans(values: Float64Array, groups: Int32Array, count: number): Float64Array {
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  groups.forEach((group, row) => {
    sums[group]! += values[row]!;
    sizes[group]!++;
  });
  return sums.map((sum, group) => sum / sizes[group]!);
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Makes a function that redraws the values of a design: effects stay, and noise is resampled from the residuals.
 *
 * Effects are shrunk and residuals stretched, so that the redrawn values have the estimated variances of the true ones
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

/** A part of the variance: its sum of squares and degrees of freedom. */
interface Part {
  readonly squares: number;
  readonly freedom: number;
}

/** The variance of a crossed design, part by part. */
interface Decomposition {
  readonly mean: number;
  /** By factor: each level's difference from the mean. */
  readonly effects: readonly Float64Array[];
  /** By combination: its mean less the sum of its levels' effects. */
  readonly joint: Float64Array;
  readonly factors: readonly Part[];
  /** What factors do only together; includes noise where no combination is repeated. */
  readonly interactions: Part;
  /** Differences within combinations, or the interactions where none is repeated. */
  readonly noise: Part;
}

/** Splits the sum of squares of a balanced crossed design (Fisher's analysis of variance). */
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

function squaresOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** Below this share of the squared mean, differences are rounding. */
const ROUNDING = 1e-12;

/**
 * Estimates the shares of each factor, of interactions and of noise, which add up to 1; all are 0 where nothing differs.
 *
 * A part's sum of squares is reduced by what noise adds to it, its degrees of freedom times the mean square of noise (Kelley
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
