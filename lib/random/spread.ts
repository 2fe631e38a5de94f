import { type Draw, shuffle, stream } from "./draws.ts";

/**
 * Gives point `index` of a sequence that covers the unit cube evenly, however many points are used. No earlier point is
 * needed.
 *
 * The additive recurrence with the generalised golden ratio (Roberts 2018, "The unreasonable effectiveness of
 * quasirandom sequences"). Each path shifts it differently.
 *
 * @example Ten points fall into at least eight different tenths
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
  return openSpread(path, dimensions)(index);
}

/** Opens the sequence of {@linkcode spread} for a path, whose points then take a fraction of the time. */
export function openSpread(
  path: readonly (string | number)[],
  dimensions: number,
): (index: number) => number[] {
  const draw = stream(...path, "spread", dimensions);
  const ratio = goldenRatio(dimensions);
  const axes = Array.from({ length: dimensions }, (_, axis) => ({ shift: draw(), step: ratio ** -(axis + 1) }));
  return (index) => axes.map(({ shift, step }) => (shift + (index + 1) * step) % 1);
}

/** Returns the depths of a sample's facts in [0, 1]; over the samples of a path, the depths of each fact are spread evenly. */
export function spreadDepths(
  path: readonly (string | number)[],
  { index, count, remember }: {
    readonly index: number;
    readonly count: number;
    /** Keeps what is made once for all samples, by a key. */
    readonly remember: <Made>(key: string, make: () => Made) => Made;
  },
): number[] {
  return remember(`depths/${JSON.stringify([...path, count])}`, () => openSpread(path, count))(index);
}

/** The root above 1 of x^(d+1) = x + 1; the golden ratio for one dimension. */
function goldenRatio(dimensions: number): number {
  let ratio = 2;
  for (let step = 0; step < 60; step++) {
    const next = (1 + ratio) ** (1 / (dimensions + 1));
    if (next === ratio) break;
    ratio = next;
  }
  return ratio;
}

/** Each axis is cut into fifths, and each fifth into fifths. */
const PARTS = 5;

/**
 * Gives point `index` of a sequence whose coordinates are independent of one another, each spread evenly over the points.
 *
 * Nested Latin hypercube sampling (McKay, Beckman and Conover 1979): in each block of 5 points every coordinate falls once
 * into each fifth, in each block of 25 once into each twenty-fifth. {@linkcode spread} covers a few dimensions more evenly;
 * this one keeps hundreds of coordinates independent.
 */
export function strata(
  path: readonly (string | number)[],
  options: { readonly index: number; readonly dimensions: number },
): number[] {
  const { index, dimensions } = options;
  const block = Math.floor(index / PARTS ** 2);
  const row = Math.floor(index / PARTS) % PARTS;
  const orders = stream(...path, "strata", block);
  const jitter = stream(...path, "strata", block, index);
  return Array.from({ length: dimensions }, () => {
    const coarse = drawOrders(orders)[row]![index % PARTS]!;
    const fine = drawOrders(orders)[coarse]![row]!;
    return (coarse + (fine + jitter()) / PARTS) / PARTS;
  });
}

function drawOrders(draw: Draw): number[][] {
  return Array.from({ length: PARTS }, () => shuffle(draw, [0, 1, 2, 3, 4]));
}
