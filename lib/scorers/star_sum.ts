import { stripText } from "./_python_text.ts";
import { findNumbers, readStarReply } from "./_star_reply.ts";
import type { Score } from "./score.ts";

/** The score of a single number. */
export interface StarSumScore extends Score {
  /** The number that was read; `null` where none could be. */
  readonly total: number | null;
}

/**
 * Scores a single number that was asked for, such as the sum of all counts: 1 if it is right, else 0.
 *
 * @param reply What a model wrote: JSON with a total, or a text with one number in it.
 * @param references The right number.
 * @returns 1 or 0; `null` where there is no reference.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(starSumScore('{"total": 17}', ["17"]).value, 1);
 * equal(starSumScore("3 + 5 + 9 = 17", ["17"]).why, "no sum could be read");
 * ```
 */
export function starSumScore(reply: string, references: readonly string[]): StarSumScore {
  const numbers = findNumbers(reply);
  const total = readStarReply(reply).total ?? (numbers.length === 1 ? numbers[0]! : null);
  const answer = total === null ? stripText(reply) : String(total);
  const [wanted] = references;
  if (wanted === undefined) return { value: null, answer, total, why: "nothing to score: there are no references" };
  if (total === null) return { value: 0, answer, total, why: answer === "" ? "no answer" : "no sum could be read" };
  const isRight = total === Number(wanted);
  return {
    value: isRight ? 1 : 0,
    answer,
    total,
    why: isRight ? `the sum ${total} is right` : `the sum is ${wanted}, not ${total}`,
  };
}
