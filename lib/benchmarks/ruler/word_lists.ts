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

/** Returns the total tokens of the first numbers of a list (` 1.`, ` 2.`, …), each counted once. */
export function sumNumberTokens(tokenizer: Tokenizer): (upTo: number) => number {
  const sums = [0];
  return (upTo) => {
    for (let number = sums.length; number <= upTo; number++) {
      sums.push(sums[number - 1]! + tokenizer.countAfterCut(` ${number}.`));
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

  /** Returns the number of places of the first words. */
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
  /** The whole order. */
  all(): Int32Array;
}

/** Orders the first words of a list. */
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

/** Texts as lazy rows of UTF-8, as few words of a large vocabulary are needed. */
export class TextRows {
  /** The bytes of a row; a shorter text is padded with zeros. */
  width: number;
  bytes: Uint8Array;
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    // Enough for ASCII.
    this.width = texts.reduce((most, { length }) => Math.max(most, length), 1);
    this.bytes = new Uint8Array(texts.length * this.width);
  }

  /** Returns the start of the row of a text, which is written on first use. */
  start(text: number): number {
    const start = text * this.width;
    return this.bytes[start] === 0 ? this.#write(text) : start;
  }

  #write(text: number): number {
    const start = text * this.width;
    const { bytes } = this;
    const letters = this.#texts[text]!;
    for (let at = 0; at < letters.length; at++) {
      const code = letters.charCodeAt(at);
      if (code > 127) return this.#encode(text);
      bytes[start + at] = code;
    }
    return start;
  }

  #encode(text: number): number {
    const start = text * this.width;
    const { read } = encoder.encodeInto(this.#texts[text]!, this.bytes.subarray(start, start + this.width));
    if (read === this.#texts[text]!.length) return start;
    // All are written again; a UTF-16 unit takes at most three bytes.
    this.width *= 3;
    this.bytes = new Uint8Array(this.#texts.length * this.width);
    return this.#encode(text);
  }
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/**
 * Writes texts in an order, each after its number (` 1. `, ` 2. `, …) if the list is `numbered`.
 *
 * Bytes are copied and decoded once: joining many short strings takes twice as long and allocates more.
 */
export function writeInOrder(
  rows: TextRows,
  { order, words, numbered }: {
    readonly order: Int32Array;
    /** The words of the order, without repeats. */
    readonly words: readonly number[];
    readonly numbered: boolean;
  },
): string {
  const writeLabel = startLabels();
  // All rows must be written before the width is read.
  for (const word of words) rows.start(word);
  const { bytes, width } = rows;
  const written = new Uint8Array(order.length * (width + (numbered ? ` ${order.length}. `.length : 0)));
  let end = 0;
  for (let place = 0; place < order.length; place++) {
    if (numbered) end = writeLabel(written, end);
    const start = order[place]! * width;
    for (let at = start; at < start + width && bytes[at] !== 0; at++) written[end++] = bytes[at]!;
  }
  return decoder.decode(written.subarray(0, end));
}

/** Returns a function that writes the next number of a list in bytes, from ` 1. ` on, and returns their end. */
function startLabels(): (bytes: Uint8Array, start: number) => number {
  const digits = [ZERO];
  return (bytes, start) => {
    let at = digits.length - 1;
    while (at >= 0 && digits[at] === NINE) digits[at--] = ZERO;
    if (at < 0) digits.unshift(ONE);
    else digits[at]!++;
    let end = start;
    bytes[end++] = SPACE;
    for (let digit = 0; digit < digits.length; digit++) bytes[end++] = digits[digit]!;
    bytes[end++] = FULL_STOP;
    bytes[end++] = SPACE;
    return end;
  };
}

const [SPACE, FULL_STOP, ZERO, ONE, NINE] = [0x20, 0x2e, 0x30, 0x31, 0x39];
