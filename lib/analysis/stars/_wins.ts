import type { StarPanel } from "./star_panel.ts";

/** A matrix as rows of stars, each with a score for every length, in one flat array. */
export interface Cells {
  readonly stars: number;
  readonly lengths: number;
  /** The score of a star at a length, at `star * lengths + length`. */
  readonly values: Float64Array;
}

/** Lays a matrix out for counting. */
export function toCells({ columns }: StarPanel): Cells {
  const [stars, lengths] = [columns[0]!.cells.length, columns.length];
  const values = new Float64Array(stars * lengths);
  columns.forEach((column, length) => column.cells.forEach((cell, star) => values[star * lengths + length] = cell));
  return { stars, lengths, values };
}

/** How the longer of two contexts does against the shorter, over all pairs of lengths. */
export interface Wins {
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
export function countWins(cells: Cells, needed: readonly number[]): Wins {
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
