import { FAILURE_CLASSES, type FailureClass } from "./failure_class.ts";
import type { ExplainedRecord } from "./explain_run.ts";
import { quoteText } from "./quote_text.ts";

/** A failed reply to look at. */
export interface FailedReply {
  /** The primary way in which it failed. */
  readonly class: FailureClass;
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The number of the sample in its task and length. */
  readonly index: number;
  /** What was wanted, cut and with its control characters written out. */
  readonly wanted: string;
  /** What came, cut and with its control characters written out; for a failed call, what the provider said. */
  readonly reply: string;
  /** What tells the way, cut as well. */
  readonly why: string;
}

/** Options for {@linkcode failedReplies}. */
export interface FailedRepliesOptions {
  /**
   * How many replies to give for each way of failing. Range: 1 up.
   *
   * @default {2}
   */
  readonly each?: number;
  /**
   * The most characters of a text. Range: 20 up.
   *
   * @default {160}
   */
  readonly characters?: number;
}

/**
 * Picks replies of a run to look at: some for each way of failing, of as many tasks and lengths as there are.
 *
 * @param replies The run's replies, from `explainRun`.
 * @param options How many, and how much of each.
 * @returns The replies in the order of `FAILURE_CLASSES`; the same ones for the same run.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(failedReplies([]), []);
 * ```
 */
export function failedReplies(replies: readonly ExplainedRecord[], options: FailedRepliesOptions = {}): FailedReply[] {
  const { each = 2, characters = 160 } = options;
  return FAILURE_CLASSES.flatMap((name) => {
    const ofClass = replies.filter(({ modes }) => modes[0]?.class === name);
    return pickApart(ofClass, each).map(({ record, modes }): FailedReply => {
      const { task, length, index, references, reply } = record;
      const text = reply.kind === "failure" ? reply.message : reply.text;
      return {
        class: name,
        task,
        length,
        index,
        wanted: quoteText(references.join(", "), characters),
        reply: quoteText(text, characters),
        why: quoteText(modes[0]!.why, characters),
      };
    });
  });
}

/** Picks so many, each of another task and length as far as there are such. */
function pickApart(replies: readonly ExplainedRecord[], count: number): ExplainedRecord[] {
  const ranked = [...Map.groupBy(replies, ({ task, length }) => `${task}/${length}`).values()]
    .flatMap((ofCell) => ofCell.map((reply, rank) => ({ reply, rank })))
    .sort((left, right) => left.rank - right.rank);
  return ranked.slice(0, count).map(({ reply }) => reply);
}
