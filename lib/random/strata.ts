import { shuffle } from "./draws.ts";
import { stream } from "./stream.ts";

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
