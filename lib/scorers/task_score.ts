import type { Score } from "./score.ts";

/**
 * Gives the score of a task as RULER writes it: the mean of its samples' scores in percent, rounded to two decimals.
 *
 * RULER, constants.py: `round(sum(scores) / len(scores) * 100, 2)`, summed in the order given. Python rounds a tie to the
 * even digit: 0.125 gives 0.12.
 *
 * @param scores Scores of the task's samples; those that are `null` are left out.
 * @returns The percentage, in [0, 100]; `null` where there was nothing to score.
 *
 * @example One of three samples right
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(taskScore([{ value: 1 }, { value: 0 }, { value: 0 }]), 33.33);
 * ```
 */
export function taskScore(scores: readonly Pick<Score, "value">[]): number | null {
  let sum = 0;
  let count = 0;
  for (const { value } of scores) {
    if (value === null) continue;
    sum += value;
    count++;
  }
  return count === 0 ? null : roundToHundredths(sum / count * 100);
}

/** Rounds as Python's `round(value, 2)` does: exactly on the binary number, ties to the even digit. */
function roundToHundredths(value: number): number {
  // A number can lie exactly between two hundredths only if it is an odd multiple of an eighth; `toFixed` rounds those up.
  const isTie = Number.isInteger(value * 8) && value * 8 % 2 !== 0;
  if (!isTie) return Number(value.toFixed(2));
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}
