/** Counts the tokens that byte-pair encoding makes of pre-tokens of at most {@linkcode MOST_SHORT} bytes. */
export type CountShort = (bytes: string) => number;

/** The most bytes of a short pre-token; a longer one is worth a heap. */
export const MOST_SHORT = 47;

/** No token is of two parts. */
const NO_TOKEN = 0x7fffffff;

/**
 * Makes a counter that merges tokens by their numbers: which token two others make is looked up by their bytes once, and from
 * then on by two numbers, without cutting a text.
 *
 * @param ranks The rank of each token, by its bytes, one character each.
 */
export function shortMerger(ranks: ReadonlyMap<string, number>): CountShort {
  const rankOf = pairRanks(ranks);
  const numberOf = Int32Array.from({ length: 256 }, (_, byte) => ranks.get(String.fromCharCode(byte)) ?? -1 - byte);
  const starts = new Int32Array(MOST_SHORT + 1);
  const tokens = new Int32Array(MOST_SHORT);
  const merged = new Int32Array(MOST_SHORT);
  return (bytes) => {
    let count = bytes.length;
    const rankAt = (part: number): number =>
      part + 1 < count ? rankOf(tokens[part]!, tokens[part + 1]!, bytes, starts[part]!, starts[part + 2]!) : NO_TOKEN;
    for (let part = 0; part < count; part++) {
      [starts[part], tokens[part]] = [part, numberOf[bytes.charCodeAt(part)]!];
    }
    starts[count] = count;
    for (let part = 0; part < count; part++) merged[part] = rankAt(part);
    for (;;) {
      let least = NO_TOKEN;
      let first = -1;
      for (let part = 0; part < count - 1; part++) if (merged[part]! < least) [least, first] = [merged[part]!, part];
      if (first < 0) return count;
      tokens[first] = least;
      count--;
      tokens.copyWithin(first + 1, first + 2, count + 1);
      merged.copyWithin(first + 1, first + 2, count + 1);
      starts.copyWithin(first + 1, first + 2, count + 2);
      merged[first] = rankAt(first);
      if (first > 0) merged[first - 1] = rankAt(first - 1);
    }
  };
}

/** Slots of the table of pairs, of which at most half are used: three times 512 KB. */
const SLOT_BITS = 17;

type PairRank = (left: number, right: number, bytes: string, start: number, end: number) => number;

/** Makes a table of what pairs of tokens make; `bytes` from `start` to `end` are the two tokens' own. */
function pairRanks(ranks: ReadonlyMap<string, number>): PairRank {
  const mask = (1 << SLOT_BITS) - 1;
  const lefts = new Int32Array(mask + 1).fill(NO_TOKEN);
  const rights = new Int32Array(mask + 1);
  const values = new Int32Array(mask + 1);
  let used = 0;
  return (left, right, bytes, start, end) => {
    let slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> (32 - SLOT_BITS);
    for (; lefts[slot] !== NO_TOKEN; slot = (slot + 1) & mask) {
      if (lefts[slot] === left && rights[slot] === right) return values[slot]!;
    }
    const rank = ranks.get(bytes.slice(start, end)) ?? NO_TOKEN;
    if (++used > mask / 2) {
      lefts.fill(NO_TOKEN);
      used = 0;
      return rank;
    }
    [lefts[slot], rights[slot], values[slot]] = [left, right, rank];
    return rank;
  };
}
