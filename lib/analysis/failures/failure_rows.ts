import type { IntervalOptions } from "../intervals/interval.ts";
import { wilsonInterval } from "../intervals/interval.ts";
import { FAILURE_CLASSES, type FailureClass } from "./failure_class.ts";
import type { FailureMode } from "./failure_mode.ts";

/** A scored reply with the ways in which it failed. */
export interface ExplainedReply {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** The benchmark's own score, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed. */
  readonly failed: boolean;
  /** The ways, the primary one first; empty where the reply is wholly right, and where it could not be explained. */
  readonly modes: readonly FailureMode[];
}

/** How often replies to one task at one length failed in one way. */
export interface FailureCount {
  /** The way. */
  readonly class: FailureClass;
  /** Replies whose primary way it is. */
  readonly count: number;
  /** Those replies among all that were asked, in percent. */
  readonly share: number;
  /** The low end of the 95% interval of the share (Wilson), in percent. */
  readonly low: number;
  /** The high end of that interval, in percent. */
  readonly high: number;
  /** Replies that show it, whether as their primary way or beside another. */
  readonly shown: number;
}

/** The failures of one task at one length. */
export interface FailureRow {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** Samples asked, failed calls included; those with nothing to score are not. */
  readonly n: number;
  /** Those that failed, wholly or in part. */
  readonly failures: number;
  /** Failures of which no way can be told, as the sample cannot be made again. */
  readonly unexplained: number;
  /** The ways that occur, in the order of `FAILURE_CLASSES`. */
  readonly classes: readonly FailureCount[];
}

/**
 * Counts the ways in which replies failed, for each task and length.
 *
 * Each failure is counted once in `count`, by its primary way, so that counts add up to `failures` less `unexplained`; a reply
 * that shows several ways is in the `shown` of each. A reply that gave part of what was asked for is a failure too.
 *
 * @param replies Replies with their ways of failing, right ones included.
 * @param options The level of the intervals.
 * @returns A row for each task and length: tasks in order of first appearance, lengths rising.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const right = { task: "vt", length: 4096, value: 1, failed: false, modes: [] };
 * const empty = { ...right, value: 0, modes: [{ class: "empty", why: "the reply is empty", evidence: [] }] } as const;
 * const [row] = failureRows([right, right, right, empty]);
 * equal(row?.failures, 1);
 * equal(row?.classes[0]?.share, 25);
 * ```
 */
export function failureRows(replies: readonly ExplainedReply[], options: IntervalOptions = {}): FailureRow[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, asked]): FailureRow => ({ task, length, ...countClasses(asked, options) }));
  });
}

function countClasses(
  asked: readonly ExplainedReply[],
  options: IntervalOptions,
): Pick<FailureRow, "n" | "failures" | "unexplained" | "classes"> {
  const scored = asked.filter(({ value, failed }) => failed || value !== null);
  const failures = scored.filter(({ value, failed }) => failed || value !== 1);
  const n = scored.length;
  const classes = FAILURE_CLASSES.flatMap((name): FailureCount[] => {
    const shown = failures.filter(({ modes }) => modes.some((mode) => mode.class === name)).length;
    if (shown === 0) return [];
    const count = failures.filter(({ modes }) => modes[0]?.class === name).length;
    const { low, high } = wilsonInterval(count, n, options);
    return [{ class: name, count, share: 100 * count / n, low: 100 * low, high: 100 * high, shown }];
  });
  const unexplained = failures.filter(({ modes }) => modes.length === 0).length;
  return { n, failures: failures.length, unexplained, classes };
}
