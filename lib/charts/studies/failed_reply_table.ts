import { type FailedReply, lengthText, type Origin } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** Options for {@linkcode failedReplyTable}. */
export interface FailedReplyTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the replies come from. */
  readonly origin: Origin;
  /** Replies that they were picked from. */
  readonly n: number | string;
}

/**
 * Sets failed replies to look at as a table: how each failed, where, what was wanted, what came, and what tells the way.
 *
 * @param replies At least one reply, from `failedReplies`; its texts are cut already.
 * @param options The title, the origin and the number of replies.
 * @returns The table; everything from a reply is escaped.
 * @throws {RangeError} If there is no reply.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const reply = { class: "loop", task: "vt", length: 4096, index: 0, wanted: "ABCDE", reply: "<b> <b>", why: "twice" } as const;
 * match(failedReplyTable([reply], { title: "One loops", origin: "measured", n: 1 }).html, /&lt;b&gt;/);
 * ```
 */
export function failedReplyTable(replies: readonly FailedReply[], options: FailedReplyTableOptions): Table {
  const rows = replies.map((reply) => ({
    ...reply,
    sample: `${reply.task}, ${lengthText(reply.length)}, ${reply.index}`,
  }));
  return table(rows, {
    ...options,
    caption: "Replies for each way of failing. Long texts have lost their middle; line breaks are written out.",
    columns: [
      { field: "class", label: "Way of failing" },
      { field: "sample", label: "Task, length, sample" },
      { field: "wanted", label: "Wanted" },
      { field: "reply", label: "Reply" },
      { field: "why", label: "What tells it" },
    ],
  });
}
