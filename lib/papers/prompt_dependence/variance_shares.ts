import { type Draw, integer, stream } from "@/lib/random/mod.ts";
import { percentiles, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** The share of the variance that one source explains, in percent; `null` if all values are the same or it cannot be separated. */
export interface VarianceShare {
  /** A factor, a group of factors, `interactions` (joint effects of factors) or `noise`. */
  readonly source: string;
  /** In percent. */
  readonly share: number | null;
  /** The low end of the 95% interval. */
  readonly low: number | null;
  /** The high end. */
  readonly high: number | null;
}

/** The variance of values, split by source. */
export interface VarianceShares {
  /** Each factor in the order given, then `interactions` and `noise`; their shares add up to 100. */
  readonly shares: readonly VarianceShare[];
  readonly groups: readonly VarianceShare[];
  /** The share of the first group less that of the second, in points; `null` without two groups and a share. */
  readonly lead: ScoreWithInterval | null;
  /** Rows of each combination of levels. */
  readonly repeats: number;
  /** Missing values, which were filled in. */
  readonly missing: number;
}

/** A row of a crossed design. */
export interface FactorRow {
  /** The level of each factor, by the factor's name. */
  readonly levels: Readonly<Record<string, string | number>>;
  /** The measured value, in any unit; `null` if it is missing. */
  readonly value: number | null;
}

/** Options for {@linkcode varianceShares}. */
interface VarianceSharesOptions {
  /** The names of the factors; at least one. */
  readonly factors: readonly string[];
  /** Groups of factors, by the group's name. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly seed: string;
  /** Bootstrap replicates for the intervals, from 20 to 100,000; 500 by default. */
  readonly replicates?: number;
}

/** The largest share of values that may be missing. */
export const MAX_MISSING = 0.2;

/**
 * Splits the variance of values between factors, their interactions, and noise.
 *
 * An analysis of variance with fixed effects, for designs in which every combination of levels is equally frequent. What noise adds
 * to each sum of squares is subtracted (Kelley's epsilon squared, 1935), so that a factor without effect has a share of 0 on average.
 * With one row per combination, interactions cannot be separated from noise and count as noise. Intervals are the middle 95% of a
 * residual bootstrap, which treats rows as independent.
 *
 * @throws {RangeError} If a factor has fewer than two levels, combinations are not equally frequent, or over a fifth of the values
 *   are missing.
 */
export function varianceShares(rows: readonly FactorRow[], options: VarianceSharesOptions): VarianceShares {
  const { factors, groups = {}, seed, replicates = 500 } = options;
  const isCount = Number.isInteger(replicates) && replicates >= 20 && replicates <= 100_000;
  need(isCount, "replicates must be a whole number from 20 to 100,000", replicates);
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
  const grouped = Object.entries(groups).map(([name, members]) => {
    const unknown = members.find((member) => !factors.includes(member));
    need(unknown === undefined, `a group must be of ${factors.join(", ")}`, `"${unknown}"`);
    return { name, places: members.map((member) => factors.indexOf(member)) };
  });
  const [first, second] = grouped.map(({ places }) => places);
  return {
    shares: [
      ...factors.map((factor, at) => describe(factor, [at])),
      design.repeats > 1
        ? describe("interactions", [factors.length])
        : { source: "interactions", share: null, low: null, high: null },
      describe("noise", [factors.length + 1]),
    ],
    groups: grouped.map(({ name, places }) => describe(name, places)),
    lead: first && second ? interval((shares) => sumAt(shares, first) - sumAt(shares, second)) : null,
    repeats: design.repeats,
    missing: design.missing,
  };
}

function sumAt(shares: readonly number[], places: readonly number[]): number {
  return places.reduce((sum, at) => sum + shares[at]!, 0);
}

function need(holds: boolean, wanted: string, current: string | number): void {
  if (!holds) throw new RangeError(`Cannot share out the variance as ${wanted}: current value is ${current}`);
}

/** A factor: the number of its levels, and the level of each row. */
interface Factor {
  readonly count: number;
  readonly at: Int32Array;
}

/** Rows in which every combination of levels is equally frequent, with missing values filled in. */
interface CrossedDesign {
  readonly factors: readonly Factor[];
  /** The combinations of levels, as one factor. */
  readonly cells: Factor;
  /** Rows of each combination. */
  readonly repeats: number;
  readonly values: Float64Array;
  readonly missing: number;
  /** Degrees of freedom of noise: differences within combinations, or between them if none is repeated. */
  readonly freedomOfNoise: number;
}

function readDesign(rows: readonly FactorRow[], names: readonly string[]): CrossedDesign {
  need(names.length > 0, "there must be a factor with two levels or more", "none");
  const factors = names.map((name) => readFactor(rows, name));
  const count = factors.reduce((product, factor) => product * factor.count, 1);
  const cells = {
    count,
    at: Int32Array.from(rows, (_, row) => factors.reduce((cell, { count, at }) => cell * count + at[row]!, 0)),
  };
  const sizesOf = (at: Int32Array): number[] => {
    const sizes = Array<number>(count).fill(0);
    for (const cell of at) sizes[cell]!++;
    return sizes;
  };
  const sizes = sizesOf(cells.at);
  const [least, repeats] = [Math.min(...sizes), Math.max(...sizes)];
  const isCrossed = least === repeats;
  need(
    isCrossed,
    `rows must hold every combination of ${names.join(", ")} equally often`,
    `${least} to ${repeats} rows`,
  );
  const missing = rows.filter(({ value }) => value === null).length;
  const isWhole = missing <= MAX_MISSING * rows.length;
  need(isWhole, "at most a fifth of the values may be missing", `${missing} of ${rows.length}`);
  const present = sizesOf(cells.at.filter((_, row) => rows[row]!.value !== null));
  const within = present.reduce((sum, size) => sum + Math.max(0, size - 1), 0);
  const between = factors.reduce((freedom, factor) => freedom - (factor.count - 1), count - 1) - missing;
  const freedomOfNoise = repeats > 1 ? within : between;
  need(freedomOfNoise >= 1, "some rows must be left over to estimate the noise", `${rows.length} rows`);
  return { factors, cells, repeats, values: fillMissing(rows, factors, cells), missing, freedomOfNoise };
}

function readFactor(rows: readonly FactorRow[], name: string): Factor {
  const ofRows = rows.map(({ levels }) => levels[name]);
  const levels = [...new Set(ofRows)];
  const isFactor = levels.length >= 2 && !levels.includes(undefined);
  need(isFactor, "each factor must have two levels or more, and every row one of them", `"${name}"`);
  return { count: levels.length, at: Int32Array.from(ofRows, (level) => levels.indexOf(level)) };
}

/** Iterations after which filled values no longer change. */
const ROUNDS = 20;

/**
 * Fills in missing values: with the mean of their combination, or, if it has no value, with the sum of their levels' effects
 * (Yates 1933, "The analysis of replicated experiments when the field results are incomplete").
 */
function fillMissing(rows: readonly FactorRow[], factors: readonly Factor[], cells: Factor): Float64Array {
  const known = rows.flatMap(({ value }, row) => value === null ? [] : [{ cell: cells.at[row]!, value }]);
  const mean = (of: readonly { readonly value: number }[]): number =>
    of.reduce((sum, { value }) => sum + value, 0) / of.length;
  const means = new Map([...Map.groupBy(known, ({ cell }) => cell)].map(([cell, of]) => [cell, mean(of)]));
  const grand = mean(known);
  const values = Float64Array.from(rows, ({ value }, row) => value ?? means.get(cells.at[row]!) ?? grand);
  const empty = [...values.keys()].filter((row) => !means.has(cells.at[row]!));
  for (let round = 0; round < ROUNDS && empty.length > 0; round++) {
    const middle = meanOf(values);
    const effects = factors.map((factor) => groupMeans(values, factor).map((one) => one - middle));
    for (const row of empty) values[row] = additiveValue(row, factors, effects, middle);
  }
  return values;
}

/** Returns the sum of a row's level effects and the mean. */
function additiveValue(
  row: number,
  factors: readonly Factor[],
  effects: readonly Float64Array[],
  mean: number,
): number {
  return factors.reduce((sum, { at }, factor) => sum + effects[factor]![at[row]!]!, mean);
}

function groupMeans(values: Float64Array, { count, at }: Factor): Float64Array {
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  at.forEach((group, row) => {
    sums[group]! += values[row]!;
    sizes[group]!++;
  });
  return sums.map((sum, group) => sum / sizes[group]!);
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns a function that redraws the values of a design: effects stay, and noise is resampled from the residuals.
 *
 * Effects are shrunk and residuals stretched, so that the redrawn values have the estimated variances of the true ones
 * (Carpenter, Goldstein and Rasbash 2003, "A novel bootstrap procedure for assessing the relationship between class size and
 * achievement").
 */
function redrawValues(design: CrossedDesign, draw: Draw): () => Float64Array {
  const { factors, cells, repeats, values } = design;
  const { mean, effects, joint, parts, interactions, noise } = decompose(design, values);
  const meanSquare = noise.squares / noise.freedom;
  const keep = ({ squares, freedom }: Part): number =>
    squares === 0 ? 0 : Math.sqrt(Math.max(0, 1 - freedom * meanSquare / squares));
  const kept = effects.map((ofLevels, at) => ofLevels.map((effect) => keep(parts[at]!) * effect));
  const jointOf = (row: number): number => repeats > 1 ? joint[cells.at[row]!]! : 0;
  const keptJoint = keep(interactions);
  const fitted = values.map((_, row) => additiveValue(row, factors, kept, mean) + keptJoint * jointOf(row));
  const rest = values.map((value, row) => value - additiveValue(row, factors, effects, mean) - jointOf(row));
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
  /** By factor. */
  readonly parts: readonly Part[];
  /** Joint effects; includes noise if no combination is repeated. */
  readonly interactions: Part;
  /** Differences within combinations, or the interactions if none is repeated. */
  readonly noise: Part;
}

/** Splits the sum of squares of a balanced crossed design (Fisher's analysis of variance). */
function decompose({ factors, cells, repeats, freedomOfNoise }: CrossedDesign, values: Float64Array): Decomposition {
  const mean = meanOf(values);
  const effects = factors.map((factor) => groupMeans(values, factor).map((one) => one - mean));
  const means = groupMeans(values, cells);
  const joint = Float64Array.from(means);
  cells.at.forEach((cell, row) => joint[cell] = means[cell]! - additiveValue(row, factors, effects, mean));
  const parts = effects.map((ofLevels): Part => ({
    squares: values.length / ofLevels.length * squaresOf(ofLevels),
    freedom: ofLevels.length - 1,
  }));
  const freedom = cells.count - 1 - parts.reduce((sum, part) => sum + part.freedom, 0);
  const interactions = { squares: repeats * squaresOf(joint), freedom };
  const within = squaresOf(values.map((value, row) => value - means[cells.at[row]!]!));
  const noise = { squares: repeats > 1 ? within : interactions.squares, freedom: freedomOfNoise };
  return { mean, effects, joint, parts, interactions, noise };
}

function squaresOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** Differences below this share of the squared mean are rounding errors. */
const ROUNDING = 1e-12;

/**
 * Estimates the shares of each factor, of interactions and of noise, which add up to 1; all are 0 if nothing differs.
 *
 * A part's sum of squares is reduced by what noise adds to it, its degrees of freedom times the mean square of noise (Kelley
 * 1935, "An unbiased correlation ratio measure"; Okada 2013 compares it with other measures); below 0 it counts as 0.
 */
function estimateShares(design: CrossedDesign, values: Float64Array): readonly number[] {
  const { mean, parts, interactions, noise } = decompose(design, values);
  const meanSquare = noise.squares / noise.freedom;
  const cleared = ({ squares, freedom }: Part): number => Math.max(0, squares - freedom * meanSquare);
  const together = design.repeats > 1 ? cleared(interactions) : 0;
  const shares = [...parts.map(cleared), together, (values.length - 1) * meanSquare];
  const total = shares.reduce((sum, part) => sum + part, 0);
  const differs = total > ROUNDING * values.length * (mean * mean + 1);
  return shares.map((part) => differs ? part / total : 0);
}
