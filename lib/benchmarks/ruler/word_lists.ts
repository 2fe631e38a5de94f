import type { Draw } from "@/lib/random/mod.ts";
import { measure, type Measured, type Tokenizer } from "@/lib/text/mod.ts";

/** Words, told by numbers, that each stand in a list so many times. */
export interface WordGroup {
  readonly words: readonly number[];
  /** How often each of the words stands in the list, from 0. */
  readonly count: number;
}

/** A list of words as it stands in a prompt, its tokens counted word by word. */
interface WordList {
  /** The text before the first space after its first character. */
  readonly head: string;
  /** The last word with the space before it. */
  readonly tail: string;
  /** The tokens between those two. */
  readonly inner: number;
  /** Writes the whole list; called when the text is wanted, and at most once. */
  readonly write: () => string;
}

/**
 * Measures a list of words from the counts of its words: a space before a word is a safe cut, so counts add up, and the
 * thousands of words of a list need neither be joined nor encoded to be counted.
 */
export function measureWords(list: WordList, tokenizer: Tokenizer): Measured {
  const { head, tail, inner, write } = list;
  // A tokenizer with tokens that reach over a space has to see the text.
  if (!tokenizer.isCut("a b", 1)) return measure(write(), tokenizer);
  let text: string | undefined;
  return {
    head,
    tail,
    inner,
    get text(): string {
      return text ??= write();
    },
  };
}

/** Counts the tokens of numbered texts, such as the words of a list, each once and only when asked. */
export function countOnce(
  textOf: (number: number) => string,
  { size, tokenizer }: { readonly size: number; readonly tokenizer: Tokenizer },
): (number: number) => number {
  const known = new Uint16Array(size);
  return (number) => known[number] ||= tokenizer.countAfterCut(textOf(number));
}

/** Adds up the tokens of the first numbers of a list (` 1.`, ` 2.` and so on), each counted once. */
export function sumNumberTokens(tokenizer: Tokenizer): (upTo: number) => number {
  const sums = [0];
  return (upTo) => {
    for (let number = sums.length; number <= upTo; number++) {
      sums.push(sums[number - 1]! + tokenizer.countAfterCut(` ${number}.`));
    }
    return sums[upTo]!;
  };
}

/** Adds up the tokens of a list's words. */
export function sumTokens(groups: readonly WordGroup[], tokensOf: (word: number) => number): number {
  let tokens = 0;
  for (const { words, count } of groups) {
    let once = 0;
    for (const word of words) once += tokensOf(word);
    tokens += count * once;
  }
  return tokens;
}

/** Counts the places of a list. */
export function countPlaces(groups: readonly WordGroup[]): number {
  return groups.reduce((sum, { words, count }) => sum + words.length * count, 0);
}

/** A random order of the words of a list. */
interface WordOrder {
  readonly first: number;
  readonly last: number;
  /** Gives the whole order; to be called at most once. */
  all(): Int32Array;
}

/**
 * Puts the words of a list in random order, each order equally likely (Fisher and Yates, from the ends inwards).
 *
 * The two ends are drawn first, as they are all that the tokens of the list depend on; the rest waits until it is wanted.
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
