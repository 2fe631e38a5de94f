import type { IntervalOptions } from "../intervals/interval.ts";
import { type ScoredRecord, summarise, type SummaryRow } from "../summarise.ts";

/** A scored reply with the place of its target. */
export interface DeepRecord extends ScoredRecord {
  /** The share of the context before the target, in [0, 1]. */
  readonly depth: number;
}

/** Options for {@linkcode depthRows}. */
export interface DepthRowsOptions extends IntervalOptions {
  /**
   * How many equal stretches the context is cut into. Range: 1 to 100.
   *
   * @default {5}
   */
  readonly stretches?: number;
}

/** The score of one task at one length, for targets in one stretch of the context. */
export interface DepthRow extends SummaryRow {
  /** Where the stretch begins, in percent of the context; a target right there belongs to it. */
  readonly from: number;
  /** Where it ends, in percent; a target right there belongs to the next stretch, save at 100. */
  readonly to: number;
  /** The stretch as text, such as `20 to 40%`. */
  readonly stretch: string;
}

/**
 * Averages scored replies over each task, length and stretch of the context, with intervals, for a heatmap.
 *
 * @param replies Replies with the places of their targets, from `placeReplies`.
 * @param options How many stretches, and the level of the intervals.
 * @returns A row for each task, length and stretch that was asked: tasks in order of first appearance, then lengths and stretches
 * rising. Scores are in percent.
 * @throws {RangeError} If `stretches` is outside its range or a depth outside [0, 1].
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (depth: number, value: number) => ({ task: "niah", length: 4096, depth, value, failed: false, noAnswer: false });
 * const rows = depthRows([of(0.1, 1), of(0.3, 1), of(1, 0)], { stretches: 2 });
 * deepEqual(rows.map(({ stretch, n, score }) => [stretch, n, score]), [["0 to 50%", 2, 100], ["50 to 100%", 1, 0]]);
 * ```
 */
export function depthRows(replies: readonly DeepRecord[], options: DepthRowsOptions = {}): readonly DepthRow[] {
  const { stretches = 5, ...levels } = options;
  if (!Number.isInteger(stretches) || stretches < 1 || stretches > 100) {
    throw new RangeError(
      `Cannot average over depths as stretches must be a whole number from 1 to 100: current value is ${stretches}`,
    );
  }
  const tasks = [...new Set(replies.map(({ task }) => task))];
  const ofStretch = Map.groupBy(replies, ({ depth }) => stretchOf(depth, stretches));
  const rows = [...ofStretch].flatMap(([place, asked]) => {
    const [from, to] = [100 * place / stretches, 100 * (place + 1) / stretches];
    const stretch = `${Math.round(from)} to ${Math.round(to)}%`;
    return summarise(asked, levels).map((row): DepthRow => ({ ...row, from, to, stretch }));
  });
  return rows.toSorted((left, right) =>
    tasks.indexOf(left.task) - tasks.indexOf(right.task) || left.length - right.length || left.from - right.from
  );
}

/** The number of the stretch that a depth falls into, from 0. */
export function stretchOf(depth: number, stretches: number): number {
  if (!(depth >= 0 && depth <= 1)) {
    throw new RangeError(`Cannot average over depths as each depth must be in [0, 1]: current value is ${depth}`);
  }
  return Math.min(stretches - 1, Math.floor(depth * stretches));
}
