import type { TiktokenBPE } from "js-tiktoken/lite";
import { bytePairCounter, bytePairEnds } from "./_byte_pairs.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";

/** The encodings that come with Fathom: GPT-4o and later, GPT-4 and GPT-3.5, Codex, and GPT-2 and GPT-3. */
export const ENCODING_NAMES: readonly [
  "o200k_base",
  "cl100k_base",
  "p50k_base",
  "r50k_base",
] = [
  "o200k_base",
  "cl100k_base",
  "p50k_base",
  "r50k_base",
];

/** The name of one of the encodings that come with Fathom. */
export type EncodingName = typeof ENCODING_NAMES[number];

/**
 * Tells whether a name is one of {@linkcode ENCODING_NAMES}.
 *
 * @param name Any text.
 * @returns Whether Fathom brings an encoding of that name.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(isEncodingName("cl100k_base"), true);
 * ```
 */
export function isEncodingName(name: string): name is EncodingName {
  return (ENCODING_NAMES as readonly string[]).includes(name);
}

/**
 * Opens one of OpenAI's encodings, from the ranks that js-tiktoken carries; nothing is fetched.
 *
 * Counts equal js-tiktoken's `encode(text, [], [])`: special tokens' names in the text are counted as ordinary text.
 *
 * @param name One of {@linkcode ENCODING_NAMES}.
 * @returns The tokenizer.
 * @throws {RangeError} If there is no encoding of that name.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const tokenizer = await openEncoding("cl100k_base");
 * equal(tokenizer.count("The grass is green."), 5);
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

/** Pre-tokens longer than this are rare and are not worth remembering. */
const LONGEST_REMEMBERED = 24;
/** A bound on memory: about 20 MB of remembered pre-tokens. */
const MOST_REMEMBERED = 200_000;

/** ASCII pre-tokens of up to three characters, of which UUIDs and numbers are made, have a place of their own in a table. */
const [SHORT, ASCII_BITS] = [3, 7];

function fromRanks(name: string, encoding: TiktokenBPE): Tokenizer {
  const ranks = parseRanks(encoding.bpe_ranks);
  const countBytePairs = bytePairCounter(ranks);
  const preToken = new RegExp(encoding.pat_str, "gu");
  const remembered = new Map<string, number>();
  const shortOnes = new Uint8Array(2 ** (SHORT * ASCII_BITS));
  const countPreToken = (text: string): number => {
    const place = placeOfShort(text);
    if (place < 0) return countRemembered(text);
    return shortOnes[place] ||= countBytePairs(text);
  };
  const countRemembered = (text: string): number => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const tokens = countBytePairs(toBytes(text));
    if (text.length <= LONGEST_REMEMBERED) {
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(text, tokens);
    }
    return tokens;
  };
  const count = (text: string): number => {
    let tokens = 0;
    for (const preTokenText of text.match(preToken) ?? []) {
      tokens += countPreToken(preTokenText);
    }
    return tokens;
  };
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
    isCut: (text, at) => isCutBeforeWord(text, at) || isCutBeforeMark(text, at),
  };
}

/** Gives the place of a short ASCII text in a table of all such texts, or -1 for any other text. */
function placeOfShort(text: string): number {
  if (text.length > SHORT) return -1;
  let place = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A zero would stand where a shorter text ends.
    if (code === 0 || code >= 2 ** ASCII_BITS) return -1;
    place += code << (at * ASCII_BITS);
  }
  return place;
}

/** Reads js-tiktoken's packed ranks: lines of `! first-rank token token …`, each token in base64. */
function parseRanks(packed: string): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const line of packed.split("\n")) {
    const [, first, ...tokens] = line.split(" ");
    tokens.forEach((token, index) => ranks.set(atob(token), Number(first) + index));
  }
  return ranks;
}

const utf8 = new TextEncoder();

/** Writes a text's UTF-8 bytes as one character each, the form in which ranks are keyed. */
function toBytes(text: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte))
    .join("");
}
