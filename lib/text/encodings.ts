import { getEncodingNameForModel, type TiktokenBPE, type TiktokenModel } from "js-tiktoken/lite";
import { rulesOf, textCounter } from "./pre_tokens.ts";
import { NO_TOKEN, type RankTable, readRanks } from "./ranks.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";

/** The name of an encoding that comes with Fathom. */
export type EncodingName = "o200k_base" | "cl100k_base" | "p50k_base" | "r50k_base";

/** The encodings that come with Fathom: GPT-4o and later, GPT-4 and GPT-3.5, Codex, and GPT-2 and GPT-3. */
export const ENCODING_NAMES: readonly EncodingName[] = ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"];

/** Whether a name is one of {@linkcode ENCODING_NAMES}. */
function isEncodingName(name: string): name is EncodingName {
  return (ENCODING_NAMES as readonly string[]).includes(name);
}

/**
 * Finds the encoding of a name: its own, or that of a model of OpenAI's as tiktoken names them; `undefined` where there is none.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(["cl100k_base", "gpt-4", "gpt-4o", "my-model"].map(encodingOf), [
 *   "cl100k_base",
 *   "cl100k_base",
 *   "o200k_base",
 *   undefined,
 * ]);
 * ```
 */
export function encodingOf(name: string): EncodingName | undefined {
  if (isEncodingName(name)) return name;
  let encoding: string;
  try {
    encoding = getEncodingNameForModel(name as TiktokenModel);
  } catch {
    return undefined;
  }
  // GPT-2's encoding is GPT-3's under another name.
  const known = encoding === "gpt2" ? "r50k_base" : encoding;
  return isEncodingName(known) ? known : undefined;
}

/**
 * Opens one of OpenAI's encodings, from the ranks that js-tiktoken carries; nothing is downloaded.
 *
 * Counts equal js-tiktoken's `encode(text, [], [])`: names of special tokens in the text are ordinary text.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal((await openEncoding("cl100k_base")).count("The grass is green."), 5);
 * ```
 */
export async function openEncoding(name: EncodingName): Promise<Tokenizer> {
  if (!isEncodingName(name)) {
    throw new RangeError(
      `Cannot open the encoding as its name must be one of ${ENCODING_NAMES.join(", ")}: current value is "${name}"`,
    );
  }
  return fromRanks(name, await loadRanks(name));
}

async function loadRanks(name: EncodingName): Promise<TiktokenBPE> {
  // One import each, so that only the encoding in use is loaded.
  switch (name) {
    case "o200k_base":
      return (await import("js-tiktoken/ranks/o200k_base")).default;
    case "cl100k_base":
      return (await import("js-tiktoken/ranks/cl100k_base")).default;
    case "p50k_base":
      return (await import("js-tiktoken/ranks/p50k_base")).default;
    case "r50k_base":
      return (await import("js-tiktoken/ranks/r50k_base")).default;
  }
}

function fromRanks(name: string, encoding: TiktokenBPE): Tokenizer {
  const ranks = readRanks(encoding.bpe_ranks);
  const countBytePairs = bytePairCounter(ranks);
  const preToken = new RegExp(encoding.pat_str, "gu");
  const rules = rulesOf(encoding.pat_str);
  const pattern = new RegExp(encoding.pat_str, "uy");
  const count = textCounter({ rules, pattern }, (text) => countBytePairs(toBytes(text)));
  const tokenEnds = (text: string): number[] => {
    const ends: number[] = [];
    let start = 0;
    for (const preTokenText of text.match(preToken) ?? []) {
      const bytes = toBytes(preTokenText);
      for (const end of bytePairEnds(bytes, ranks)) ends.push(start + end);
      start += bytes.length;
    }
    return ends;
  };
  return {
    name,
    count,
    countAfterCut: count,
    tokenEnds,
    ascii: { digits: rules.digits },
    isCut: (text, at) => isCutBeforeWord(text, at) || isCutBeforeMark(text, at),
  };
}

const utf8 = new TextEncoder();

/** Writes a text's UTF-8 bytes as one character each, the form in which ranks are keyed. */
function toBytes(text: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/**
 * Makes a function that counts the tokens that byte-pair encoding makes of one pre-token.
 *
 * js-tiktoken's own loop looks at every pair again after each merge, which costs milliseconds on a run of a few hundred
 * Chinese characters. Here the pairs of a long pre-token are kept in a heap, so a run of n bytes costs n log n.
 */
function bytePairCounter(ranks: RankTable): (bytes: string) => number {
  const countShort = shortMerger(ranks);
  return (bytes) => {
    const { length } = bytes;
    ranks.take(bytes);
    if (ranks.rankOf(0, length) !== NO_TOKEN) return 1;
    return length <= MOST_SHORT ? countShort(length) : mergeLong(length, ranks).tokens;
  };
}

/** Lists where the tokens end that byte-pair encoding makes of one pre-token. */
function bytePairEnds(bytes: string, ranks: RankTable): number[] {
  ranks.take(bytes);
  if (ranks.rankOf(0, bytes.length) !== NO_TOKEN) return [bytes.length];
  const { ends } = mergeLong(bytes.length, ranks);
  const reached: number[] = [];
  for (let end = ends[0]!; reached.at(-1) !== bytes.length; end = ends[end]!) reached.push(end);
  return reached;
}

/** Merges the pairs of the bytes taken by a heap; `ends` holds the end of each token at the byte where it starts. */
function mergeLong(
  length: number,
  ranks: RankTable,
): { readonly ends: Int32Array; readonly tokens: number } {
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
    const rank = ranks.rankOf(start, ends[middle]!);
    if (rank !== NO_TOKEN) heap.push({ rank, start, end: ends[middle]! });
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
      if (child + 1 < pairs.length && isBefore(pairs[child + 1]!, pairs[child]!)) child++;
      if (!isBefore(pairs[child]!, last)) break;
      pairs[hole] = pairs[child]!;
      hole = child;
    }
    pairs[hole] = last;
    return top;
  }
}

function isBefore(left: Pair, right: Pair): boolean {
  return left.rank < right.rank || (left.rank === right.rank && left.start < right.start);
}

/** The most bytes of a short pre-token; a longer one is worth a heap. */
const MOST_SHORT = 47;

/** Makes a counter for the bytes taken where they are at most {@linkcode MOST_SHORT}. */
function shortMerger(ranks: RankTable): (length: number) => number {
  // Where the parts begin, and what each makes with the next.
  const starts = new Int32Array(MOST_SHORT + 1);
  const merged = new Int32Array(MOST_SHORT + 1);
  return (length) => {
    let count = length;
    for (let part = 0; part <= length; part++) starts[part] = part;
    for (let part = 0; part + 1 < length; part++) merged[part] = ranks.rankOf(part, part + 2);
    for (;;) {
      let least = NO_TOKEN;
      let first = -1;
      for (let part = 0; part + 1 < count; part++) {
        const rank = merged[part]!;
        if (rank < least) {
          least = rank;
          first = part;
        }
      }
      if (first < 0) return count;
      count--;
      for (let part = first + 1; part <= count; part++) {
        starts[part] = starts[part + 1]!;
        merged[part] = merged[part + 1]!;
      }
      if (first + 1 < count) merged[first] = ranks.rankOf(starts[first]!, starts[first + 2]!);
      if (first > 0) merged[first - 1] = ranks.rankOf(starts[first - 1]!, starts[first + 1]!);
    }
  };
}
