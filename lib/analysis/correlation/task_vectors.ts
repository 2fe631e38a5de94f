import { lengthText } from "../length_text.ts";

/** What one model scores on one task at one length. */
export interface ModelScore {
  /** The model's name. */
  readonly model: string;
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The score in any unit, the same for all; `null` where there is none. */
  readonly score: number | null;
}

/** A model at a length: one component of every task's vector. */
export interface VectorColumn {
  /** The model's name. */
  readonly model: string;
  /** Context length in tokens. */
  readonly length: number;
}

/** Tasks as vectors: how each fares over models and lengths. */
export interface TaskVectors {
  /** The tasks, in order of first appearance. */
  readonly tasks: readonly string[];
  /** The models at their lengths: models in order of first appearance, lengths rising. */
  readonly columns: readonly VectorColumn[];
  /** A row a task, a value a column; `null` where there is no score. */
  readonly values: readonly (readonly (number | null)[])[];
}

/**
 * Lays scores out as one vector a task, over all models and lengths (RULER, appendix C).
 *
 * @param scores At most one score for each model, task and length, in any order.
 * @returns The vectors. A cell that was not asked or has no score is `null`, never 0.
 * @throws {RangeError} If there are no scores, all are `null`, or one cell has two.
 *
 * @example A model that was not asked one of the tasks
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const { values } = taskVectors([
 *   { model: "a", task: "vt", length: 4096, score: 90 },
 *   { model: "b", task: "vt", length: 4096, score: 70 },
 *   { model: "a", task: "cwe", length: 4096, score: 60 },
 * ]);
 * deepEqual(values, [[90, 70], [60, null]]);
 * ```
 */
export function taskVectors(scores: readonly ModelScore[]): TaskVectors {
  const known = new Map<string, number | null>();
  for (const { task, score, ...column } of scores) {
    const cell = keyOf(task, column);
    if (known.has(cell)) {
      throw new RangeError(
        `Cannot make task vectors as a task must have one score for each model and length: current value is two for "${task}" of ${column.model} at ${
          lengthText(column.length)
        }`,
      );
    }
    known.set(cell, score);
  }
  if (scores.every(({ score }) => score === null)) {
    throw new RangeError(
      `Cannot make task vectors as there must be at least one score: current value is 0 of ${scores.length}`,
    );
  }
  const tasks = [...new Set(scores.map(({ task }) => task))];
  const columns = [...Map.groupBy(scores, ({ model }) => model)].flatMap(([model, ofModel]) =>
    [...new Set(ofModel.map(({ length }) => length))]
      .sort((left, right) => left - right).map((length) => ({ model, length }))
  );
  const values = tasks.map((task) => columns.map((column) => known.get(keyOf(task, column)) ?? null));
  return { tasks, columns, values };
}

function keyOf(task: string, { model, length }: VectorColumn): string {
  return JSON.stringify([task, model, length]);
}
