/** The tokens of an encoding, found by their bytes. */
export interface RankTable {
  /** Finds the rank of the token that a part of a text of bytes is; {@linkcode NO_TOKEN} where it is none. */
  rankOf(bytes: string, start: number, end: number): number;
}

/** The rank of what is no token; above all ranks. */
export const NO_TOKEN = 0x7fffffff;

/**
 * Reads js-tiktoken's packed ranks: lines of `! first-rank token token …`, each token in base64.
 *
 * They are kept in flat arrays, which are filled in a fraction of the time that a map of texts takes.
 */
export function readRanks(packed: string): RankTable {
  // A token takes at least four letters and the space before it.
  const most = Math.ceil(packed.length / 5) + 1;
  const [starts, ranks] = [new Int32Array(most + 1), new Int32Array(most)];
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

/** What each letter of base64 stands for. */
const SIX_BITS: Uint8Array = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((letter, bits) => {
  SIX_BITS[letter.charCodeAt(0)] = bits;
});

interface RankLists {
  /** The tokens one after another. */
  readonly bytes: Uint8Array;
  /** Where each begins, and after the last where it ends. */
  readonly starts: Int32Array;
  readonly ranks: Int32Array;
  readonly count: number;
}

function makeTable({ bytes, starts, ranks, count }: RankLists): RankTable {
  const bits = Math.ceil(Math.log2(2 * count + 2));
  const mask = 2 ** bits - 1;
  // The number of a token plus 1, or 0 where the slot is free.
  const slots = new Int32Array(2 ** bits);
  const slotOf = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - bits);
  for (let token = 0; token < count; token++) {
    let hash = FIRST_HASH;
    for (let at = starts[token]!; at < starts[token + 1]!; at++) hash = Math.imul(hash ^ bytes[at]!, HASH_FACTOR);
    let slot = slotOf(hash);
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = token + 1;
  }
  return {
    rankOf(text, start, end): number {
      let hash = FIRST_HASH;
      for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR);
      for (let slot = slotOf(hash); slots[slot] !== 0; slot = (slot + 1) & mask) {
        const token = slots[slot]! - 1;
        const from = starts[token]!;
        if (starts[token + 1]! - from !== end - start) continue;
        let same = 0;
        while (start + same < end && bytes[from + same] === text.charCodeAt(start + same)) same++;
        if (start + same === end) return ranks[token]!;
      }
      return NO_TOKEN;
    },
  };
}

/** FNV-1a, 32 bits. */
const [FIRST_HASH, HASH_FACTOR] = [0x811c9dc5, 0x01000193];
