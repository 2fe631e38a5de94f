import { readValueReply } from "./value_reply.ts";
import type { Score } from "./score.ts";

/** How far along its threads a reply got. */
export interface ThreadScore extends Score {
  /** How many steps of each thread lead to the answer given for it; 0 where the answer is not on the thread. */
  readonly steps: readonly number[];
}

/**
 * Scores how far along each thread a reply got: partial credit beside the exact match.
 *
 * @param reply What a model wrote; it is read as `valueMatch` reads it.
 * @param paths The values of each thread in the order of its steps, the wanted one last.
 * @returns The mean share of steps followed, in [0, 1]: 1 where every thread's last value is given, 1/4 where that of the
 *   first of four steps is; `null` where there are no threads.
 *
 * @example Lost after the second of three steps
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const path = ["1a", "2b", "3c"].map((end) => `0e7bbda8-78e4-8982-dbec-b7b4a4c0c6${end}`);
 * equal(threadProgress(path[1]!, [path]).value, 2 / 3);
 * deepEqual(threadProgress("I cannot tell.", [path]).steps, [0]);
 * ```
 */
export function threadProgress(reply: string, paths: readonly (readonly string[])[]): ThreadScore {
  const { values } = readValueReply(reply);
  const steps = paths.map((path, thread) => path.indexOf(values[thread] ?? "") + 1);
  const answer = values.slice(0, paths.length).join(", ");
  if (paths.length === 0) return { value: null, answer, why: "nothing to score: there are no threads", steps };
  const value = steps.reduce((sum, count, thread) => sum + count / paths[thread]!.length, 0) / paths.length;
  const why = paths.map((path, thread) => `${steps[thread]} of ${path.length}`).join(", ");
  return { value, answer, why: `steps followed: ${why}`, steps };
}
