import { Buffer } from "node:buffer";

/**
 * The merges of a byte-pair tokenizer in flat arrays, which are used as they are read from a file, without parsing. A symbol is a
 * number: characters come first, in the order of `characters`, then longer tokens.
 */
export interface MergeTable {
  /** The characters into which a text is split first. */
  readonly characters: readonly string[];
  /** The first `known` characters are tokens by themselves. */
  readonly known: number;
  /** Four numbers per pair: its two symbols, the merged symbol, and the order of the merge, the lowest first. */
  readonly pairs: Uint32Array;
  /** A hash table of pairs by their symbols: the number of the pair plus 1, or 0 for a free slot. */
  readonly slots: Uint32Array;
  /** One bit for each two ASCII characters: whether they are neighbours in a merged token. `▁` counts as a space. */
  readonly spans: Uint32Array;
  /** Words that are tokens although no merges lead to them. */
  readonly wholes: readonly string[];
  /** How a character outside the vocabulary is encoded: as its UTF-8 bytes, as one unknown token, or not at all. */
  readonly unknown: "bytes" | "token" | "nothing";
  /** Whether consecutive unknown characters are one token. */
  readonly fuseUnknown: boolean;
}

/** A vocabulary and the order in which its tokens are merged. */
export interface MergeSource extends Pick<MergeTable, "unknown" | "fuseUnknown"> {
  readonly tokens: readonly string[];
  /** The merges in their order; without them, the scores of the tokens decide. */
  readonly merges?: readonly (readonly [string, string])[];
  /** The score of each token. SentencePiece merges any two symbols that form a token, the highest score first. */
  readonly scores?: ArrayLike<number>;
  /** Whether a word that is a token is never split. */
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
  // A token can contain a character that is no token.
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

/** Lists every split of a token into two symbols; equal scores merge from the left. */
function pairsOfScores({ tokens, scores = [] }: MergeSource, { numbers }: Symbols): Uint32Array {
  const distinct = [...new Set(Array.from(tokens, (_, place) => scores[place] ?? 0))].sort((one, other) => other - one);
  const orders = new Map(distinct.map((score, order) => [score, order]));
  const pairs: number[] = [];
  // Of equal tokens, the last one counts.
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
    // Of equal merges, the first one counts.
    if (slots[slot] === 0) slots[slot] = pair + 1;
  }
  return slots;
}

/** Makes a function that returns the slot of a pair, or the free slot for it. */
function slotFinder(
  { pairs, slots }: Pick<MergeTable, "pairs" | "slots">,
): (left: number, right: number) => number {
  const mask = slots.length - 1;
  return (left, right) => {
    const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask;; slot = (slot + 1) & mask) {
      const at = 4 * (slots[slot]! - 1);
      if (at < 0 || (pairs[at] === left && pairs[at + 1] === right)) return slot;
    }
  };
}

/** Makes a counter of the tokens of a word, or of a whole text if the tokenizer does not split words. */
export function pieceCounter(table: MergeTable): (piece: string) => number {
  const { pairs, slots, unknown, fuseUnknown, known } = table;
  const numbers = new Map(table.characters.map((character, number) => [character, number]));
  const wholes = new Set(table.wholes);
  const findSlot = slotFinder(table);
  const isUnknown = (symbol: number): boolean => symbol < 0 || (symbol >= known && symbol < table.characters.length);
  // The symbol of each part, -1 for an unknown character, and the pair that it forms with the next part.
  let symbols = new Int32Array(64);
  let found = new Int32Array(64);
  const merge = merger({
    orderOf(start, middle): number {
      const [left, right] = [symbols[start]!, symbols[middle]!];
      const pair = left < 0 || right < 0 ? -1 : slots[findSlot(left, right)]! - 1;
      found[start] = pair;
      return pair < 0 ? NO_MERGE : pairs[4 * pair + 3]!;
    },
    onMerge(start): void {
      symbols[start] = pairs[4 * found[start]! + 2]!;
    },
  });
  return (piece) => {
    if (wholes.has(piece)) return 1;
    const characters = [...piece];
    const { length } = characters;
    if (symbols.length < length) [symbols, found] = [new Int32Array(2 * length), new Int32Array(2 * length)];
    for (let at = 0; at < length; at++) symbols[at] = numbers.get(characters[at]!) ?? -1;
    const ends = merge(length);
    let count = 0;
    let wasUnknown = false;
    for (let at = 0; at < length; at = ends[at]!) {
      const isNone = isUnknown(symbols[at]!);
      if (!isNone) count++;
      else if (unknown === "bytes") count += Buffer.byteLength(characters[at]!);
      else if (unknown === "token" && !(fuseUnknown && wasUnknown)) count++;
      wasUnknown = isNone;
    }
    return count;
  };
}

