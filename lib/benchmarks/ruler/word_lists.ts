import type { Draw } from "@/lib/random/mod.ts";
import { measure, type Measured, type Tokenizer } from "@/lib/text/mod.ts";

/** Words of a list, by their numbers, that appear equally often. */
export interface WordGroup {
  readonly words: readonly number[];
  /** How often each word appears, from 0. */
  readonly count: number;
}

/** A list of words whose tokens were counted word by word. */
interface WordList {
  /** The text before the first space after its first character. */
  readonly head: string;
  /** The last word with the space before it. */
  readonly tail: string;
  /** The number of tokens between head and tail. */
  readonly inner: number;
  /** Writes the whole list; called at most once. */
  readonly write: () => string;
}

/**
 * Measures a list from the counts of its words: a space before a word is a safe cut, so counts add up, and a list of thousands
 * of words is counted without joining or encoding it.
 */
export function measureWords({ head, tail, inner, write }: WordList, tokenizer: Tokenizer): Measured {
  // A tokenizer whose tokens can span a space has to see the text.
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

/** Counts the tokens of numbered texts, each once and only when asked. */
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
  /** The whole order; call it at most once. */
  all(): Int32Array;
}

/**
 * Puts the words of a list in random order, each order equally likely (a Fisher-Yates shuffle).
 *
 * The two ends are drawn first, as the list's token count depends on them alone; the rest is drawn when the text is written.
 */
export function orderWords(groups: readonly WordGroup[], draw: Draw): WordOrder {
  const total = countPlaces(groups);
  const lastFrom = Math.floor(draw() * total);
  const firstFrom = Math.floor(draw() * (total - 1));
  return {
    last: wordAt(groups, lastFrom),
    // The word that was last has moved to where the new last one came from.
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

/** The word at a place of the unordered list. */
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
