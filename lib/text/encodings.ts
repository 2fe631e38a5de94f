import { getEncodingNameForModel, type TiktokenBPE, type TiktokenModel } from "js-tiktoken/lite";
import { MAX_SCANNED, mergeByHeap, NO_MERGE, scanMerger } from "./pair_merges.ts";
import { rulesOf, textCounter } from "./pre_tokens.ts";
import { type RankTable, readRanks } from "./ranks.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";

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
