import type { Fact, FactRole } from "@/lib/generators/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { measure, type Measured, type Tokenizer, writeLazily } from "@/lib/text/mod.ts";

/**
 * Measures a list by the counts of its words. A space before a word is a safe cut, so counts add up and the list is not encoded.
 *
 * @param list `head`: the text before the first space after its first character. `tail`: the last word with the space before it.
 *   `inner`: the number of tokens between them. `write`: writes the whole list; called at most once.
 */
export function measureWords(
  { head, tail, inner, write }: Pick<Measured, "head" | "tail" | "inner"> & { readonly write: () => string },
  tokenizer: Tokenizer,
): Measured {
  // A tokenizer whose tokens can span a space has to see the text.
  if (!tokenizer.isCut("a b", 1)) return measure(write(), tokenizer);
  return writeLazily(write, { head, tail, inner });
}

/** Returns a counter of numbered words; each is counted once, on demand, unless all counts are known. */
export function countOnce(
  textOf: (number: number) => string,
  { size, tokenizer, known = new Uint8Array(size) }: {
    readonly size: number;
    readonly tokenizer: Tokenizer;
    readonly known?: Uint8Array | undefined;
  },
): (number: number) => number {
  return (number) => known[number] ||= tokenizer.countAfterCut(textOf(number));
}

/** Returns the total tokens of the first of some numbered texts, from 1, each counted once. */
export function sumTokens(textOf: (number: number) => string, tokenizer: Tokenizer): (upTo: number) => number {
  const sums = [0];
  return (upTo) => {
    for (let number = sums.length; number <= upTo; number++) {
      sums.push(sums[number - 1]! + tokenizer.countAfterCut(textOf(number)));
    }
    return sums[upTo]!;
  };
}

/** Words with their counts. Running sums make each prefix of the list a list too. */
export class WordList {
  readonly words: number[] = [];
  readonly #places: number[] = [0];
  readonly #tokens: number[] = [0];

  /** Adds a word with its count, from 0, and its tokens. */
  add(word: number, count: number, tokens: number): void {
    const last = this.words.push(word) - 1;
    this.#places.push(this.#places[last]! + count);
    this.#tokens.push(this.#tokens[last]! + count * tokens);
  }

  places(size: number): number {
    return this.#places[size]!;
  }

  /** Returns the tokens of all occurrences of the first words. */
  tokens(size: number): number {
    return this.#tokens[size]!;
  }

  at(place: number): number {
    let [low, high] = [0, this.words.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#places[middle]! <= place) low = middle;
      else high = middle;
    }
    return this.words[low]!;
  }
}

/** A random order of the first words of a list. */
export interface WordOrder {
  readonly first: number;
  readonly last: number;
  all(): Int32Array;
}

export type OrderWords = (list: WordList, size: number) => WordOrder;

/** Keeps the words of a list, each once, in their order. */
export const wordsInTurn: OrderWords = ({ words }, size) => ({
  first: words[0]!,
  last: words[size - 1]!,
  all: () => Int32Array.from(words.slice(0, size)),
});

/**
 * Returns a function that shuffles the first words of a list uniformly (Fisher-Yates).
 *
 * The two ends are drawn first, as the list's token count depends on them alone; the rest is drawn when the text is written.
 */
export function orderWords(...path: readonly (string | number)[]): OrderWords {
  const draw = stream(...path);
  const [lastShare, firstShare] = [draw(), draw()];
  let unused: Draw | undefined = draw;
  const drawRest = (): Draw => {
    const rest = unused ?? stream(...path);
    if (unused === undefined) [rest(), rest()];
    unused = undefined;
    return rest;
  };
  return (list, size) => {
    const total = list.places(size);
    const lastFrom = Math.floor(lastShare * total);
    const firstFrom = Math.floor(firstShare * (total - 1));
    return {
      last: list.at(lastFrom),
      // The word that was last has moved to where the new last one came from.
      first: list.at(firstFrom === lastFrom ? total - 1 : firstFrom),
      all(): Int32Array {
        const rest = drawRest();
        const order = new Int32Array(total);
        for (let which = 0; which < size; which++) {
          order.fill(list.words[which]!, list.places(which), list.places(which + 1));
        }
        swap(order, lastFrom, total - 1);
        swap(order, firstFrom, 0);
        for (let end = total - 2; end > 1; end--) swap(order, 1 + Math.floor(rest() * end), end);
        return order;
      },
    };
  };
}

/**
 * Returns a function that draws the numbers below `size` without repeats, in the order of a Fisher-Yates shuffle. Only the moved
 * numbers are stored, as few of a large vocabulary are drawn.
 */
export function drawEachOnce(draw: Draw, size: number): () => number | undefined {
  const moved = new Map<number, number>();
  let drawn = 0;
  return () => {
    if (drawn >= size) return undefined;
    const place = drawn + Math.floor(draw() * (size - drawn));
    const number = moved.get(place) ?? place;
    moved.set(place, moved.get(drawn) ?? drawn);
    drawn++;
    return number;
  };
}

function swap(order: Int32Array, left: number, right: number): void {
  const kept = order[left]!;
  order[left] = order[right]!;
  order[right] = kept;
}

/** Writes texts in an order, each after its number (` 1. `, ` 2. `, …) if the list is `numbered`. */
export function writeInOrder(
  order: Int32Array,
  { textOf, numbered }: { readonly textOf: (number: number) => string; readonly numbered: boolean },
): string {
  let written = "";
  for (let place = 0; place < order.length; place++) {
    if (numbered) written += ` ${place + 1}. `;
    written += textOf(order[place]!);
  }
  return written;
}

/** Returns a word of a list as a fact without one place: its value is its count. */
export function wordFact(role: FactRole, word: string, count: number): Fact {
  return { role, text: word, key: word, value: String(count), depth: null, tokenOffset: null };
}
