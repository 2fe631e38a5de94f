/**
 * Tells how far two ways of parting the same things agree: the adjusted Rand index (Hubert and Arabie 1985, "Comparing
 * partitions"). It counts the pairs that both put together or both part, less what chance would give.
 *
 * @param first The group of each thing.
 * @param second The group of each thing by the other way, in the same order.
 * @returns 1 where they are the same, 0 on average for ways that have nothing to do with each other; it can be below 0.
 * Where chance itself would agree wholly (all in one group, or each alone, in both), it is 1.
 * @throws {RangeError} If there are not as many groups in both, or none.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(adjustedRand(["a", "a", "b", "b"], [0, 0, 1, 2]).toFixed(4), "0.5714");
 * equal(adjustedRand(["a", "a", "b", "b"], [7, 7, 3, 3]), 1);
 * ```
 */
export function adjustedRand(first: readonly (string | number)[], second: readonly (string | number)[]): number {
  if (first.length === 0 || first.length !== second.length) {
    throw new RangeError(
      `Cannot compare groups as both must have the same number of things, at least 1: current value is ${first.length} and ${second.length}`,
    );
  }
  const both = first.map((group, at) => JSON.stringify([group, second[at]]));
  const [together, inFirst, inSecond, all] = [pairsOf(both), pairsOf(first), pairsOf(second), choose2(first.length)];
  const expected = all === 0 ? 0 : (inFirst * inSecond) / all;
  const most = (inFirst + inSecond) / 2;
  return most === expected ? 1 : (together - expected) / (most - expected);
}

/** How many pairs of things share a group. */
function pairsOf(groups: readonly (string | number)[]): number {
  return [...Map.groupBy(groups, (group) => group).values()].reduce((sum, { length }) => sum + choose2(length), 0);
}

function choose2(count: number): number {
  return (count * (count - 1)) / 2;
}
