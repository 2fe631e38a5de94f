/** A pair of a JSON object of texts, as it stands in a prompt. */
export interface ReadPair {
  readonly key: string;
  readonly value: string;
  /** The share of the prompt's characters before it. */
  readonly depth: number;
}

/** A way from a key: its pairs, each but the first with the value of the one before it as its key. */
export type Way = readonly ReadPair[];

const PAIR = /"([^"\n]{1,100})": "([^"\n]{1,100})"/g;

/** Reads the pairs before a place of a prompt, equal keys included, which `JSON.parse` would drop. */
export function readPairs(prompt: string, end: number): ReadPair[] {
  return Array.from(prompt.slice(0, end).matchAll(PAIR), ({ 1: key, 2: value, index }) => ({
    key: key!,
    value: value!,
    depth: index / prompt.length,
  }));
}

/**
 * Finds the longest way from a key. A key that stands several times has a way for each of its values; a way that comes back
 * to a key it has passed ends there.
 */
export function longestWay(start: string, pairs: ReadonlyMap<string, readonly ReadPair[]>): Way {
  let longest: Way = [];
  const left: Way[] = (pairs.get(start) ?? []).map((pair) => [pair]);
  for (let tried = 0; left.length > 0 && tried < MOST_WAYS; tried++) {
    const way = left.pop()!;
    if (way.length > longest.length) longest = way;
    const next = pairs.get(way.at(-1)!.value) ?? [];
    if (next.length === 0 || way.some(({ key }) => key === next[0]!.key)) continue;
    for (const pair of next) left.push([...way, pair]);
  }
  return longest;
}

/** A bound for texts that branch without end; a thread of 100 steps with ten branches each has a thousand. */
const MOST_WAYS = 10_000;
