/** Options for {@linkcode ranks}. */
export interface RanksOptions {
  /** The group of each value; values are ranked within their group. One group unless given. */
  readonly groups?: readonly string[];
}

// Averages of the same printed scores can differ in their last digits.
const SAME = 1e-9;

/**
 * Ranks values from the highest, before any rounding, as RULER ranks its models: aligned and base models apart.
 *
 * @param values The values; `null` is not ranked.
 * @param options The groups.
 * @returns The rank of each value, from 1; equal values share the better rank, and `null` stays `null`.
 * @throws {RangeError} If there are not as many groups as values.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(ranks([88.98, 89.0, null, 89.0]), [3, 1, null, 1]);
 * ```
 */
export function ranks(values: readonly (number | null)[], options: RanksOptions = {}): readonly (number | null)[] {
  const { groups = values.map(() => "") } = options;
  if (groups.length !== values.length) {
    throw new RangeError(
      `Cannot rank values as groups must be ${values.length}, one a value: current value is ${groups.length}`,
    );
  }
  return values.map((value, place) => {
    if (value === null) return null;
    const higher = values.filter((other, at) => other !== null && groups[at] === groups[place] && other > value + SAME);
    return higher.length + 1;
  });
}
