import { MOST_SHORT, shortMerger } from "./_short_merges.ts";

/**
 * Makes a function that counts the tokens that byte-pair encoding makes of one pre-token.
 *
 * js-tiktoken's own loop looks at every pair again after each merge, which on a run of a few hundred Chinese characters
 * costs milliseconds. This one keeps the pairs of a long pre-token in a heap, so a run of n bytes costs n log n.
 *
 * @param ranks The rank of each token, by its bytes.
 * @returns Counts the tokens of the bytes of a pre-token, one character each.
 */
export function bytePairCounter(ranks: ReadonlyMap<string, number>): (bytes: string) => number {
  const countShort = shortMerger(ranks);
  return (bytes) => {
    if (ranks.has(bytes)) return 1;
    return bytes.length <= MOST_SHORT ? countShort(bytes) : mergeLong(bytes, ranks).tokens;
  };
}

/**
 * Tells where the tokens end that byte-pair encoding makes of one pre-token.
 *
 * @param bytes The bytes of the pre-token, one character each.
 * @param ranks The rank of each token, by its bytes.
 * @returns The number of bytes up to the end of each token, in order.
 */
export function bytePairEnds(bytes: string, ranks: ReadonlyMap<string, number>): number[] {
  if (ranks.has(bytes)) return [bytes.length];
  if (bytes.length <= MOST_SHORT) return mergeShort(bytes, ranks).slice(1);
  const { ends } = mergeLong(bytes, ranks);
  const reached: number[] = [];
  for (let end = ends[0]!; reached.at(-1) !== bytes.length; end = ends[end]!) reached.push(end);
  return reached;
}

/** Merges byte pairs, and gives where the tokens start, the end of the last one included. */
function mergeShort(bytes: string, ranks: ReadonlyMap<string, number>): number[] {
  const starts: number[] = [];
  const pairRanks: number[] = [];
  for (let start = 0; start <= bytes.length; start++) starts.push(start);
  const rankAt = (part: number): number =>
    part + 2 < starts.length ? ranks.get(bytes.slice(starts[part], starts[part + 2])) ?? Infinity : Infinity;
  for (let part = 0; part < starts.length - 1; part++) {
    pairRanks.push(rankAt(part));
  }
  for (;;) {
    let least = Infinity;
    let part = -1;
    for (let candidate = 0; candidate < pairRanks.length; candidate++) {
      if (pairRanks[candidate]! < least) {
        [least, part] = [pairRanks[candidate]!, candidate];
      }
    }
    if (part < 0) return starts;
    starts.splice(part + 1, 1);
    pairRanks.splice(part + 1, 1);
    pairRanks[part] = rankAt(part);
    if (part > 0) pairRanks[part - 1] = rankAt(part - 1);
  }
}

/** Merges byte pairs, and gives the end of the token that starts at each byte where one does, and how many there are. */
function mergeLong(
  bytes: string,
  ranks: ReadonlyMap<string, number>,
): { readonly ends: Int32Array; readonly tokens: number } {
  const length = bytes.length;
  const ends = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const alive = new Uint8Array(length + 1).fill(1);
  for (let start = 0; start <= length; start++) {
    [ends[start], previous[start]] = [start + 1, start - 1];
  }
  const heap = new PairHeap();
  const offer = (start: number): void => {
    const middle = ends[start]!;
    if (middle >= length) return;
    const rank = ranks.get(bytes.slice(start, ends[middle]));
    if (rank !== undefined) heap.push({ rank, start, end: ends[middle]! });
  };
  for (let start = 0; start < length - 1; start++) offer(start);
  let tokens = length;
  for (let pair = heap.pop(); pair; pair = heap.pop()) {
    const { start, end } = pair;
    // Subtle: a pair is stale when its left part was swallowed, or either part has grown since it was offered.
    if (!alive[start] || ends[start]! >= length || ends[ends[start]!] !== end) {
      continue;
    }
    const swallowed = ends[start]!;
    alive[swallowed] = 0;
    ends[start] = end;
    if (end < length) previous[end] = start;
    tokens--;
    offer(start);
    if (previous[start]! >= 0) offer(previous[start]!);
  }
  return { ends, tokens };
}

interface Pair {
  readonly rank: number;
  readonly start: number;
  readonly end: number;
}

/** A binary heap with the least rank on top, the leftmost first among equals. */
class PairHeap {
  readonly #pairs: Pair[] = [];

  push(pair: Pair): void {
    const pairs = this.#pairs;
    let hole = pairs.length;
    pairs.push(pair);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!isBefore(pair, pairs[parent]!)) break;
      pairs[hole] = pairs[parent]!;
      hole = parent;
    }
    pairs[hole] = pair;
  }

  pop(): Pair | undefined {
    const pairs = this.#pairs;
    const top = pairs[0];
    const last = pairs.pop();
    if (last === undefined || pairs.length === 0) return top;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= pairs.length) break;
      if (
        child + 1 < pairs.length && isBefore(pairs[child + 1]!, pairs[child]!)
      ) child++;
      if (!isBefore(pairs[child]!, last)) break;
      pairs[hole] = pairs[child]!;
      hole = child;
    }
    pairs[hole] = last;
    return top;
  }
}

function isBefore(left: Pair, right: Pair): boolean {
  return left.rank < right.rank ||
    (left.rank === right.rank && left.start < right.start);
}
