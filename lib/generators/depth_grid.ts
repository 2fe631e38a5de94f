import type { Materials } from "./sample.ts";
import { openSpread } from "@/lib/random/mod.ts";

/** How depths are spaced: evenly, or densely at both ends and widely in the middle. */
export type DepthSpacing = "linear" | "sigmoid";

/** Options for {@linkcode depthGrid}. */
export interface DepthGridOptions {
  /** How many depths, from 1 to 1,000; a single one is 0. */
  readonly points: number;
  /**
   * How they are spaced.
   *
   * - `linear` (default): evenly from 0 to 100;
   * - `sigmoid`: the even points x become 100 / (1 + e^(−0.1 (x − 50))), to three decimals.
   */
  readonly spacing?: DepthSpacing;
  /**
   * Whether the sigmoid's ends are moved to 0 and 100, as in the Needle In A Haystack test; OpenCompass leaves them at 0.669
   * and 99.331.
   *
   * @default {true}
   */
  readonly pinned?: boolean;
  /** How depths become whole percents: `floor` as in OpenCompass, `round` as in Needle In A Haystack; they stay as they are by default. */
  readonly whole?: "floor" | "round";
}

/**
 * Lists the depths of a needle test in percent of the context, rising from its start.
 *
 * Kamradt's Needle In A Haystack test (2023) and OpenCompass's CDME. Kamradt's code applies the sign in the exponent twice, so
 * its depths fall; the set is the same.
 *
 * @example Twenty depths of OpenCompass, and the middle of a sigmoid
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(depthGrid({ points: 20, whole: "floor" }).slice(0, 5), [0, 5, 10, 15, 21]);
 * deepEqual(depthGrid({ points: 35, spacing: "sigmoid" }).slice(16, 19), [42.7, 50, 57.3]);
 * ```
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

/** numpy's `linspace(0, 100, points)`, to the bit: a multiple of the step, and the end itself. */
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

/** Where a sample stands in a grid of depths, of which each round has another text. */
export interface GridPlace {
  /** The number of its depth in the grid, from 0. */
  readonly place: number;
  /** The number of its round, from 0: one more each time that every place has been visited. */
  readonly round: number;
}

/**
 * Finds the place of sample `index` in a grid of `points` depths, which the samples go round so that few of them already cover it.
 *
 * The places in the order of van der Corput's sequence (1935): the middle, the quarters, the eighths, and so on. The biggest gap
 * that the first k samples of a round leave, ends included, is at most twice that of k even places, for any k; steps by the
 * golden ratio and the farthest place first leave up to 3 times as much.
 *
 * @param index The number of the sample, a whole number from 0.
 * @param points How many depths the grid has, from 1 to 1,000.
 * @throws {RangeError} If one of them is outside its range.
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

/** Mirrors a number's binary digits at the point: 1 is 0.1, which is a half, 2 is 0.01, 3 is 0.11. */
function mirrorBits(number: number): number {
  const digits = [...number.toString(2)].toReversed().join("");
  return parseInt(digits, 2) / 2 ** digits.length;
}

/**
 * Lists the context lengths of a needle test in whole tokens, spaced evenly over a window; one alone is the shortest.
 *
 * Kamradt's Needle In A Haystack test (2023) and Machlab and Battle (arXiv 2404.08865), who use 35 lengths over a model's whole
 * window but do not say where they begin.
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

/** Spreads the depths of facts evenly over the samples of a path, each fact's apart from the others'. */
export function spreadDepths(
  path: readonly (string | number)[],
  { index, count, remember }: { readonly index: number; readonly count: number } & Pick<Materials, "remember">,
): number[] {
  return remember(`depths/${JSON.stringify([...path, count])}`, () => openSpread(path, count))(index);
}
