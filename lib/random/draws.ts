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
  if (items.length === 0) {
    throw new RangeError("Cannot pick an item as the list must hold at least one: current value is 0");
  }
  return items[Math.floor(draw() * items.length)]!;
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
  const hex = (digits: number): string => Math.floor(draw() * 16 ** digits).toString(16).padStart(digits, "0");
  const variant = (8 + Math.floor(draw() * 4)).toString(16);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}

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
