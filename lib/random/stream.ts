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
