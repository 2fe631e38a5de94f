/**
 * Gives the N context lengths of a version (M-N): even steps up to the longest.
 *
 * @param count How many lengths. Range: from 1.
 * @param longest The longest, in tokens; 128,000 in the paper.
 * @returns The lengths, rising, in tokens.
 * @throws {RangeError} If `count` is not a whole number from 1 to `longest`.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(countingStarsLengths(4), [32_000, 64_000, 96_000, 128_000]);
 * ```
 */
export function countingStarsLengths(count: number, longest = 128_000): number[] {
  if (!Number.isInteger(count) || count < 1 || count > longest) {
    throw new RangeError(
      `Cannot give lengths as their count must be a whole number from 1 to ${longest}: current value is ${count}`,
    );
  }
  const step = Math.floor(longest / count);
  return Array.from({ length: count }, (_, number) => step * (number + 1));
}

/** The versions that the paper runs: how many stars (M) and how many lengths (N). */
export const COUNTING_STARS_VERSIONS: readonly { readonly stars: number; readonly lengths: number }[] = [
  { stars: 16, lengths: 32 },
  { stars: 32, lengths: 16 },
  { stars: 32, lengths: 32 },
  { stars: 64, lengths: 32 },
];
