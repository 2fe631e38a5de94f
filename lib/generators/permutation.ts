import { stream } from "@/lib/random/mod.ts";

const ROUNDS = 4;

/**
 * Puts the numbers below a bound in random order, any place of which is told without the others.
 *
 * A Feistel network (Luby and Rackoff 1988) is a permutation whatever its round function; where it leads out of the range
 * it is walked on until it leads back in (Black and Rogaway 2002), which keeps it one.
 *
 * @param path Names of the order; each path gives another.
 * @param size How many numbers there are, at least 1.
 * @returns A function from a place in [0, `size`) to the number there.
 */
export function permutation(
  path: readonly (string | number)[],
  size: number,
): (place: number) => number {
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
