/**
 * What was lost on the way from the sentences to their sum, the three causes that the authors of Counting-Stars name.
 *
 * - `nothing`: the list and the sum are right.
 * - `not found`: counts are missing or wrong in the list, and the sum is that of the list: it was added up rightly.
 * - `not remembered`: counts are missing or wrong in the list, and the sum is right: they were found, and lost when listed.
 * - `summed wrongly`: the list is right and the sum is not.
 * - `unclear`: neither the list nor the sum is right, nor is the sum that of the list, or there is no sum.
 */
export type SumCause = "nothing" | "not found" | "not remembered" | "summed wrongly" | "unclear";

/** Judges a sum against the list it stands beside. */
export function judgeSum(
  total: number | null,
  { counts, numbers, wanted }: {
    readonly counts: readonly number[];
    /** The reply's list. */
    readonly numbers: readonly number[];
    /** The right sum. */
    readonly wanted: number;
  },
): { readonly isRight: boolean; readonly cause: SumCause } {
  const isRight = total === wanted;
  const given = new Set(numbers);
  const isWhole = given.size === counts.length && counts.every((count) => given.has(count));
  if (isWhole) return { isRight, cause: isRight ? "nothing" : total === null ? "unclear" : "summed wrongly" };
  if (isRight) return { isRight, cause: "not remembered" };
  const own = numbers.reduce((sum, number) => sum + number, 0);
  return { isRight, cause: total !== null && total === own ? "not found" : "unclear" };
}
