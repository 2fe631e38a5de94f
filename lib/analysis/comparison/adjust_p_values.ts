/**
 * How p-values are corrected for the number of comparisons:
 *
 * - *holm*: the chance that any of them is called a difference without there being one is at most the level (Holm 1979,
 *   "A simple sequentially rejective multiple test procedure"), however they depend on each other.
 * - *benjamini-hochberg*: of those that are called differences, the share without one is expected to be at most the level
 *   (Benjamini and Hochberg 1995, "Controlling the false discovery rate"); it finds more.
 * - *none*: each for itself.
 */
export type Correction = "holm" | "benjamini-hochberg" | "none";

/**
 * Corrects p-values for the number of comparisons shown, so that each can be held against one level.
 *
 * @param values The p-values; `null` where there is none, which is no comparison and stays `null`.
 * @param correction How.
 * @returns The adjusted values in the same order, each in [0, 1].
 * @throws {RangeError} If a p-value is outside [0, 1].
 *
 * @example Three comparisons: the least value counts threefold
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(adjustPValues([0.5, 0.01, null, 0.04], "holm"), [0.5, 0.03, null, 0.08]);
 * ```
 */
export function adjustPValues(
  values: readonly (number | null)[],
  correction: Correction = "holm",
): readonly (number | null)[] {
  const wrong = values.find((value) => value !== null && !(value >= 0 && value <= 1));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot adjust p-values as each must be in [0, 1]: current value is ${wrong}`);
  }
  if (correction === "none") return [...values];
  const order = values.flatMap((value, place) => value === null ? [] : [{ value, place }])
    .sort((left, right) => left.value - right.value);
  const count = order.length;
  const adjusted: (number | null)[] = values.map(() => null);
  let bound = correction === "holm" ? 0 : 1;
  // Holm goes from the least value up, Benjamini and Hochberg from the greatest down; neither may change the order.
  for (const rank of correction === "holm" ? order.keys() : [...order.keys()].reverse()) {
    const { value, place } = order[rank]!;
    bound = correction === "holm"
      ? Math.max(bound, Math.min(1, (count - rank) * value))
      : Math.min(bound, (count / (rank + 1)) * value);
    adjusted[place] = bound;
  }
  return adjusted;
}
