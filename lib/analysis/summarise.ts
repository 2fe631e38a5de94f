import type { IntervalOptions } from "./intervals/interval.ts";
import { meanInterval } from "./intervals/mean_interval.ts";
import type { ScoreRow } from "./row.ts";

/** One asked sample, scored: what a summary needs of it. */
export interface ScoredRecord {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** The score in [0, 1]; `null` where there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed; a failed call is no answer, right or wrong. */
  readonly failed: boolean;
  /** Whether the reply was empty; it scores 0. */
  readonly noAnswer: boolean;
}

/** A {@linkcode ScoreRow} with what is needed to average it further, and the reason where it has no score. */
export interface SummaryRow extends ScoreRow {
  /** How many yes/no answers would tell as much as the scores did; 0 where there is no score. */
  readonly effectiveSize: number;
  /** Replies with nothing to score; they are not in `n`. */
  readonly unscored: number;
  /** Why there is no score; `null` where there is one. */
  readonly reason: string | null;
}

/**
 * Averages scored records for each task and length.
 *
 * A failed call is counted in `failed` and stays out of the mean; an empty reply is counted in `noAnswer` and scores 0,
 * as RULER's "nulls" do. The interval is that of {@linkcode meanInterval}. The order of the records changes nothing but
 * the order of the tasks.
 *
 * @param records Scored records, of any tasks and lengths, in any order.
 * @param options The level of the intervals.
 * @returns A row for each task and length: tasks in order of first appearance, lengths rising. Scores are in percent.
 * @throws {RangeError} If a value is outside [0, 1].
 *
 * @example A failed call is no wrong answer
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const asked = { task: "vt", length: 4096, noAnswer: false };
 * const [row] = summarise([
 *   { ...asked, value: 1, failed: false },
 *   { ...asked, value: 0.6, failed: false },
 *   { ...asked, value: null, failed: true },
 * ]);
 * equal(row!.score, 80);
 * equal(row!.n, 2);
 * equal(row!.failed, 1);
 * ```
 */
export function summarise(records: readonly ScoredRecord[], options: IntervalOptions = {}): readonly SummaryRow[] {
  const tasks = Map.groupBy(records, (record) => record.task);
  return [...tasks].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, (record) => record.length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, ofLength]) => summariseOne(ofLength, { task, length, ...options }));
  });
}

function summariseOne(
  records: readonly ScoredRecord[],
  options: IntervalOptions & { readonly task: string; readonly length: number },
): SummaryRow {
  const { task, length, ...levels } = options;
  const replies = records.filter((record) => !record.failed);
  const values = replies.map((reply) => reply.noAnswer ? 0 : reply.value).filter((value) => value !== null);
  const counts = {
    n: values.length,
    failed: records.length - replies.length,
    noAnswer: replies.filter((reply) => reply.noAnswer).length,
    unscored: replies.length - values.length,
  };
  if (values.length === 0) {
    const reason =
      `no score: ${counts.failed} of ${records.length} calls failed, ${counts.unscored} had nothing to score`;
    return { task, length, score: null, low: null, high: null, effectiveSize: 0, reason, ...counts };
  }
  const { mean, low, high, effectiveSize } = meanInterval(values, levels);
  return { task, length, score: 100 * mean, low: 100 * low, high: 100 * high, effectiveSize, reason: null, ...counts };
}
