import type { ScoredReply } from "@/lib/runs/mod.ts";
import { lengthText } from "../length_text.ts";

/** Which reply is wanted; what is left out may be any. */
export interface ReplyPlace {
  /** The task's name. */
  readonly task?: string | undefined;
  /** The token budget. */
  readonly length?: number | undefined;
  /** The number of the sample in its task and length, from 0. */
  readonly index?: number | undefined;
}

/**
 * Picks a reply of a run to look at closely: the one that is named, or the first that went wrong among those that are.
 *
 * @param replies The run's replies.
 * @param place What is known of the one wanted.
 * @returns The first reply there with the lowest score, one that says something if there is such; where none has a score, the
 * first.
 * @throws {RangeError} If there is no reply of that task, length or index; the message says which there are.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { ScoredReply } from "@/lib/runs/mod.ts";
 *
 * const of = (index: number, value: number) => ({ task: "vt", length: 4096, value, record: { index } }) as ScoredReply;
 * equal(pickReply([of(0, 1), of(1, 0), of(2, 0)], { task: "vt" }).record.index, 1);
 * equal(pickReply([of(0, 1), of(1, 0)], { index: 0 }).value, 1);
 * ```
 */
export function pickReply(replies: readonly ScoredReply[], place: ReplyPlace = {}): ScoredReply {
  const { task, length, index } = place;
  const ofTask = narrow(replies, { what: "task", of: (reply) => reply.task, wanted: task, show: String });
  const ofLength = narrow(ofTask, { what: "length", of: (reply) => reply.length, wanted: length, show: lengthText });
  const found = narrow(ofLength, { what: "index", of: ({ record }) => record.index, wanted: index, show: String });
  const [first] = found;
  if (first === undefined) throw new RangeError("Cannot pick a reply as the run must have one: current value is 0");
  const lowest = found.reduce((least, { value }) => Math.min(least, value ?? 1), 1);
  const worst = found.filter(({ value }) => value === lowest);
  return worst.find(({ noAnswer }) => !noAnswer) ?? worst[0] ?? first;
}

function narrow<Value extends string | number>(
  replies: readonly ScoredReply[],
  options: {
    readonly what: string;
    readonly of: (reply: ScoredReply) => Value;
    readonly wanted: Value | undefined;
    readonly show: (value: Value) => string;
  },
): readonly ScoredReply[] {
  const { what, of, wanted, show } = options;
  if (wanted === undefined) return replies;
  const found = replies.filter((reply) => of(reply) === wanted);
  if (found.length > 0) return found;
  const known = [...new Set(replies.map(of))];
  throw new RangeError(
    `Cannot pick a reply as its ${what} must be ${knownText(known, show)}: current value is ${
      typeof wanted === "string" ? `"${wanted}"` : wanted
    }`,
  );
}

function knownText<Value extends string | number>(known: readonly Value[], show: (value: Value) => string): string {
  const numbers = known.filter((value) => typeof value === "number");
  if (numbers.length > 12) return `one asked there, from ${Math.min(...numbers)} to ${Math.max(...numbers)}`;
  return `one of ${known.map(show).join(", ")}`;
}
