import { mean } from "simple-statistics";

/** A scored reply that may have credit for a part of the way. */
export interface PartialReply {
  /** The task's name. */
  readonly task: string;
  /** The benchmark's own score, in [0, 1]; `null` where there is none. */
  readonly value: number | null;
  /** A score that credits a part of the way to each reference, where there is one. */
  readonly partial?: { readonly value: number | null };
}

/** A task's score beside its credit for parts of the way. */
export interface PartialRow {
  /** The task's name. */
  readonly task: string;
  /** Replies with both scores. */
  readonly n: number;
  /** The mean score, in percent. */
  readonly whole: number;
  /** The mean credit for parts of the way, in percent. */
  readonly partial: number;
}

/**
 * Averages, for each task that has it, the credit for parts of the way beside the score.
 *
 * @param replies Scored replies, of any lengths.
 * @returns A row for each task with partial credit, in order of first appearance.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const replies = [{ task: "thread", value: 0, partial: { value: 0.8 } }, { task: "needle", value: 1 }];
 * deepEqual(partialRows(replies), [{ task: "thread", n: 1, whole: 0, partial: 80 }]);
 * ```
 */
export function partialRows(replies: readonly PartialReply[]): readonly PartialRow[] {
  const both = replies.flatMap(({ task, value, partial }) =>
    value === null || typeof partial?.value !== "number" ? [] : [{ task, whole: value, partial: partial.value }]
  );
  return [...Map.groupBy(both, ({ task }) => task)].map(([task, ofTask]) => ({
    task,
    n: ofTask.length,
    whole: 100 * mean(ofTask.map(({ whole }) => whole)),
    partial: 100 * mean(ofTask.map(({ partial }) => partial)),
  }));
}
