import type { DepthCell } from "./depth_cells.ts";

/** The averages that a needle heatmap shows beside its cells. */
export interface DepthAverage {
  /** The mean over the depths of each length, in percent, lengths rising; those without a score are left out. */
  readonly columns: readonly { readonly length: number; readonly mean: number }[];
  /** The mean of these means, in percent: OpenCompass's overall score; `null` where there is none. */
  readonly overall: number | null;
}

/**
 * Averages the cells of a needle heatmap as OpenCompass does: over depths first, then over lengths, so that each length counts
 * the same however many of its depths have a score.
 *
 * tools_needleinahaystack.py at e975a96f ("Average Depth Score" and "Overall Score").
 *
 * @param cells The cells, in any order; those without a score are left out.
 * @returns The averages.
 *
 * @example Two cells of one length weigh as much as one of another
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { overall } = depthAverage([
 *   { length: 1000, score: 100 },
 *   { length: 1000, score: 50 },
 *   { length: 2000, score: 25 },
 * ]);
 * equal(overall, 50);
 * ```
 */
export function depthAverage(cells: readonly Pick<DepthCell, "length" | "score">[]): DepthAverage {
  const columns = [...Map.groupBy(cells, ({ length }) => length)].flatMap(([length, ofLength]) => {
    const mean = meanOf(ofLength.flatMap(({ score }) => score === null ? [] : [score]));
    return mean === null ? [] : [{ length, mean }];
  });
  const rising = columns.toSorted((left, right) => left.length - right.length);
  return { columns: rising, overall: meanOf(rising.map(({ mean }) => mean)) };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
