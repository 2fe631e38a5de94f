/**
 * The merges of a byte-pair tokenizer in flat arrays: they are looked up as they are read from a file, without a word of them
 * being parsed. A symbol is a number: characters come first, in the order of `characters`, then longer tokens.
 */
export interface MergeTable {
  /** The characters that a text begins as. */
  readonly characters: readonly string[];
  /** How many of the characters, from the first, are tokens by themselves. */
  readonly known: number;
  /** Four numbers a pair: the two symbols, the one they become, and when, the lowest first. */
  readonly pairs: Uint32Array;
  /** Where a pair is by the hash of its symbols: its number plus 1, or 0 where the slot is free. */
  readonly slots: Uint32Array;
  /**
   * Which two characters of ASCII stand beside each other in a token that is merged, a bit for each pair of the first and the
   * second; `▁` stands for a space.
   */
  readonly spans: Uint32Array;
  /** Words that are tokens though their merges do not lead there. */
  readonly wholes: readonly string[];
  /** What a character outside the vocabulary becomes: its UTF-8 bytes, one unknown token, or nothing. */
  readonly unknown: "bytes" | "token" | "nothing";
  /** Whether unknown characters in a row are one token. */
  readonly fuseUnknown: boolean;
}

/** A vocabulary and the order in which its tokens are merged. */
export interface MergeSource extends Pick<MergeTable, "unknown" | "fuseUnknown"> {
  readonly tokens: readonly string[];
  /** The pairs that are merged, first the first; without them, the scores of the tokens decide. */
  readonly merges?: readonly (readonly [string, string])[];
  /** The score of each token, the highest first: SentencePiece merges whatever makes a token. */
  readonly scores?: ArrayLike<number>;
  /** Whether a word that is a token is not taken apart. */
  readonly ignoreMerges: boolean;
}

/** Compiles the merges of a vocabulary. */
export function compileMerges(source: MergeSource): MergeTable {
  const { tokens, unknown, fuseUnknown, ignoreMerges } = source;
  const symbols = numberSymbols(tokens);
  const pairs = source.merges === undefined ? pairsOfScores(source, symbols) : pairsOfMerges(source.merges, symbols);
  const { characters, known } = symbols;
  const table = {
    characters,
    known,
    pairs,
    slots: fillSlots(pairs),
    spans: findSpans(pairs, symbols),
    wholes: [],
    unknown,
    fuseUnknown,
  };
  if (!ignoreMerges) return table;
  const count = pieceCounter(table);
  return { ...table, wholes: tokens.filter((token) => count(token) > 1) };
}

/** The symbols of a vocabulary by their texts. */
interface Symbols {
  readonly numbers: Map<string, number>;
  readonly characters: readonly string[];
  readonly known: number;
}

function numberSymbols(tokens: readonly string[]): Symbols {
  const isCharacter = (token: string): boolean => token.length === 1 || (token.length === 2 && [...token].length === 1);
  const single = new Set(tokens.filter(isCharacter));
  const known = single.size;
  // A token can hold a character that is none.
  for (const token of tokens) for (const character of token) single.add(character);
  const characters = [...single];
  const numbers = new Map(characters.map((character, number) => [character, number]));
  for (const token of tokens) if (!numbers.has(token)) numbers.set(token, numbers.size);
  return { numbers, characters, known };
}

function pairsOfMerges(merges: readonly (readonly [string, string])[], { numbers }: Symbols): Uint32Array {
  const pairs = new Uint32Array(4 * merges.length);
  let end = 0;
  merges.forEach(([left, right], order) => {
    const [one, other, merged] = [numbers.get(left), numbers.get(right), numbers.get(left + right)];
    if (one === undefined || other === undefined || merged === undefined) return;
    pairs.set([one, other, merged, order], end);
    end += 4;
  });
  return pairs.slice(0, end);
}

