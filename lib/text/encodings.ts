import { MAX_SCANNED, mergeByHeap, NO_MERGE, scanMerger } from "./merges.ts";
import { rulesOf, textCounter } from "./pre_tokens.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";
import { getEncodingNameForModel, type TiktokenBPE, type TiktokenModel } from "js-tiktoken/lite";

/** One of OpenAI's encodings. */
export type EncodingName = "o200k_base" | "cl100k_base" | "p50k_base" | "r50k_base";

/** OpenAI's encodings, which need no download: of GPT-4o and later, GPT-4 and GPT-3.5, Codex, and GPT-2 and GPT-3. */
export const ENCODING_NAMES: readonly EncodingName[] = ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"];

function isEncodingName(name: string): name is EncodingName {
  return (ENCODING_NAMES as readonly string[]).includes(name);
}

/**
 * Returns the encoding of that name, or of the OpenAI model of that name (as tiktoken names models); `undefined` if there is none.
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
  // GPT-2 and GPT-3 share an encoding.
  const known = encoding === "gpt2" ? "r50k_base" : encoding;
  return isEncodingName(known) ? known : undefined;
}

/**
 * Opens one of OpenAI's encodings from the ranks in js-tiktoken; nothing is downloaded.
 *
 * Counts equal `encode(text, [], [])` of js-tiktoken: special tokens in the text are ordinary text.
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
      `Cannot open encoding "${name}": the name must be one of ${ENCODING_NAMES.join(", ")}`,
    );
  }
  return fromRanks(name, await loadRanks(name));
}

async function loadRanks(name: EncodingName): Promise<TiktokenBPE> {
  // Separate imports, so that only the encoding in use is loaded.
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

/** Returns the UTF-8 bytes of a text as a string of one character each. */
function toBytes(text: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Makes a counter of the tokens of one pre-token, given as in {@linkcode toBytes}. */
function bytePairCounter(ranks: RankTable): (bytes: string) => number {
  const lookup = { orderOf: (start: number, _middle: number, end: number) => ranks.rankOf(start, end) };
  const scan = scanMerger(lookup);
  return (bytes) => {
    const { length } = bytes;
    ranks.take(bytes);
    if (ranks.rankOf(0, length) !== NO_MERGE) return 1;
    if (length <= MAX_SCANNED) return scan(length);
    const ends = mergeByHeap(length, lookup);
    let tokens = 0;
    for (let start = 0; start < length; start = ends[start]!) tokens++;
    return tokens;
  };
}

/** Lists where the tokens of one pre-token end. */
function bytePairEnds(bytes: string, ranks: RankTable): number[] {
  const { length } = bytes;
  ranks.take(bytes);
  if (ranks.rankOf(0, length) !== NO_MERGE) return [length];
  const ends = mergeByHeap(length, { orderOf: (start, _middle, end) => ranks.rankOf(start, end) });
  const reached: number[] = [];
  for (let start = 0; start < length; start = ends[start]!) reached.push(ends[start]!);
  return reached;
}

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
