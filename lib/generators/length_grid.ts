/**
 * Lists the context lengths of a needle test, spaced evenly over a window.
 *
 * Kamradt's Needle In A Haystack test (2023) and Machlab and Battle (arXiv 2404.08865), who go through 35 lengths over a model's
 * whole window; where theirs begin is not said.
 *
 * @param options `from` and `to`, the first and the last length in tokens, in [1, 2,000,000]; `points`, how many there are, in
 *   [2, 1,000].
 * @returns The lengths in whole tokens, rising.
 * @throws {RangeError} If a number is not whole or outside its range, or lengths would meet.
 *
 * @example The default lengths of Needle In A Haystack
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(lengthGrid({ from: 1000, to: 16000, points: 35 }).slice(0, 3), [1000, 1441, 1882]);
 * ```
 */
export function lengthGrid(
  options: { readonly from: number; readonly to: number; readonly points: number },
): number[] {
  const { from, to, points } = options;
  check("points", points, { low: 2, high: 1000 });
  check("from", from, { low: 1, high: 2_000_000 });
  check("to", to, { low: from + points - 1, high: 2_000_000 });
  const step = (to - from) / (points - 1);
  return Array.from({ length: points }, (_, at) => Math.round(from + at * step));
}

function check(name: string, value: number, { low, high }: { readonly low: number; readonly high: number }): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new RangeError(
    `Cannot make a grid of lengths as ${name} must be a whole number from ${low} to ${high}: current value is ${value}`,
  );
}