/** Every way to put a token together of two symbols; equal scores are merged from the left. */
function pairsOfScores({ tokens, scores = [] }: MergeSource, { numbers }: Symbols): Uint32Array {
  const distinct = [...new Set(Array.from(tokens, (_, place) => scores[place] ?? 0))].sort((one, other) => other - one);
  const orders = new Map(distinct.map((score, order) => [score, order]));
  const pairs: number[] = [];
  // Where a text stands twice, its last token is the one that is found.
  const places = new Map(tokens.map((token, place) => [token, place]));
  for (const [token, place] of places) {
    const [merged, order] = [numbers.get(token)!, orders.get(scores[place] ?? 0)!];
    for (let at = 1; at < token.length; at++) {
      const [left, right] = [numbers.get(token.slice(0, at)), numbers.get(token.slice(at))];
      if (left !== undefined && right !== undefined) pairs.push(left, right, merged, order);
    }
  }
  return Uint32Array.from(pairs);
}

function findSpans(pairs: Uint32Array, { numbers }: Symbols): Uint32Array {
  const texts = [...numbers.keys()];
  const spans = new Uint32Array(2 ** 14 / 32);
  for (let pair = 0; pair < pairs.length; pair += 4) {
    const text = texts[pairs[pair + 2]!]!.replaceAll("▁", " ");
    for (let at = 1; at < text.length; at++) {
      const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
      const both = before << 7 | after;
      if (before < 128 && after < 128) spans[both >> 5]! |= 1 << (both & 31);
    }
  }
  return spans;
}

function fillSlots(pairs: Uint32Array): Uint32Array {
  const count = pairs.length / 4;
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  const findSlot = slotFinder({ pairs, slots });
  for (let pair = 0; pair < count; pair++) {
    const slot = findSlot(pairs[4 * pair]!, pairs[4 * pair + 1]!);
    // The first of two equal merges counts.
    if (slots[slot] === 0) slots[slot] = pair + 1;
  }
  return slots;
}

/** Makes a function that gives the slot of a pair, or the free one where it would be. */
function slotFinder(
  { pairs, slots }: Pick<MergeTable, "pairs" | "slots">,
): (left: number, right: number) => number {
  const most = slots.length - 1;
  return (left, right) => {
    const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
    for (let slot = (mixed ^ (mixed >>> 15)) & most;; slot = (slot + 1) & most) {
      const at = 4 * (slots[slot]! - 1);
      if (at < 0 || (pairs[at] === left && pairs[at + 1] === right)) return slot;
    }
  };
}

/** Makes a function that counts the tokens of a word, or of a text where words are not told apart. */
export function pieceCounter(table: MergeTable): (piece: string) => number {
  const { pairs, slots, unknown, fuseUnknown, known } = table;
  const numbers = new Map(table.characters.map((character, number) => [character, number]));
  const wholes = new Set(table.wholes);
  const findSlot = slotFinder(table);
  const findPair = (left: number, right: number): number => slots[findSlot(left, right)]! - 1;
  const isUnknown = (symbol: number): boolean => symbol < 0 || (symbol >= known && symbol < table.characters.length);
  const numberOf = new Int32Array(2 ** 16).fill(-1);
  for (const [character, symbol] of numbers) {
    if (character.length === 1 && symbol < known) numberOf[character.charCodeAt(0)] = symbol;
  }
  const countShort = shortCounter({ pairs, findPair }, numberOf);
  return (piece) => {
    if (wholes.has(piece)) return 1;
    const tokens = piece.length <= MOST_SHORT ? countShort(piece) : -1;
    if (tokens >= 0) return tokens;
    const characters = [...piece];
    const symbols = Int32Array.from(characters, (character) => numbers.get(character) ?? -1);
    let count = mergeAll(symbols, { pairs, findPair });
    let isInUnknown = false;
    for (let at = 0; at < symbols.length; at++) {
      if (symbols[at] === GONE) continue;
      const wasInUnknown = isInUnknown;
      isInUnknown = isUnknown(symbols[at]!);
      if (!isInUnknown) continue;
      if (unknown === "bytes") count += utf8Length(characters[at]!) - 1;
      else if (unknown === "nothing" || (fuseUnknown && wasInUnknown)) count--;
    }
    return count;
  };
}

/** The most characters of a short piece; a longer one is worth a queue. */
const MOST_SHORT = 40;

/** Comes after every pair. */
const NO_ORDER = 0xffffffff;

