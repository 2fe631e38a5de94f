import type { GridCell } from "./lengths/context_limit.ts";

/** What a grid needs of a scored reply. */
export interface GriddedReply<Asked> {
  /** What was asked. */
  readonly record: Asked;
  /** Its score, in [0, 1]; `null` where there is none. */
  readonly value: number | null;
}

/** Tells where in a grid a reply belongs. */
export interface GridAxes<Asked> {
  /** The size of the context, in tokens or characters. */
  size(asked: Asked): number;
  /** How hard the task was: a number of needles, of steps, of threads, or a depth. */
  difficulty(asked: Asked): number;
}

/**
 * Sorts scored replies into the cells of a grid; replies without a score are left out.
 *
 * @param replies Scored replies, in any order.
 * @param axes Size and difficulty of each.
 * @returns A cell for each size and difficulty that has a score, sizes and difficulties rising.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const replies = [1, 0, null].map((value) => ({ record: { length: 4096, depth: 0.5 }, value }));
 * const axes = { size: ({ length }: { length: number }) => length, difficulty: () => 3 };
 * deepEqual(gridCells(replies, axes), [{ size: 4096, difficulty: 3, scores: [1, 0] }]);
 * ```
 */
export function gridCells<Asked>(
  replies: readonly GriddedReply<Asked>[],
  axes: GridAxes<Asked>,
): readonly GridCell[] {
  const cells = new Map<string, { size: number; difficulty: number; scores: number[] }>();
  for (const { record, value } of replies) {
    if (value === null) continue;
    const [size, difficulty] = [axes.size(record), axes.difficulty(record)];
    const key = JSON.stringify([size, difficulty]);
    const cell = cells.get(key) ?? { size, difficulty, scores: [] };
    cell.scores.push(value);
    cells.set(key, cell);
  }
  return [...cells.values()].toSorted((left, right) => left.size - right.size || left.difficulty - right.difficulty);
}
