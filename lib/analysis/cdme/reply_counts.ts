import { REPLY_KINDS, type ReplyKind, replyKind } from "@/lib/scorers/mod.ts";

/** A recorded reply, as far as its kind depends on it. */
export interface KindedReply {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** What was asked and what came back. */
  readonly record: {
    /** What was wanted, in the language that was wanted. */
    readonly references: readonly string[];
    /** An answer with its text, or a failed call. */
    readonly reply: { readonly kind: "answer"; readonly text: string } | { readonly kind: "failure" };
  };
}

/** How many replies of a task and length were of each kind. */
export interface ReplyCounts {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** Questions asked. */
  readonly asked: number;
  /** Answers, right or wrong. */
  readonly answers: number;
  /** Replies that were empty. */
  readonly empty: number;
  /** Replies that only said that they cannot answer. */
  readonly refusals: number;
  /** Replies in another language than was wanted. */
  readonly otherLanguage: number;
  /** Calls that failed. */
  readonly failed: number;
}

/**
 * Counts replies by kind, for each task and length: a low score alone does not tell a refusal from a mistake.
 *
 * @param replies The replies, in any order.
 * @returns A row for each task and length, tasks in order of first appearance, lengths rising.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const of = (text: string) =>
 *   ({ task: "cdme_zh", length: 1000, record: { references: ["是北京。"], reply: { kind: "answer", text } as const } });
 * const [row] = replyCounts([of("是北京。"), of(""), of("抱歉，我不知道。")]);
 * equal(row?.answers, 1);
 * equal(row?.refusals, 1);
 * ```
 */
export function replyCounts(replies: readonly KindedReply[]): readonly ReplyCounts[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, ofLength]) => ({ task, length, asked: ofLength.length, ...countKinds(ofLength) }));
  });
}

function countKinds(replies: readonly KindedReply[]): Omit<ReplyCounts, "task" | "length" | "asked"> {
  const counts = new Map<ReplyKind, number>(REPLY_KINDS.map((kind) => [kind, 0]));
  let failed = 0;
  for (const { record: { reply, references } } of replies) {
    if (reply.kind === "failure") {
      failed++;
      continue;
    }
    const kind = replyKind(reply.text, references[0] ?? "");
    counts.set(kind, counts.get(kind)! + 1);
  }
  return {
    answers: counts.get("answer")!,
    empty: counts.get("empty")!,
    refusals: counts.get("refusal")!,
    otherLanguage: counts.get("other language")!,
    failed,
  };
}
