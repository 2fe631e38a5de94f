import type { CorrelationMatrix } from "./correlation.ts";

/** A task that was left out of a correlation study. */
export interface LeftOutTask {
  /** The task's name. */
  readonly task: string;
  /** Why it could not stay. */
  readonly reason: string;
}

/** Correlations without a gap, and what was left out to have them so. */
export interface CorrelatedTasks {
  /** The tasks that stay, in the order of rows and columns. */
  readonly tasks: readonly string[];
  /** The correlation of each pair, in [-1, 1]. */
  readonly matrix: readonly (readonly number[])[];
  /** The tasks that were left out, in the order they were. */
  readonly leftOut: readonly LeftOutTask[];
}

/**
 * Leaves out tasks until every pair has a correlation: each time the one with the most gaps, of several the last.
 *
 * @param correlations The matrix, gaps included.
 * @returns The matrix without gaps, and the tasks left out.
 * @throws {RangeError} If fewer than two tasks are left; the message says why the others are not.
 *
 * @example A task that always scores the same correlates with none
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { correlationMatrix } from "@/lib/analysis/mod.ts";
 *
 * const columns = [1, 2, 4].map((length) => ({ model: "a", length }));
 * const vectors = { tasks: ["up", "flat", "down"], columns, values: [[1, 2, 3], [7, 7, 7], [5, 3, 1]] };
 * deepEqual(correlatedTasks(correlationMatrix(vectors)).tasks, ["up", "down"]);
 * ```
 */
export function correlatedTasks(correlations: CorrelationMatrix): CorrelatedTasks {
  const { tasks, matrix } = correlations;
  const leftOut: LeftOutTask[] = [];
  let kept = tasks.map((_, at) => at);
  const gapsOf = (row: number): number => kept.filter((column) => matrix[row]![column] === null).length;
  for (;;) {
    const worst = kept.reduce((most, row) => gapsOf(row) >= gapsOf(most) ? row : most, kept[0] ?? 0);
    if (kept.length === 0 || gapsOf(worst) === 0) break;
    leftOut.push({ task: tasks[worst]!, reason: reasonOf(correlations, worst) });
    kept = kept.filter((row) => row !== worst);
  }
  if (kept.length < 2) {
    const why = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
    throw new RangeError(
      `Cannot compare tasks as at least 2 must have a correlation: current value is ${kept.length}${
        why === "" ? "" : `; left out: ${why}`
      }`,
    );
  }
  return {
    tasks: kept.map((row) => tasks[row]!),
    matrix: kept.map((row) => kept.map((column) => matrix[row]![column]!)),
    leftOut,
  };
}

function reasonOf({ matrix, shared }: CorrelationMatrix, row: number): string {
  const own = shared[row]![row]!;
  if (matrix[row]![row] !== null) return "too few or equal scores where others have theirs";
  return own < 3 ? `${own} scores` : `the same score in all ${own} places`;
}
