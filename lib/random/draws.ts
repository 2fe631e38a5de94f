import { type Draw, stream } from "./stream.ts";

/** Draws a whole number from `low` to `high`, both included, each equally likely. */
export function integer(draw: Draw, range: { readonly low: number; readonly high: number }): number {
  const { low, high } = range;
  if (!(high >= low)) {
    throw new RangeError(`Cannot draw a number as high must be at least low (${low}): current value is ${high}`);
  }
  return low + Math.floor(draw() * (high - low + 1));
}

/**
 * Draws one item of a list, each equally likely; an empty list is refused.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { stream } from "@/lib/random/mod.ts";
 *
 * equal(pick(stream("a"), ["only"]), "only");
 * ```
 */
export function pick<T>(draw: Draw, items: readonly T[]): T {
  return items[placeIn(draw, items)]!;
}

/** Draws the place of one item of a list, each equally likely; an empty list is refused. */
export function placeIn(draw: Draw, items: readonly unknown[]): number {
  if (items.length === 0) {
    throw new RangeError("Cannot pick an item as the list must hold at least one: current value is 0");
  }
  return Math.floor(draw() * items.length);
}

/**
 * Returns the items in random order, each order equally likely (Fisher and Yates).
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { stream } from "@/lib/random/mod.ts";
 *
 * deepEqual(shuffle(stream("a"), [1, 2, 3]).sort(), [1, 2, 3]);
 * ```
 */
export function shuffle<T>(draw: Draw, items: readonly T[]): T[] {
  const shuffled = items.slice();
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(draw() * (last + 1));
    const kept = shuffled[last]!;
    shuffled[last] = shuffled[other]!;
    shuffled[other] = kept;
  }
  return shuffled;
}

/** Draws a version 4 UUID (RFC 9562), such as `9b2c1e0e-1d2f-4c3a-8b4d-5e6f708192a3`. */
export function uuid(draw: Draw): string {
  const variant = 8 + Math.floor(draw() * 4);
  const bits = (count: number): number => Math.floor(draw() * 2 ** count);
  const first = bits(32);
  const [second, third, fourth] = [bits(16), 0x4000 | bits(12), (variant << 12) | bits(12)];
  const last = bits(48);
  const high = Math.floor(last / 2 ** 32);
  return `${hex(first >>> 16)}${hex(first & 0xffff)}-${hex(second)}-${hex(third)}-${hex(fourth)}-` +
    `${hex(high)}${hex((last >>> 16) & 0xffff)}${hex(last & 0xffff)}`;
}

/** Writes 16 bits in four digits. */
function hex(bits: number): string {
  return HEX[bits >> 8]! + HEX[bits & 255]!;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const ROUNDS = 4;

/**
 * Puts the numbers below `size` in random order, and returns a function from a place to the number there. Each place is
 * computed without the others.
 *
 * A Feistel network (Luby and Rackoff 1988) is a permutation whatever its round function; out-of-range values are
 * mapped again until they fall inside (cycle walking, Black and Rogaway 2002).
 */
export function permutation(path: readonly (string | number)[], size: number): (place: number) => number {
  const draw = stream(...path, "permutation", size);
  const keys = Array.from({ length: ROUNDS }, () => (draw() * 2 ** 32) >>> 0);
  let bits = 1;
  while (4 ** bits < size) bits++;
  const mask = 2 ** bits - 1;
  const step = (place: number): number => {
    let left = place >>> bits;
    let right = place & mask;
    for (const key of keys) {
      [left, right] = [right, left ^ (scramble(right ^ key) & mask)];
    }
    return ((left << bits) | right) >>> 0;
  };
  return (place) => {
    let number = step(place);
    while (number >= size) number = step(number);
    return number;
  };
}

/** Mixes 32 bits so that each depends on all (the finalizer of MurmurHash3). */
function scramble(bits: number): number {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
