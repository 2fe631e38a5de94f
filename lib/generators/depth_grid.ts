/** How depths are spaced: evenly, or densely at both ends and widely in the middle. */
export type DepthSpacing = "linear" | "sigmoid";

/** Options for {@linkcode depthGrid}. */
export interface DepthGridOptions {
  /** How many depths there are. Range: 1 to 1,000; one alone is 0. */
  readonly points: number;
  /**
   * How they are spaced.
   *
   * - `linear` (default): evenly from 0 to 100;
   * - `sigmoid`: the even points x moved to 100 / (1 + e^(−0.1 (x − 50))), to three decimals.
   */
  readonly spacing?: DepthSpacing;
  /**
   * Whether the sigmoid's first and last point are moved to 0 and 100, as in the Needle In A Haystack test; OpenCompass leaves
   * them at 0.669 and 99.331.
   *
   * @default {true}
   */
  readonly pinned?: boolean;
  /** How depths become whole percents: `floor` as OpenCompass does, `round` as Needle In A Haystack does; not at all if left out. */
  readonly whole?: "floor" | "round";
}

/**
 * Lists the depths at which a needle test plants its needle, in percent of the context, from the start down.
 *
 * Kamradt's Needle In A Haystack test (2023) and OpenCompass's CDME. In the first the sign in the exponent is applied twice, so
 * that its depths come in falling order; the set is the same.
 *
 * @param options How many depths, and how they are spaced.
 * @returns The depths in percent, in [0, 100], never falling.
 * @throws {RangeError} If `points` is not a whole number in range, or there is no such spacing.
 *
 * @example Twenty depths as OpenCompass spaces them, and the middle of a sigmoid
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(depthGrid({ points: 20, whole: "floor" }).slice(0, 5), [0, 5, 10, 15, 21]);
 * deepEqual(depthGrid({ points: 35, spacing: "sigmoid" }).slice(16, 19), [42.7, 50, 57.3]);
 * ```
 */
export function depthGrid(options: DepthGridOptions): number[] {
  const { points, spacing = "linear", pinned = true, whole } = options;
  if (!Number.isInteger(points) || points < 1 || points > 1000) {
    throw new RangeError(
      `Cannot make a grid of depths as points must be a whole number in [1, 1,000]: current value is ${points}`,
    );
  }
  if (spacing !== "linear" && spacing !== "sigmoid") {
    throw new RangeError(
      `Cannot make a grid of depths as spacing must be "linear" or "sigmoid": current value is "${spacing}"`,
    );
  }
  const even = spaceEvenly(points);
  const spaced = spacing === "linear" ? even : even.map((depth) => bend(depth, pinned));
  if (whole === undefined) return spaced;
  return spaced.map((depth) => whole === "floor" ? Math.floor(depth) : roundToEven(depth));
}

/** numpy's `linspace(0, 100, points)`, to the bit: a multiple of the step, and the end itself. */
function spaceEvenly(points: number): number[] {
  const step = points === 1 ? 0 : 100 / (points - 1);
  return Array.from({ length: points }, (_, at) => at > 0 && at === points - 1 ? 100 : at * step);
}

function bend(depth: number, pinned: boolean): number {
  if (pinned && (depth === 0 || depth === 100)) return depth;
  return Number((100 / (1 + Math.exp(-0.1 * (depth - 50)))).toFixed(3));
}

/** Rounds as Python and numpy do: a half goes to the even number. */
function roundToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

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
