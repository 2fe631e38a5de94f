import type { ScoredReply } from "@/lib/runs/mod.ts";

/** The replies of two runs to the same texts. */
export interface SharedReplies {
  /** Replies of the first run to samples that the second was asked as well, text for text. */
  readonly first: readonly ScoredReply[];
  /** Those of the second run. */
  readonly second: readonly ScoredReply[];
  /** Samples of the same task, length and number whose text differs, as the runs differ in seed, tokenizer, frame or suite. */
  readonly changed: number;
  /** Samples that only one of the runs was asked. */
  readonly alone: number;
}

/**
 * Keeps of two runs the replies to the same texts, so that they can be compared pair by pair.
 *
 * The same task, length and number is not yet the same sample: the hash of the text decides.
 *
 * @param first The replies of one run.
 * @param second Those of the other.
 * @returns The replies to shared texts, each in its order, and how many were left out and why.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import type { ScoredReply } from "@/lib/runs/mod.ts";
 *
 * const of = (index: number, sha256: string) => ({ task: "vt", length: 4096, record: { index, sha256 } }) as ScoredReply;
 * const { first, changed, alone } = sharedReplies([of(0, "a"), of(1, "b"), of(2, "c")], [of(0, "a"), of(1, "x")]);
 * deepEqual([first.length, changed, alone], [1, 1, 1]);
 * ```
 */
export function sharedReplies(first: readonly ScoredReply[], second: readonly ScoredReply[]): SharedReplies {
  const [left, right] = [hashesOf(first), hashesOf(second)];
  const isShared = (reply: ScoredReply): boolean =>
    left.get(placeOf(reply)) === right.get(placeOf(reply)) && left.has(placeOf(reply));
  const shared = first.filter(isShared);
  const common = first.filter((reply) => right.has(placeOf(reply))).length;
  return {
    first: shared,
    second: second.filter(isShared),
    changed: common - shared.length,
    alone: first.length + second.length - 2 * common,
  };
}

function hashesOf(replies: readonly ScoredReply[]): ReadonlyMap<string, string> {
  return new Map(replies.map((reply) => [placeOf(reply), reply.record.sha256]));
}

function placeOf({ task, length, record }: ScoredReply): string {
  return JSON.stringify([task, length, record.index]);
}
