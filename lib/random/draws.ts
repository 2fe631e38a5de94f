import { createHash } from "node:crypto";
// @ts-types="npm:@types/seedrandom@3.0.8"
import seedrandom from "seedrandom";

/** Returns the next number of a seeded stream, in [0, 1). */
export type Draw = () => number;

/**
 * Opens the random stream of a path, such as seed, task and sample index.
 *
 * Streams of different paths are independent, so sample 17 needs no samples before it. Numbers have 52 bits; within a
 * stream the order of the draws matters. They are those of seedrandom (ARC4).
 *
 * @example The same path gives the same numbers
 * ```ts
 * import { equal, notEqual } from "node:assert/strict";
 *
 * equal(stream("42", "vt", 17)(), stream("42", "vt", 17)());
 * notEqual(stream("42", "vt", 17)(), stream("42", "vt", 18)());
 * ```
 */
export function stream(...path: readonly (string | number)[]): Draw {
  // JSON keeps ("a", "b") and ("a,b") apart. Subtle: ARC4's first numbers agree for similar keys; the hash makes them dissimilar.
  return seedrandom(createHash("sha256").update(JSON.stringify(path)).digest("hex"));
}

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

/** Returns a function that gives items by number, from 0; each is drawn once, after all those before it. */
export function drawInTurn<T>(draw: (number: number) => T): (number: number) => T {
  const drawn: T[] = [];
  return (number) => {
    while (drawn.length <= number) drawn.push(draw(drawn.length));
    return drawn[number]!;
  };
}

/** Draws a version 4 UUID (RFC 9562), such as `9b2c1e0e-1d2f-4c3a-8b4d-5e6f708192a3`. */
export function uuid(draw: Draw): string {
  const bytes = new Uint8Array(UUID_LENGTH);
  writeUuid(draw, bytes, 0);
  return new TextDecoder().decode(bytes);
}

/** The characters of a UUID. */
export const UUID_LENGTH = 36;

/** Draws a UUID as {@linkcode uuid} does and writes it in ASCII from a place on. */
export function writeUuid(draw: Draw, bytes: Uint8Array, at: number): void {
  const variant = 8 + Math.floor(draw() * 4);
  writeHex(Math.floor(draw() * 2 ** 32), bytes, at, at + 8);
  writeHex(Math.floor(draw() * 2 ** 16), bytes, at + 9, at + 13);
  writeHex(0x4000 | Math.floor(draw() * 2 ** 12), bytes, at + 14, at + 18);
  writeHex((variant << 12) | Math.floor(draw() * 2 ** 12), bytes, at + 19, at + 23);
  const last = Math.floor(draw() * 2 ** 48);
  writeHex(Math.floor(last / 2 ** 32), bytes, at + 24, at + 28);
  writeHex(last, bytes, at + 28, at + 36);
  bytes[at + 8] =
    bytes[at + 13] =
    bytes[at + 18] =
    bytes[at + 23] =
      HYPHEN;
}

/** Writes the last bits of a whole number, four for each place from `from` up to, not including, `to`. */
function writeHex(number: number, bytes: Uint8Array, from: number, to: number): void {
  let bits = number | 0;
  for (let at = to - 1; at >= from; at--) {
    bytes[at] = DIGITS[bits & 15]!;
    bits >>>= 4;
  }
}

const HYPHEN = 0x2d;
const DIGITS: Uint8Array = new TextEncoder().encode("0123456789abcdef");

/**
 * Puts the numbers below `size` in random order, and returns a function from a place to the number there. Each place is
 * computed without the others.
 *
 * A Feistel network (Luby and Rackoff 1988) is a permutation whatever its round function; out-of-range values are
 * mapped again until they fall inside (cycle walking, Black and Rogaway 2002).
 */
export function permutation(path: readonly (string | number)[], size: number): (place: number) => number {
  const draw = stream(...path, "permutation", size);
  const key = (): number => (draw() * 2 ** 32) >>> 0;
  const [first, second, third, fourth] = [key(), key(), key(), key()];
  let bits = 1;
  while (4 ** bits < size) bits++;
  const mask = 2 ** bits - 1;
  return (place) => {
    let number = place;
    do {
      let [left, right] = [number >>> bits, number & mask];
      left ^= scramble(right ^ first) & mask;
      right ^= scramble(left ^ second) & mask;
      left ^= scramble(right ^ third) & mask;
      right ^= scramble(left ^ fourth) & mask;
      number = ((left << bits) | right) >>> 0;
    } while (number >= size);
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
