/** The name of a configuration of OpenCompass's. */
export type CdmeGridName = "8k" | "32k" | "200k";

/** What a configuration asks: every length at every depth, several times. */
export interface CdmeGrid {
  /** Context lengths in tokens. */
  readonly lengths: readonly number[];
  /** Depths from first to last, spaced evenly. */
  readonly points: number;
  /** Prompts for each length and depth. */
  readonly repeats: number;
  /** Samples of a task at each length: depths times repeats. */
  readonly samples: number;
  /** Prompts in all. */
  readonly prompts: number;
}

const LENGTHS: Readonly<Record<CdmeGridName, readonly number[]>> = {
  "8k": steps(8, 1000),
  "32k": steps(32, 1000),
  "200k": [...steps(12, 16_000), 200_000],
};

/** Depths and repeats of every configuration. */
const [POINTS, REPEATS] = [20, 10];

/**
 * Gives a grid of OpenCompass's, from configs/datasets/cdme at e975a96f (cdme8k.py, cdme32k.py, cdme200k.py).
 *
 * @param name Which configuration.
 * @returns Its lengths, depths and repeats.
 * @throws {RangeError} If there is no such configuration.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(cdmeGrid("8k").prompts, 1600);
 * equal(cdmeGrid("200k").lengths.length, 13);
 * ```
 */
export function cdmeGrid(name: CdmeGridName): CdmeGrid {
  const lengths = Object.hasOwn(LENGTHS, name) ? LENGTHS[name] : undefined;
  if (lengths === undefined) {
    throw new RangeError(
      `Cannot give the grid as its name must be one of ${Object.keys(LENGTHS).join(", ")}: current value is "${name}"`,
    );
  }
  const samples = POINTS * REPEATS;
  return { lengths, points: POINTS, repeats: REPEATS, samples, prompts: lengths.length * samples };
}

function steps(count: number, step: number): number[] {
  return Array.from({ length: count }, (_, at) => (at + 1) * step);
}
