import { checkWhole } from "./knob_values.ts";

/** How depths are spaced: evenly, or densely at both ends. */
export type DepthSpacing = "linear" | "sigmoid";

const GRID = { made: "a grid of depths", knob: "points", low: 1, high: 1000 } as const;

/**
 * Returns the depths of a needle test in percent of the context, in ascending order.
 *
 * Kamradt's Needle In A Haystack test (2023) and OpenCompass's CDME. Kamradt's code applies the sign in the exponent twice, so
 * its depths descend; the set is the same.
 *
 * @param options.points The number of depths, from 1 to 1,000; a single one is 0.
 * @param options.spacing `linear` (default) is even from 0 to 100; with `sigmoid`, each even point x becomes
 * 100 / (1 + e^(−0.1 (x − 50))), to three decimals.
 * @param options.pinned Whether the ends of the sigmoid are moved to 0 and 100 (default), as in the Needle In A Haystack test.
 * OpenCompass leaves them at 0.669 and 99.331.
 * @param options.whole Rounds down to whole percents, as OpenCompass does.
 */
export function depthGrid(options: {
  readonly points: number;
  readonly spacing?: DepthSpacing;
  readonly pinned?: boolean;
  readonly whole?: "floor";
}): number[] {
  const { points, spacing = "linear", pinned = true, whole } = options;
  checkWhole(points, GRID);
  // numpy's `linspace(0, 100, points)`, to the bit: multiples of the step, and the end itself.
  const step = points === 1 ? 0 : 100 / (points - 1);
  const even = Array.from({ length: points }, (_, at) => at > 0 && at === points - 1 ? 100 : at * step);
  const toSigmoid = (depth: number): number =>
    pinned && (depth === 0 || depth === 100) ? depth : Number((100 / (1 + Math.exp(-0.1 * (depth - 50)))).toFixed(3));
  const spaced = spacing === "linear" ? even : even.map(toSigmoid);
  return whole === undefined ? spaced : spaced.map(Math.floor);
}

/**
 * Returns the place of sample `index` in a grid of `points` depths, in an order in which few samples already cover the grid.
 *
 * The order is van der Corput's sequence (1935): the middle, the quarters, the eighths, and so on. The biggest gap that the first
 * k samples of a round leave, ends included, is at most twice that of k even places, for any k; steps by the golden ratio and
 * farthest-first leave up to 3 times as much.
 *
 * @returns Its depth in the grid and its round, both from 0. A round visits every place once.
 */
export function placeInGrid(index: number, points: number): { readonly place: number; readonly round: number } {
  checkWhole(points, GRID);
  checkWhole(index, { made: "a place in a grid", knob: "index", low: 0, high: Number.MAX_SAFE_INTEGER });
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
export function lengthGrid(options: { readonly from: number; readonly to: number; readonly points: number }): number[] {
  const { from, to, points } = options;
  const made = "a grid of lengths";
  checkWhole(points, { ...GRID, made });
  checkWhole(from, { made, knob: "from", low: 1, high: 2_000_000 });
  checkWhole(to, { made, knob: "to", low: from + points - 1, high: 2_000_000 });
  const step = (to - from) / Math.max(1, points - 1);
  return Array.from({ length: points }, (_, at) => Math.round(from + at * step));
}
