import type { ModelScore } from "./task_vectors.ts";

/** One sample's score, on which model, task and length it was. */
export interface SampleScore {
  /** The model's name. */
  readonly model: string;
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The number of the sample in its task and length. */
  readonly index: number;
  /** The score in [0, 1]; `null` where there is none, as of a failed call. */
  readonly value: number | null;
}

/**
 * Averages samples for each model, task and length.
 *
 * @param samples The samples, in any order.
 * @returns A score for each model, task and length that was asked, in percent; `null` where no sample has one.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const asked = { model: "a", task: "vt", length: 4096 };
 * const samples = [{ ...asked, index: 0, value: 1 }, { ...asked, index: 1, value: 0.5 }, { ...asked, index: 2, value: null }];
 * equal(meanScores(samples)[0]?.score, 75);
 * ```
 */
export function meanScores(samples: readonly SampleScore[]): readonly ModelScore[] {
  const cells = Map.groupBy(samples, ({ model, task, length }) => JSON.stringify([model, task, length]));
  return [...cells.values()].map((ofCell): ModelScore => {
    const { model, task, length } = ofCell[0]!;
    const values = ofCell.map(({ value }) => value).filter((value) => value !== null);
    const score = values.length === 0 ? null : 100 * values.reduce((sum, value) => sum + value, 0) / values.length;
    return { model, task, length, score };
  });
}
