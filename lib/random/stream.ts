import { createHash } from "node:crypto";

/** Returns the next number of a seeded stream, in [0, 1). */
export type Draw = () => number;

/**
 * Opens the random stream of a path, such as seed, task and sample index.
 *
 * Streams of different paths are independent, so sample 17 needs no samples before it. Numbers have 52 bits; within a
 * stream the order of the draws matters. They are those of seedrandom, whose generator is opened here without its detours, as
 * each document has a stream of its own.
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
  return keyedStream(createHash("sha256").update(JSON.stringify(path)).digest("hex"));
}

/** The numbers of seedrandom 3 for a key of 64 characters below 256: ARC4, whose first 256 bytes are dropped. */
function keyedStream(key: string): Draw {
  const state = IN_ORDER.slice();
  let other = 0;
  for (let place = 0; place < 256; place++) {
    const kept = state[place]!;
    other = (other + key.charCodeAt(place % KEY_LENGTH) + kept) & 255;
    state[place] = state[other]!;
    state[other] = kept;
  }
  let place = 0;
  other = 0;
  const nextByte = (): number => {
    place = (place + 1) & 255;
    const one = state[place]!;
    other = (other + one) & 255;
    const two = state[other]!;
    state[place] = two;
    state[other] = one;
    return state[(one + two) & 255]!;
  };
  for (let dropped = 0; dropped < 256; dropped++) nextByte();
  return () => {
    const high = (nextByte() << 16) | (nextByte() << 8) | nextByte();
    const low = (nextByte() << 16) | (nextByte() << 8) | nextByte();
    // Bytes are added at the end until the number has 52 bits, and bits that are too many cut off.
    let [number, range, last] = [high * 2 ** 24 + low, 2 ** 48, 0];
    while (number < 2 ** 52) {
      number = (number + last) * 256;
      range *= 256;
      last = nextByte();
    }
    while (number >= 2 ** 53) {
      number /= 2;
      range /= 2;
      last >>>= 1;
    }
    return (number + last) / range;
  };
}

/** A SHA-256 in hexadecimal. */
const KEY_LENGTH = 64;
const IN_ORDER: Uint8Array = Uint8Array.from({ length: 256 }, (_, place) => place);
