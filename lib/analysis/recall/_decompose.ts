import type { CrossedDesign } from "./_crossed_design.ts";
import { groupMeans, meanOf } from "./_group_means.ts";

/** A part of what differs, with its sum of squares and degrees of freedom. */
export interface Part {
  readonly squares: number;
  readonly freedom: number;
}

/** What differs in a crossed design, part by part. */
export interface Decomposition {
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
export function decompose(design: CrossedDesign, values: Float64Array): Decomposition {
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
export function squaresOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}