/**
 * The pairs that merge in one text. A part of the text is named by the place where it starts; at first, each place is a part.
 */
export interface PairLookup {
  /**
   * Returns when a part merges with the next one, the lowest first; {@linkcode NO_MERGE} if they never do.
   *
   * @param start Where the first part starts.
   * @param middle Where it ends and the second starts.
   * @param end Where the second ends.
   */
  orderOf(start: number, middle: number, end: number): number;
  /** Called when the parts that were last looked up at `start` merge. */
  onMerge?(start: number): void;
}

/** The order of two parts that never merge; above all orders. */
export const NO_MERGE = 0x7fffffff;

/** Longest text, in parts, in which the next merge is found by comparing all; a longer one is worth a heap. */
const MAX_SCANNED = 47;

/**
 * Makes a function that merges a text of any length in n log n steps. It returns the end of each part at the place where it starts,
 * in an array that the next call overwrites.
 */
export function merger({ orderOf, onMerge }: PairLookup): (length: number) => Int32Array {
  let [ends, previous, orders] = makeLists(64);
  const heap = startHeap();
  const offer = (start: number, length: number): void => {
    const middle = ends[start]!;
    const order = middle < length ? orderOf(start, middle, ends[middle]!) : NO_MERGE;
    orders[start] = order;
    if (length > MAX_SCANNED && order !== NO_MERGE) heap.push(order * PLACES + start);
  };
  const findLowest = (length: number): number => {
    let lowest = 0;
    for (let start = 0; start < length; start = ends[start]!) if (orders[start]! < orders[lowest]!) lowest = start;
    return orders[lowest] === NO_MERGE ? -1 : lowest;
  };
  const popLowest = (): number => {
    for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
      // An entry of another order is stale.
      if (orders[key % PLACES] === Math.floor(key / PLACES)) return key % PLACES;
    }
    return -1;
  };
  return (length) => {
    if (length >= ends.length) [ends, previous, orders] = makeLists(2 * length);
    for (let start = 0; start <= length; start++) {
      ends[start] = start + 1;
      previous[start] = start - 1;
      orders[start] = NO_MERGE;
    }
    for (let start = 0; start < length; start++) offer(start, length);
    for (;;) {
      const start = length > MAX_SCANNED ? popLowest() : findLowest(length);
      if (start < 0) return ends;
      onMerge?.(start);
      const merged = ends[start]!;
      orders[merged] = NO_MERGE;
      ends[start] = ends[merged]!;
      previous[ends[start]!] = start;
      offer(start, length);
      if (previous[start]! >= 0) offer(previous[start]!, length);
    }
  };
}

function makeLists(size: number): [Int32Array, Int32Array, Int32Array] {
  return [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
}

/** Exceeds the number of characters of any text; an order below 2 ** 22 times this is an exact number. */
const PLACES = 2 ** 31;

interface Heap {
  push(key: number): void;
  /** Removes the lowest key; `undefined` if there is none. */
  pop(): number | undefined;
}

/** Starts a binary heap of numbers. */
function startHeap(): Heap {
  const keys: number[] = [];
  return {
    push(key): void {
      let at = keys.length;
      keys.push(key);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (keys[parent]! <= key) break;
        keys[at] = keys[parent]!;
        at = parent;
      }
      keys[at] = key;
    },
    pop(): number | undefined {
      const lowest = keys[0];
      const last = keys.pop();
      if (keys.length === 0 || last === undefined) return lowest;
      let at = 0;
      for (let child = 1; child < keys.length; child = 2 * at + 1) {
        if (child + 1 < keys.length && keys[child + 1]! < keys[child]!) child++;
        if (keys[child]! >= last) break;
        keys[at] = keys[child]!;
        at = child;
      }
      keys[at] = last;
      return lowest;
    },
  };
}
