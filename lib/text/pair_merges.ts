/**
 * The pairs that merge in one text. A part of the text is named by the place where it starts; at first, each place is a part.
 */
export interface PairLookup {
  /**
   * Returns when a part merges with the next one, the lowest first; {@linkcode NO_MERGE} where they never do.
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

/** Longest text, in parts, that is merged by scanning; a longer one is worth a heap. */
export const MAX_SCANNED = 47;

/**
 * Makes a function that merges a text of at most {@linkcode MAX_SCANNED} parts and returns how many remain. It scans all pairs for
 * the next merge, which is the fastest way for a word.
 */
export function scanMerger({ orderOf, onMerge }: PairLookup): (length: number) => number {
  const starts = new Int32Array(MAX_SCANNED + 1);
  const orders = new Int32Array(MAX_SCANNED + 1);
  return (length) => {
    let count = length;
    for (let part = 0; part <= length; part++) starts[part] = part;
    for (let part = 0; part + 1 < length; part++) orders[part] = orderOf(part, part + 1, part + 2);
    for (;;) {
      let lowest = NO_MERGE;
      let first = -1;
      for (let part = 0; part + 1 < count; part++) {
        const order = orders[part]!;
        if (order < lowest) {
          lowest = order;
          first = part;
        }
      }
      if (first < 0) return count;
      onMerge?.(starts[first]!);
      count--;
      for (let part = first + 1; part <= count; part++) {
        starts[part] = starts[part + 1]!;
        orders[part] = orders[part + 1]!;
      }
      if (first + 1 < count) orders[first] = orderOf(starts[first]!, starts[first + 1]!, starts[first + 2]!);
      if (first > 0) orders[first - 1] = orderOf(starts[first - 1]!, starts[first]!, starts[first + 1]!);
    }
  };
}

/** Merges a text of any length in n log n steps; returns the end of each part at the place where it starts. */
export function mergeByHeap(length: number, { orderOf, onMerge }: PairLookup): Int32Array {
  const [ends, previous] = [new Int32Array(length + 1), new Int32Array(length + 1)];
  // The order of each part with the next one; a heap entry of another order is stale.
  const orders = new Int32Array(length + 1).fill(NO_MERGE);
  for (let start = 0; start <= length; start++) [ends[start], previous[start]] = [start + 1, start - 1];
  const heap = startHeap();
  const offer = (start: number): void => {
    const middle = ends[start]!;
    const order = middle < length ? orderOf(start, middle, ends[middle]!) : NO_MERGE;
    orders[start] = order;
    if (order !== NO_MERGE) heap.push(order * PLACES + start);
  };
  for (let start = 0; start < length; start++) offer(start);
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const start = key % PLACES;
    if (orders[start] !== Math.floor(key / PLACES)) continue;
    onMerge?.(start);
    const merged = ends[start]!;
    orders[merged] = NO_MERGE;
    ends[start] = ends[merged]!;
    previous[ends[start]!] = start;
    offer(start);
    if (previous[start]! >= 0) offer(previous[start]!);
  }
  return ends;
}

/** More than the characters of any text; an order below 2 ** 22 times this is an exact number. */
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
