import { meanOf, pickStarPanels, type StarPanel, type StarsPublished } from "./published.ts";
import { integer, stream } from "@/lib/random/mod.ts";
import { percentiles } from "@/lib/statistics/mod.ts";

/** What one change of the test does to one model. */
export interface StarChange extends PanelDifference {
  /** What is compared with what. */
  readonly change: string;
  /** The model. */
  readonly model: string;
}

const CHANGES: readonly (readonly [string, string, string])[] = [
  ["increasing less shuffled counts", "stone_32_32", "stone_32_32_random"],
  ["The Story of the Stone less Journey to the West", "stone_32_32", "west_32_32_v1"],
  ["temperature 0 less 1", "west_32_32_v1", "west_32_32_temperature"],
  ["run 1 less run 2", "west_32_32_v1", "west_32_32_v2"],
  ["run 1 less run 3", "west_32_32_v1", "west_32_32_v3"],
  ["N = 16 less N = 32, at the lengths of both", "stone_32_16", "stone_32_32"],
];

/**
 * Compares the published panels that differ in one thing: order, text, temperature, run, or the number of lengths.
 *
 * @param published What was published.
 * @param seed Any text; the same seed gives the same intervals.
 * @returns A row for each change and model.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { openStarsPublished } from "@/lib/benchmarks/counting_stars/mod.ts";
 *
 * const [gpt] = starChanges(await openStarsPublished(), "42");
 * ok(gpt!.difference > 0.27 && gpt!.low > 0.2);
 * ```
 */
export function starChanges(published: StarsPublished, seed: string): StarChange[] {
  return CHANGES.flatMap(([change, first, second]) => {
    const others = pickStarPanels(published, [second]);
    return pickStarPanels(published, [first]).map((panel, at) => ({
      change,
      model: panel.model.split(",")[0]!,
      ...panelDifference(panel, others[at]!, { seed }),
    }));
  });
}

/** Options for {@linkcode panelDifference}. */
export interface PanelDifferenceOptions {
  /** Any text; the same seed gives the same numbers. */
  readonly seed: string;
  /**
   * Permutations, and as many resamples. Range: 99 and more.
   *
   * @default {1999}
   */
  readonly rounds?: number;
}

/** How far two matrices of the same lengths are apart. */
export interface PanelDifference {
  /** Accuracy of the first less that of the second, in [-1, 1]. */
  readonly difference: number;
  /** The low end of its 95% interval, over other lengths. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** How often a difference as large comes about if it is chance which of the two a length's column is of, in (0, 1]. */
  readonly p: number;
  /** Lengths compared. */
  readonly lengths: number;
}

/**
 * Compares two matrices length by length, such as increasing with shuffled counts or temperature 0 with 1.
 *
 * A column is what one reply is worth, so columns and not cells are taken as independent. The test swaps the two columns of
 * a length at random (a permutation test for pairs, two-sided, the observed counted too); the interval resamples lengths
 * (percentiles).
 *
 * @param first The matrix from which is subtracted.
 * @param second The one that is subtracted; only lengths of both are compared.
 * @param options Seed and rounds.
 * @returns The difference with its interval and chance.
 * @throws {RangeError} If the two have fewer than two lengths in common, or there are too few rounds.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const panel = (cell: number) => ({ model: "m", columns: [1, 2, 3, 4].map((length) => ({ length, cells: [cell, 1] })) });
 * const { difference, lengths } = panelDifference(panel(1), panel(0), { seed: "a" });
 * equal(difference, 0.5);
 * equal(lengths, 4);
 * ```
 */
export function panelDifference(
  first: StarPanel,
  second: StarPanel,
  options: PanelDifferenceOptions,
): PanelDifference {
  const { seed, rounds = 1999 } = options;
  const others = new Map(second.columns.map(({ length, cells }) => [length, meanOf(cells)]));
  const differences = first.columns.flatMap(({ length, cells }) => {
    const other = others.get(length);
    return other === undefined ? [] : [meanOf(cells) - other];
  });
  const lengths = differences.length;
  if (lengths < 2) {
    throw new RangeError(
      `Cannot compare the matrices as they must share at least 2 lengths: current value is ${lengths}`,
    );
  }
  if (!Number.isInteger(rounds) || rounds < 99) {
    throw new RangeError(
      `Cannot compare the matrices as rounds must be a whole number from 99: current value is ${rounds}`,
    );
  }
  const draw = stream(seed, "panel difference");
  const difference = meanOf(differences);
  const flipped = Array.from(
    { length: rounds },
    () => meanOf(differences.map((value) => draw() < 0.5 ? -value : value)),
  );
  const resampled = Array.from(
    { length: rounds },
    () => meanOf(differences.map(() => differences[integer(draw, { low: 0, high: lengths - 1 })]!)),
  );
  const { low, high } = percentiles(resampled, difference);
  const asLarge = flipped.filter((other) => Math.abs(other) >= Math.abs(difference) - 1e-12).length;
  return { difference, low, high, p: (1 + asLarge) / (1 + rounds), lengths };
}
