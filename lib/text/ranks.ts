import { NO_MERGE } from "./pair_merges.ts";

/** The tokens of an encoding, looked up by their bytes. */
export interface RankTable {
  /** Sets the bytes in which tokens are looked up, one character each. */
  take(bytes: string): void;
  /** Returns the rank of the token with the bytes from `start` up to `end`; {@linkcode NO_MERGE} if that is no token. */
  rankOf(start: number, end: number): number;
}

/**
 * Reads the packed ranks of js-tiktoken: lines of `! first-rank token token …`, each token in base64.
 *
 * The ranks are kept in flat arrays, which fill faster than a `Map` of strings.
 */
export function readRanks(packed: string): RankTable {
  // A token takes at least four letters and a space.
  const maxTokens = Math.ceil(packed.length / 5) + 1;
  const [starts, ranks] = [new Int32Array(maxTokens + 1), new Int32Array(maxTokens)];
  const bytes = new Uint8Array(packed.length);
  let count = 0;
  let end = 0;
  for (const line of packed.split("\n")) {
    const [mark = "", first = ""] = line.split(" ", 2);
    let rank = Number(first);
    for (let at = mark.length + first.length + 2; at < line.length; at++) {
      for (; at < line.length && line.charCodeAt(at) !== SPACE; at += 4) {
        const [third, fourth] = [line.charCodeAt(at + 2), line.charCodeAt(at + 3)];
        const bits = SIX_BITS[line.charCodeAt(at)]! << 18 | SIX_BITS[line.charCodeAt(at + 1)]! << 12 |
          SIX_BITS[third]! << 6 | SIX_BITS[fourth]!;
        bytes[end++] = bits >> 16;
        if (third !== PADDING) bytes[end++] = bits >> 8;
        if (fourth !== PADDING) bytes[end++] = bits;
      }
      ranks[count++] = rank++;
      starts[count] = end;
    }
  }
  return makeTable({ bytes: bytes.slice(0, end), starts, ranks, count });
}

const [SPACE, PADDING] = [0x20, 0x3d];

/** The value of each base64 letter. */
const SIX_BITS: Uint8Array = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((letter, bits) => {
  SIX_BITS[letter.charCodeAt(0)] = bits;
});

interface RankLists {
  /** The concatenated tokens. */
  readonly bytes: Uint8Array;
  /** Where each token starts, and where the last one ends. */
  readonly starts: Int32Array;
  readonly ranks: Int32Array;
  readonly count: number;
}

/** Makes the table. Prefix hashes of the bytes taken give the hash of any part in constant time. */
function makeTable({ bytes, starts, ranks, count }: RankLists): RankTable {
  const bits = Math.ceil(Math.log2(2 * count + 2));
  const mask = 2 ** bits - 1;
  // A hash table: the low bits hold a token's number plus 1 (0 is a free slot), the high bits those of its hash.
  const slots = new Int32Array(2 ** bits);
  const slotOf = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - bits);
  // Tokens of two bytes, which are looked up most often.
  const pairs = new Int32Array(2 ** 16).fill(NO_MERGE);
  let longest = 0;
  for (let token = 0; token < count; token++) {
    let hash = 0;
    for (let at = starts[token]!; at < starts[token + 1]!; at++) hash = addByte(hash, bytes[at]!);
    let slot = slotOf(hash);
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = (hash & ~mask) | (token + 1);
    const length = starts[token + 1]! - starts[token]!;
    longest = Math.max(longest, length);
    if (length === 2) pairs[bytes[starts[token]!]! << 8 | bytes[starts[token]! + 1]!] = ranks[token]!;
  }
  const powers = new Int32Array(longest + 1).fill(1);
  for (let length = 1; length <= longest; length++) powers[length] = Math.imul(powers[length - 1]!, HASH_FACTOR);
  let taken = new Uint8Array(64);
  let hashes = new Int32Array(65);
  const isTaken = (from: number, start: number, length: number): boolean => {
    let same = 0;
    while (same < length && bytes[from + same] === taken[start + same]) same++;
    return same === length;
  };
  return {
    take(text): void {
      if (text.length > taken.length) [taken, hashes] = [new Uint8Array(text.length), new Int32Array(text.length + 1)];
      for (let at = 0; at < text.length; at++) {
        const byte = text.charCodeAt(at);
        taken[at] = byte;
        hashes[at + 1] = addByte(hashes[at]!, byte);
      }
    },
    rankOf(start, end): number {
      const length = end - start;
      if (length === 2) return pairs[taken[start]! << 8 | taken[start + 1]!]!;
      if (length > longest) return NO_MERGE;
      const hash = (hashes[end]! - Math.imul(hashes[start]!, powers[length]!)) | 0;
      for (let slot = slotOf(hash);; slot = (slot + 1) & mask) {
        const entry = slots[slot]!;
        if (entry === 0) return NO_MERGE;
        if (((entry ^ hash) & ~mask) !== 0) continue;
        const token = (entry & mask) - 1;
        const from = starts[token]!;
        if (starts[token + 1]! - from === length && isTaken(from, start, length)) return ranks[token]!;
      }
    },
  };
}

/** Extends a hash by one byte. */
function addByte(hash: number, byte: number): number {
  return (Math.imul(hash, HASH_FACTOR) + byte + 1) | 0;
}

const HASH_FACTOR = 0x01000193;
