import { createHash } from "node:crypto";

/** Returns the next number of a seeded stream, in [0, 1). */
export type Draw = () => number;

/**
 * Opens the random stream of a path, such as seed, task and sample index.
 *
 * Streams of different paths are independent, so sample 17 needs no samples before it. Numbers have 52 bits; within a
 * stream the order of the draws matters. They are those of seedrandom, whose generator is opened here without its detours, as
 * each document has its own stream.
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

/** The numbers of seedrandom 3 for a key of 64 characters below 256. */
function keyedStream(key: string): Draw {
  const source = new KeyedBytes(key);
  return () => {
    const high = source.take(3);
    const low = source.take(4);
    // Of these 56 bits the first one that is set and the 52 after it are kept, and no bits are added.
    if (high >= 2 ** 20) return high / 2 ** 24 + ((low & ~(7 >>> (Math.clz32(high) - 8))) >>> 0) / 2 ** 56;
    // Bytes are added at the end until the number has 52 bits, and bits that are too many cut off.
    let [number, range, last] = [(high * 2 ** 24 + (low >>> 8)) * 256, 2 ** 56, low & 255];
    while (number < 2 ** 52) {
      number = (number + last) * 256;
      range *= 256;
      last = source.take(1);
    }
    while (number >= 2 ** 53) {
      number /= 2;
      range /= 2;
      last >>>= 1;
    }
    return (number + last) / range;
  };
}

/** The bytes of ARC4 for a key, whose first 256 are dropped. */
class KeyedBytes {
  readonly #state: number[] = IN_ORDER.slice();
  #place = 0;
  #other = 0;

  constructor(key: string) {
    const state = this.#state;
    let other = 0;
    for (let place = 0; place < 256; place++) {
      const kept = state[place]!;
      other = (other + key.charCodeAt(place % KEY_LENGTH) + kept) & 255;
      state[place] = state[other]!;
      state[other] = kept;
    }
    this.take(256);
  }

  /** Consumes the given number of bytes; returns the last four as 32 bits. */
  take(count: number): number {
    const state = this.#state;
    let place = this.#place;
    let other = this.#other;
    let bits = 0;
    for (let taken = 0; taken < count; taken++) {
      place = (place + 1) & 255;
      const one = state[place]!;
      other = (other + one) & 255;
      const two = state[other]!;
      state[place] = two;
      state[other] = one;
      bits = (bits << 8) | state[(one + two) & 255]!;
    }
    this.#place = place;
    this.#other = other;
    return bits;
  }
}

/** A SHA-256 in hexadecimal. */
const KEY_LENGTH = 64;
const IN_ORDER: readonly number[] = Array.from({ length: 256 }, (_, place) => place);
