import { merger, NO_MERGE } from "./merges.ts";
import { hashText, isAt, textCounter } from "./quick_counts.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";
import { getEncodingNameForModel, type TiktokenBPE, type TiktokenModel } from "js-tiktoken/lite";

/** One of OpenAI's encodings. */
export type EncodingName = keyof typeof RANKS;

/** The ranks of each encoding, of which only those in use are loaded. */
const RANKS = {
  "o200k_base": () => import("js-tiktoken/ranks/o200k_base"),
  "cl100k_base": () => import("js-tiktoken/ranks/cl100k_base"),
  "p50k_base": () => import("js-tiktoken/ranks/p50k_base"),
  "r50k_base": () => import("js-tiktoken/ranks/r50k_base"),
};

/** OpenAI's encodings, which need no download: of GPT-4o and later, GPT-4 and GPT-3.5, Codex, and GPT-2 and GPT-3. */
export const ENCODING_NAMES: readonly EncodingName[] = Object.keys(RANKS) as readonly EncodingName[];

/** Models that js-tiktoken does not know, as tiktoken/model.py names them; gpt-oss adds only special tokens (o200k_harmony). */
const NEWER_MODELS: readonly (readonly [RegExp, EncodingName])[] = [
  [
    /^(?:ft:)?(?:openai\/)?(?:o[1-9]|chatgpt-4o|gpt-(?:4o|4\.[1-9]|[5-9]|oss))(?:$|[-.:])|^o200k_harmony$/,
    "o200k_base",
  ],
  [/^(?:ft:)?(?:gpt-4|gpt-3\.5|gpt-35)(?:$|-)/, "cl100k_base"],
];

function isEncodingName(name: string): name is EncodingName {
  return (ENCODING_NAMES as readonly string[]).includes(name);
}

/**
 * Returns the encoding of that name, or of the OpenAI model of that name (as tiktoken names models); `undefined` if there is none.
 */
export function encodingOf(name: string): EncodingName | undefined {
  if (isEncodingName(name)) return name;
  const newer = NEWER_MODELS.find(([names]) => names.test(name));
  if (newer !== undefined) return newer[1];
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
 */
export async function openEncoding(name: EncodingName): Promise<Tokenizer> {
  if (!isEncodingName(name)) {
    throw new RangeError(
      `Cannot open encoding "${name}": the name must be one of ${ENCODING_NAMES.join(", ")}`,
    );
  }
  return fromRanks(name, (await RANKS[name]()).default);
}

function fromRanks(name: string, encoding: TiktokenBPE): Tokenizer {
  const rankOf = readRanks(encoding.bpe_ranks);
  const split = tokenSplitter(rankOf);
  const count = textCounter(new RegExp(encoding.pat_str, "uy"), (preToken) => split(toBytes(preToken)).length);
  const preToken = new RegExp(encoding.pat_str, "gu");
  const tokenEnds = (text: string): number[] => {
    const ends: number[] = [];
    let start = 0;
    for (const preTokenText of text.match(preToken) ?? []) {
      const bytes = toBytes(preTokenText);
      for (const end of split(bytes)) ends.push(start + end);
      start += bytes.length;
    }
    return ends;
  };
  return {
    name,
    count,
    countAfterCut: count,
    tokenEnds,
    ascii: { digits: encoding.pat_str.includes("\\p{N}{1,3}") ? 3 : Infinity },
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

/** Makes a function that lists the ends of the tokens of one pre-token, given as in {@linkcode toBytes}. */
function tokenSplitter(rankOf: RankOf): (bytes: string) => number[] {
  let text = "";
  const merge = merger({ orderOf: (start, _middle, end) => rankOf(text, start, end) });
  return (bytes) => {
    const { length } = bytes;
    if (rankOf(bytes, 0, length) !== NO_MERGE) return [length];
    text = bytes;
    const ends = merge(length);
    const reached: number[] = [];
    for (let start = 0; start < length; start = ends[start]!) reached.push(ends[start]!);
    return reached;
  };
}

/** Returns the rank of the token with the bytes from `start` up to `end`; {@linkcode NO_MERGE} if that is no token. */
type RankOf = (bytes: string, start: number, end: number) => number;

/** Reads the packed ranks of js-tiktoken: lines of `! first-rank token token …`, each token in base64. */
function readRanks(packed: string): RankOf {
  const tokens: string[] = [];
  for (const line of packed.split("\n")) {
    const words = line.split(" ");
    const first = Number(words[1]) - 2;
    for (let place = 2; place < words.length; place++) tokens[first + place] = atob(words[place]!);
  }
  // A hash table of ranks plus 1, which fills faster than a Map; 0 is a free slot.
  const bits = Math.ceil(Math.log2(2 * tokens.length + 2));
  const slots = new Int32Array(2 ** bits);
  const findSlot: RankOf = (bytes, start, end) => {
    for (let slot = hashText(bytes, start, end) >>> (32 - bits);; slot = (slot + 1) & (slots.length - 1)) {
      const rank = slots[slot]! - 1;
      if (rank < 0 || isAt(tokens[rank]!, bytes, start, end)) return slot;
    }
  };
  tokens.forEach((token, rank) => slots[findSlot(token, 0, token.length)] = rank + 1);
  return (bytes, start, end) => {
    const entry = slots[findSlot(bytes, start, end)]!;
    return entry === 0 ? NO_MERGE : entry - 1;
  };
}
