import type { Coverage } from "./simulate_coverage.ts";

/** How often intervals held the truth, over numbers of one kind that are near 0 or 100, or are not. */
export interface CoverageBand extends Pick<Coverage, "kind"> {
  /** Where the true scores lie, in percent. */
  readonly truths: string;
  /** How many numbers: tasks at lengths, or means. */
  readonly cells: number;
  /** Simulated intervals of all of them together. */
  readonly intervals: number;
  /** The share of these that held the truth, in percent. */
  readonly covered: number;
  /** The least share of a single number, in percent. */
  readonly least: number;
  /** The greatest share of a single number, in percent. */
  readonly greatest: number;
}

// A list of a few dozen scores comes out as nothing but 0 or 100 where the truth is nearer to it than this.
const EDGE = 5;

/**
 * Puts simulated coverage together by the kind of number, numbers near 0 or 100 apart: there most runs give exactly 0 or
 * 100, and an interval that keeps its width holds the truth more often than its level says.
 *
 * @param rows Coverage of single numbers, from `simulateCoverage`.
 * @returns A row for each kind and band that occurs, in order of first appearance, the middle before the edges.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const row = { task: "vt", length: 4096, kind: "shares", samples: 25, runs: 100 } as const;
 * const [middle, edge] = coverageBands([{ ...row, truth: 80, covered: 0.95 }, { ...row, truth: 99, covered: 1 }]);
 * deepEqual([middle?.truths, middle?.covered], ["5 to 95", 95]);
 * deepEqual([edge?.truths, edge?.covered], ["below 5 or above 95", 100]);
 * ```
 */
export function coverageBands(rows: readonly Coverage[]): readonly CoverageBand[] {
  return [...Map.groupBy(rows, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    [true, false].flatMap((isMiddle) => {
      const cells = ofKind.filter(({ truth }) => (truth >= EDGE && truth <= 100 - EDGE) === isMiddle);
      return cells.length === 0 ? [] : [bandOf(cells, { kind, isMiddle })];
    })
  );
}

function bandOf(
  cells: readonly Coverage[],
  { kind, isMiddle }: Pick<Coverage, "kind"> & { readonly isMiddle: boolean },
): CoverageBand {
  const intervals = cells.reduce((sum, { runs }) => sum + runs, 0);
  const shares = cells.map(({ covered }) => 100 * covered);
  return {
    kind,
    truths: isMiddle ? `${EDGE} to ${100 - EDGE}` : `below ${EDGE} or above ${100 - EDGE}`,
    cells: cells.length,
    intervals,
    covered: 100 * cells.reduce((sum, { covered, runs }) => sum + covered * runs, 0) / intervals,
    least: Math.min(...shares),
    greatest: Math.max(...shares),
  };
}
