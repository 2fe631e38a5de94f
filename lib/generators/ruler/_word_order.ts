import type { Draw } from "@/lib/random/mod.ts";

/** Words, told by numbers, that each stand in a list so many times. */
export interface WordGroup {
  readonly words: readonly number[];
  /** How often each of the words stands in the list, from 0. */
  readonly count: number;
}

/** A random order of the words of a list. */
export interface WordOrder {
  readonly first: number;
  readonly last: number;
  /** Gives the whole order; to be called at most once. */
  all(): Int32Array;
}

/** Counts the places of a list. */
export function countPlaces(groups: readonly WordGroup[]): number {
  return groups.reduce((sum, { words, count }) => sum + words.length * count, 0);
}

/**
 * Puts the words of a list in random order, each order equally likely (Fisher and Yates, from the ends inwards).
 *
 * The two ends are drawn first, as they are all that the tokens of the list depend on; the rest waits until it is wanted.
 *
 * @param groups What stands in the list; at least two places together.
 */
export function orderWords(groups: readonly WordGroup[], draw: Draw): WordOrder {
  const total = countPlaces(groups);
  const lastFrom = Math.floor(draw() * total);
  const firstFrom = Math.floor(draw() * (total - 1));
  return {
    last: wordAt(groups, lastFrom),
    // What stood last has moved to the place that the last one was taken from.
    first: wordAt(groups, firstFrom === lastFrom ? total - 1 : firstFrom),
    all(): Int32Array {
      const order = repeatEach(groups, total);
      swap(order, lastFrom, total - 1);
      swap(order, firstFrom, 0);
      for (let end = total - 2; end > 1; end--) swap(order, 1 + Math.floor(draw() * end), end);
      return order;
    },
  };
}

/** Finds what stands at a place of the unordered list. */
function wordAt(groups: readonly WordGroup[], place: number): number {
  let start = 0;
  for (const { words, count } of groups) {
    const end = start + words.length * count;
    if (place < end) return words[Math.floor((place - start) / count)]!;
    start = end;
  }
  throw new RangeError(`Cannot find a word as its place must be below ${start}: current value is ${place}`);
}

function repeatEach(groups: readonly WordGroup[], total: number): Int32Array {
  const order = new Int32Array(total);
  let place = 0;
  for (const { words, count } of groups) {
    for (const word of words) {
      order.fill(word, place, place + count);
      place += count;
    }
  }
  return order;
}

function swap(order: Int32Array, left: number, right: number): void {
  const kept = order[left]!;
  order[left] = order[right]!;
  order[right] = kept;
}
