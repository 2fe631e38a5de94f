import { shuffle } from "./draws.ts";
import { stream } from "./stream.ts";

/**
 * Spreads points evenly over the unit cube, so that any run of them covers it well.
 *
 * This is the additive recurrence with the generalised golden ratio (Roberts 2018, "The unreasonable effectiveness of
 * quasirandom sequences"). Needle depths come from it: for any number of samples, each target's depth is spread over
 * the context, and point `index` needs no earlier point.
 *
 * @param path Names of the sequence; each path shifts it differently.
 * @param options `index`, the number of the point from 0, and `dimensions`, how many coordinates it has, at least 1.
 * @returns The coordinates of the point, each in [0, 1).
 *
 * @example Ten points of one dimension fall into ten different tenths, give or take one
 * ```ts
 * import { ok } from "node:assert/strict";
 *
 * const tenths = Array.from({ length: 10 }, (_, index) => Math.floor(10 * spread(["a"], { index, dimensions: 1 })[0]!));
 * ok(new Set(tenths).size >= 8);
 * ```
 */
export function spread(
  path: readonly (string | number)[],
  options: { readonly index: number; readonly dimensions: number },
): number[] {
  const { index, dimensions } = options;
  const draw = stream(...path, "spread", dimensions);
  const ratio = goldenRatio(dimensions);
  return Array.from({ length: dimensions }, (_, axis) => {
    const shift = draw();
    const step = ratio ** -(axis + 1);
    return (shift + (index + 1) * step) % 1;
  });
}

/** The root above 1 of x^(d+1) = x + 1; the golden ratio for one dimension. */
function goldenRatio(dimensions: number): number {
  let ratio = 2;
  for (let round = 0; round < 60; round++) {
    ratio = (1 + ratio) ** (1 / (dimensions + 1));
  }
  return ratio;
}

/** Parts that each axis is cut into, twice over: fifths, and fifths of fifths. */
const PARTS = 5;

/**
 * Draws points whose coordinates are independent of one another, each spread evenly over the points.
 *
 * Latin hypercube sampling (McKay, Beckman and Conover 1979), nested: of any 5 points that follow a multiple of 5, each
 * coordinate falls once into each fifth; of any 25 that follow a multiple of 25, once into each twenty-fifth. Where
 * {@linkcode spread} covers a space of few dimensions more evenly, this one keeps hundreds of coordinates independent.
 *
 * @param path Names of the sequence; each path gives another one.
 * @param options `index`, the number of the point from 0, and `dimensions`, how many coordinates it has.
 * @returns The coordinates of the point, each in [0, 1).
 *
 * @example Five points, five fifths
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const fifths = Array.from({ length: 5 }, (_, index) => Math.floor(5 * strata(["a"], { index, dimensions: 40 })[17]!));
 * equal(new Set(fifths).size, 5);
 * ```
 */
export function strata(
  path: readonly (string | number)[],
  options: { readonly index: number; readonly dimensions: number },
): number[] {
  const { index, dimensions } = options;
  const block = Math.floor(index / PARTS ** 2);
  const round = Math.floor(index / PARTS) % PARTS;
  const orders = stream(...path, "strata", block);
  const jitter = stream(...path, "strata", block, index);
  return Array.from({ length: dimensions }, () => {
    const coarse = drawOrders(orders)[round]![index % PARTS]!;
    const fine = drawOrders(orders)[coarse]![round]!;
    return (coarse + (fine + jitter()) / PARTS) / PARTS;
  });
}

function drawOrders(draw: () => number): number[][] {
  return Array.from({ length: PARTS }, () => shuffle(draw, [0, 1, 2, 3, 4]));
}
