import type { Materials } from "./sample.ts";
import { openSpread } from "@/lib/random/mod.ts";

/** How depths are spaced: evenly, or densely at both ends. */
export type DepthSpacing = "linear" | "sigmoid";

/** Options for {@linkcode depthGrid}. */
export interface DepthGridOptions {
  /** The number of depths, from 1 to 1,000; a single one is 0. */
  readonly points: number;
  /**
   * The spacing: `linear` (default) is even from 0 to 100; with `sigmoid`, each even point x becomes
   * 100 / (1 + e^(−0.1 (x − 50))), to three decimals.
   */
  readonly spacing?: DepthSpacing;
  /**
   * Whether the ends of the sigmoid are moved to 0 and 100 (default), as in the Needle In A Haystack test. OpenCompass leaves them
   * at 0.669 and 99.331.
   */
  readonly pinned?: boolean;
  /** The rounding to whole percents: `floor` as in OpenCompass, `round` as in Needle In A Haystack; none by default. */
  readonly whole?: "floor" | "round";
}

/**
 * Returns the depths of a needle test in percent of the context, in ascending order.
 *
 * Kamradt's Needle In A Haystack test (2023) and OpenCompass's CDME. Kamradt's code applies the sign in the exponent twice, so
 * its depths descend; the set is the same.
 */
export function depthGrid(options: DepthGridOptions): number[] {
  const { points, spacing = "linear", pinned = true, whole } = options;
  checkPoints(points);
  if (spacing !== "linear" && spacing !== "sigmoid") {
    throw new RangeError(
      `Cannot make a grid of depths as spacing must be "linear" or "sigmoid": current value is "${spacing}"`,
    );
  }
  const even = spaceEvenly(points);
  const spaced = spacing === "linear" ? even : even.map((depth) => toSigmoid(depth, pinned));
  if (whole === undefined) return spaced;
  return spaced.map((depth) => whole === "floor" ? Math.floor(depth) : roundToEven(depth));
}

function checkPoints(points: number): void {
  if (Number.isInteger(points) && points >= 1 && points <= 1000) return;
  throw new RangeError(
    `Cannot make a grid of depths as points must be a whole number in [1, 1,000]: current value is ${points}`,
  );
}

/** Returns numpy's `linspace(0, 100, points)`, to the bit: multiples of the step, and the end itself. */
function spaceEvenly(points: number): number[] {
  const step = points === 1 ? 0 : 100 / (points - 1);
  return Array.from({ length: points }, (_, at) => at > 0 && at === points - 1 ? 100 : at * step);
}

function toSigmoid(depth: number, pinned: boolean): number {
  if (pinned && (depth === 0 || depth === 100)) return depth;
  return Number((100 / (1 + Math.exp(-0.1 * (depth - 50)))).toFixed(3));
}

/** Rounds half to even, as Python and numpy do. */
function roundToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

/** The place of a sample in a grid of depths; each round has another text. */
export interface GridPlace {
  /** The number of its depth in the grid, from 0. */
  readonly place: number;
  /** The number of its round, from 0. A round visits every place once. */
  readonly round: number;
}

/**
 * Returns the place of sample `index` in a grid of `points` depths, in an order in which few samples already cover the grid.
 *
 * The order is van der Corput's sequence (1935): the middle, the quarters, the eighths, and so on. The biggest gap that the first
 * k samples of a round leave, ends included, is at most twice that of k even places, for any k; steps by the golden ratio and
 * farthest-first leave up to 3 times as much.
 *
 * @throws {RangeError} If `index` is not a whole number from 0, or `points` not one from 1 to 1,000.
 *
 * @example Eight samples of a grid of seven
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const places = Array.from({ length: 8 }, (_, index) => placeInGrid(index, 7).place);
 * deepEqual(places, [3, 1, 5, 0, 4, 2, 6, 3]);
 * ```
 */
export function placeInGrid(index: number, points: number): GridPlace {
  checkPoints(points);
  if (!Number.isInteger(index) || index < 0) {
    throw new RangeError(
      `Cannot find a sample's place as index must be a whole number from 0: current value is ${index}`,
    );
  }
  const shares = Array.from({ length: points }, (_, at) => mirrorBits(at + 1));
  const own = shares[index % points]!;
  return { place: shares.filter((share) => share < own).length, round: Math.floor(index / points) };
}

/** Mirrors the binary digits of a number at the point: 1 becomes 0.1, which is a half, 2 becomes 0.01, 3 becomes 0.11. */
function mirrorBits(number: number): number {
  const digits = [...number.toString(2)].toReversed().join("");
  return parseInt(digits, 2) / 2 ** digits.length;
}

/**
 * Returns the context lengths of a needle test in whole tokens, spaced evenly; a single one is the shortest.
 *
 * Kamradt's Needle In A Haystack test (2023) and Machlab and Battle (arXiv 2404.08865), who use 35 lengths over a model's whole
 * window but do not state the first.
 *
 * @throws {RangeError} If a number is outside its range.
 */
export function lengthGrid(
  options: { readonly from: number; readonly to: number; readonly points: number },
): number[] {
  const { from, to, points } = options;
  check("points", points, { low: 1, high: 1000 });
  check("from", from, { low: 1, high: 2_000_000 });
  check("to", to, { low: from + points - 1, high: 2_000_000 });
  const step = (to - from) / Math.max(1, points - 1);
  return Array.from({ length: points }, (_, at) => Math.round(from + at * step));
}

function check(name: string, value: number, { low, high }: { readonly low: number; readonly high: number }): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new RangeError(
    `Cannot make a grid of lengths as ${name} must be a whole number from ${low} to ${high}: current value is ${value}`,
  );
}

/** Returns the depths of a sample's facts; over the samples of a path, the depths of each fact are spread evenly. */
export function spreadDepths(
  path: readonly (string | number)[],
  { index, count, remember }: { readonly index: number; readonly count: number } & Pick<Materials, "remember">,
): number[] {
  return remember(`depths/${JSON.stringify([...path, count])}`, () => openSpread(path, count))(index);
}
