import { createHash } from "node:crypto";
// @ts-types="npm:@types/seedrandom@3.0.8"
import seedrandom from "seedrandom";

/** Returns the next number of a seeded stream, in [0, 1). */
export type Draw = () => number;

/**
 * Opens the stream of random numbers that belongs to a path of names.
 *
 * Streams of different paths are independent, so sample 17 can be drawn without drawing samples 0 to 16: put the index in
 * the path. Within a stream, draws depend on their order.
 *
 * @param path Names and numbers, from general to specific, such as the seed, the task and the sample's index.
 * @returns A function that gives the next number in [0, 1), with 52 bits.
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
  // JSON keeps ("a", "b") and ("a,b") apart. Subtle: seedrandom keys ARC4 with the characters as they are, modulo 256,
  // and ARC4's first numbers agree for similar keys; the hash makes keys dissimilar.
  const key = createHash("sha256").update(JSON.stringify(path)).digest("hex");
  const source = seedrandom(key);
  return () => source();
}