/** Makes a counter for short pieces of known characters; it gives -1 for others. */
function shortCounter({ pairs, findPair }: Merging, numberOf: Int32Array): (piece: string) => number {
  const symbols = new Int32Array(MOST_SHORT + 1);
  // The pair that a symbol is with the next one, and its order.
  const [found, orders] = [new Int32Array(MOST_SHORT + 1), new Uint32Array(MOST_SHORT + 1)];
  const meet = (at: number, count: number): void => {
    const pair = at + 1 < count ? findPair(symbols[at]!, symbols[at + 1]!) : -1;
    found[at] = pair;
    orders[at] = pair < 0 ? NO_ORDER : pairs[4 * pair + 3]!;
  };
  return (piece) => {
    let count = piece.length;
    for (let at = 0; at < count; at++) {
      const symbol = numberOf[piece.charCodeAt(at)]!;
      if (symbol < 0) return -1;
      symbols[at] = symbol;
    }
    for (let at = 0; at < count; at++) meet(at, count);
    for (;;) {
      let [least, first] = [NO_ORDER, -1];
      for (let at = 0; at + 1 < count; at++) if (orders[at]! < least) [least, first] = [orders[at]!, at];
      if (first < 0) return count;
      symbols[first] = pairs[4 * found[first]! + 2]!;
      count--;
      for (let at = first + 1; at < count; at++) {
        symbols[at] = symbols[at + 1]!;
        found[at] = found[at + 1]!;
        orders[at] = orders[at + 1]!;
      }
      meet(first, count);
      if (first > 0) meet(first - 1, count);
    }
  };
}

/** Stands where a symbol was merged into the one before it. */
const GONE = -2;

interface Merging {
  readonly pairs: Uint32Array;
  /** The number of the pair that two symbols are; below 0 where they are none. */
  readonly findPair: (left: number, right: number) => number;
}

/** Merges symbols in place, always the first pair in order and the leftmost of equals; returns how many are left. */
function mergeAll(symbols: Int32Array, { pairs, findPair }: Merging): number {
  const { length } = symbols;
  const [next, previous] = [new Int32Array(length), new Int32Array(length)];
  // The pair that a symbol is with the next one, or -1.
  const pairAt = new Int32Array(length).fill(-1);
  const queue = startQueue();
  const meet = (at: number): void => {
    const after = next[at]!;
    const pair = after < length && symbols[at]! >= 0 && symbols[after]! >= 0
      ? findPair(symbols[at]!, symbols[after]!)
      : -1;
    pairAt[at] = pair;
    if (pair >= 0) queue.add(pairs[4 * pair + 3]! * PLACES + at);
  };
  for (let at = 0; at < length; at++) [next[at], previous[at]] = [at + 1, at - 1];
  for (let at = 0; at < length; at++) meet(at);
  let count = length;
  for (let key = queue.take(); key !== undefined; key = queue.take()) {
    const at = key % PLACES;
    const pair = pairAt[at]!;
    if (pair < 0 || pairs[4 * pair + 3]! !== Math.floor(key / PLACES)) continue;
    const gone = next[at]!;
    symbols[at] = pairs[4 * pair + 2]!;
    symbols[gone] = GONE;
    pairAt[gone] = -1;
    next[at] = next[gone]!;
    if (next[at]! < length) previous[next[at]!] = at;
    count--;
    meet(at);
    if (previous[at]! >= 0) meet(previous[at]!);
  }
  return count;
}

/** More places than a text has characters; an order times this is still a whole number. */
const PLACES = 2 ** 31;

interface Queue {
  add(key: number): void;
  /** Takes the least; `undefined` where there is none. */
  take(): number | undefined;
}

/** A binary heap of numbers. */
function startQueue(): Queue {
  const heap: number[] = [];
  return {
    add(key): void {
      let at = heap.length;
      heap.push(key);
      while (at > 0) {
        const above = (at - 1) >> 1;
        if (heap[above]! <= key) break;
        heap[at] = heap[above]!;
        at = above;
      }
      heap[at] = key;
    },
    take(): number | undefined {
      const least = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return least;
      let at = 0;
      for (let below = 1; below < heap.length; below = 2 * at + 1) {
        if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below++;
        if (heap[below]! >= last) break;
        heap[at] = heap[below]!;
        at = below;
      }
      heap[at] = last;
      return least;
    },
  };
}

function utf8Length(character: string): number {
  const code = character.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
