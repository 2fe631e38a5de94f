import { compareModels, type ComparisonRow } from "../comparison/compare_models.ts";
import type { ComparedRecord } from "../comparison/match_samples.ts";

/** Which two tasks are twins: the same items in two languages. */
export interface TwinOptions {
  /** The task from which is subtracted. */
  readonly first: string;
  /** The task that is subtracted. */
  readonly second: string;
}

/**
 * Compares twins pair by pair: the same needle at the same depth of the same budget of tokens, in two languages.
 *
 * A pair is two samples of one length, number and seed. Intervals and p-values are those of `pairedComparison`, corrected for
 * the number of lengths after Holm.
 *
 * @param replies Scored replies, those of both tasks among them.
 * @param options Which tasks.
 * @returns A row a length: both means in percent, their difference with its 95% interval, and whether one is shown.
 * @throws {RangeError} If a sample stands twice.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (task: string, index: number, value: number) =>
 *   ({ task, length: 4000, failed: false, noAnswer: false, value, record: { index, seed: "42" } });
 * const replies = [0, 1, 2, 3].flatMap((index) => [of("zh", index, 0.5), of("en", index, 1)]);
 * const [row] = twinRows(replies, { first: "zh", second: "en" });
 * deepEqual([row?.n, row?.difference], [4, -50]);
 * ```
 */
export function twinRows(replies: readonly ComparedRecord[], options: TwinOptions): readonly ComparisonRow[] {
  const { first, second } = options;
  const name = `${first} − ${second}`;
  const of = (task: string): ComparedRecord[] =>
    replies.filter((reply) => reply.task === task).map((reply) => ({ ...reply, task: name }));
  return compareModels(of(first), of(second), { rows: "tasks" }).rows;
}
