import { defined, sum } from "@/lib/base/mod.ts";
import { compileMerges, type MergeSource, type MergeTable, pieceCounter } from "./merges.ts";
import { cachePieces, type QuickCounts, quickCounts, STAND_INS, type TextRules } from "./quick_counts.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";
import { Tokenizer as LibraryTokenizer } from "@huggingface/tokenizers";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { createContext, Script } from "node:vm";

/** The fields of a `tokenizer.json` that decide token counts. */
interface TokenizerFile extends TextRules {
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Record<string, number> | readonly (readonly [string, number])[];
    readonly merges?: readonly (string | readonly [string, string])[];
    readonly "unk_token"?: string | null;
    readonly "fuse_unk"?: boolean;
    readonly "byte_fallback"?: boolean;
    readonly "ignore_merges"?: boolean;
    readonly "continuing_subword_prefix"?: string | null;
    readonly "end_of_word_suffix"?: string | null;
  };
}

/**
 * Opens the `tokenizer.json` of a Hugging Face model.
 *
 * A cut is safe if no token of the vocabulary can span it. Special tokens such as a start marker are not counted; they belong to the
 * chat template.
 */
export function openTokenizerJson(json: string, name: string): Tokenizer {
  const file = parseFile(json, name);
  const compiled = compileFile(file);
  if (compiled !== undefined) return openCompiled(compiled, name);
  return asTokenizer(openLibrary(file, name), name, reachedPlaces(readVocabulary(file)));
}

/** Compiles a `tokenizer.json`, so that it can be cached; `undefined` for other kinds than byte pairs (Unigram, WordPiece). */
export function compileTokenizerJson(json: string, name: string): CompiledTokenizer | undefined {
  return compileFile(parseFile(json, name));
}

function parseFile(json: string, name: string): TokenizerFile {
  let file: TokenizerFile | null;
  try {
    file = JSON.parse(json);
  } catch {
    throw new SyntaxError(
      `Cannot open tokenizer "${name}" as the file must contain JSON: instead of SentencePiece's tokenizer.model, give the tokenizer.json or .gguf file of the same model, or "server"`,
    );
  }
  if (file?.model?.vocab !== undefined) return file;
  throw new SyntaxError(`Cannot open tokenizer "${name}" as the file must be a tokenizer.json with model.vocab in it`);
}

function compileFile(file: TokenizerFile): CompiledTokenizer | undefined {
  const { model = {}, normalizer, pre_tokenizer, added_tokens } = file;
  const { type, merges, unk_token, byte_fallback, continuing_subword_prefix, end_of_word_suffix } = model;
  if (type !== "BPE" || !Array.isArray(merges) || continuing_subword_prefix || end_of_word_suffix) return undefined;
  const tokens = readVocabulary(file);
  const withoutBytes = unk_token ? "token" : "nothing";
  return compileTokenizer({ normalizer, pre_tokenizer, added_tokens }, {
    tokens,
    merges: merges.map((merge) => typeof merge === "string" ? splitMerge(merge) : merge),
    ignoreMerges: model.ignore_merges ?? false,
    unknown: byte_fallback && hasBytes(tokens) ? "bytes" : withoutBytes,
    fuseUnknown: model.fuse_unk ?? false,
  });
}

/** Splits a merge as files write it: two tokens with a space between them, of which the first can begin with a space. */
export function splitMerge(merge: string): readonly [string, string] {
  const at = merge.indexOf(" ", 1);
  return [merge.slice(0, at), merge.slice(at + 1)];
}

/** Whether every byte has a token, such as `<0x0A>`. */
function hasBytes(tokens: readonly string[]): boolean {
  return new Set(tokens.filter((token) => /^<0x[0-9A-F]{2}>$/.test(token))).size === 256;
}

function readVocabulary(file: TokenizerFile): string[] {
  const vocab = file.model?.vocab ?? {};
  return Array.isArray(vocab) ? vocab.map(([token]) => String(token)) : Object.keys(vocab);
}

/** A byte-pair tokenizer compiled from a model's files; opening it parses no vocabulary. */
export interface CompiledTokenizer {
  readonly rules: TextRules;
  readonly merges: MergeTable;
  /** Characters around places that a token can span, from {@linkcode reachedPlaces}. */
  readonly reached: readonly string[];
}

/** Compiles the rules and the vocabulary of a byte-pair tokenizer. */
export function compileTokenizer(rules: TextRules, source: MergeSource): CompiledTokenizer {
  return { rules, merges: compileMerges(source), reached: reachedPlaces(source.tokens) };
}

/** Opens a compiled tokenizer. */
export function openCompiled({ rules, merges, reached }: CompiledTokenizer, name: string): Tokenizer {
  let opened: Tokenizer | undefined;
  const whole = (): Tokenizer => opened ??= asTokenizer(openEmpty(rules, merges, name), name, reached);
  const quick = quickCounts({ rules, merges });
  if (quick === undefined) return whole();
  const countFollowing = followingCounter(quick);
  return {
    name,
    count: (text) => quick.count(text, false) ?? whole().count(text),
    countAfterCut: (text) => countFollowing(text) ?? whole().countAfterCut(text),
    isCut: safeCuts(reached),
    ...defined({ ascii: quick.ascii, cutsLines: quick.cutsLines }),
  };
}

/** Opens the library without a vocabulary; it splits texts into pieces, which the merges count. */
function openEmpty(rules: TextRules, merges: MergeTable, name: string): LibraryTokenizer {
  const model = { type: "BPE", vocab: {}, merges: [] };
  const library = openLibrary({ ...rules, model, decoder: null, "post_processor": null }, name);
  const countPiece = cachePieces(pieceCounter(merges));
  // Only the number of tokens is used.
  library.model!.encode = (pieces) => new Array(sum(pieces, (piece) => countPiece(piece, 0, piece.length))).fill("");
  return library;
}

function openLibrary(file: object, name: string): LibraryTokenizer {
  try {
    return timeLimited(name)(() => new LibraryTokenizer(file, {}), OPENING_MS);
  } catch (cause) {
    if (cause instanceof SlowPatterns) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SyntaxError(`Cannot open tokenizer "${name}" as the file must be a whole tokenizer.json: ${reason}`);
  }
}

/** Time limit for counting a text, in milliseconds, plus one per character. */
const TEXT_MS = 2000;
/** Additional time limit for opening a tokenizer, in milliseconds. */
const OPENING_MS = 60_000;

/** Thrown for a tokenizer whose patterns take too long. */
class SlowPatterns extends SyntaxError {
  override name = "SyntaxError";
}

/** Makes a function that runs `work` in bounded time: a `tokenizer.json` is untrusted, and a pattern such as `(a+)+b` never ends. */
function timeLimited(name: string): <T>(work: () => T, moreMs: number) => T {
  const place: { work?: () => unknown } = {};
  const context = createContext(place);
  const script = new Script("work()");
  return <T>(work: () => T, moreMs: number): T => {
    place.work = work;
    const timeout = TEXT_MS + moreMs;
    // A second attempt, since a suspended process uses up its time.
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        return script.runInContext(context, { timeout });
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      }
    }
    throw new SlowPatterns(
      `Cannot use tokenizer "${name}" as its patterns take more than ${timeout} ms on one text: give another tokenizer.json, an encoding or "server"`,
    );
  };
}

/** Texts before a cut, which absorb the marker that some tokenizers put at the start: of a word, and of a Chinese text. */
const [WORD_ANCHOR, MARK_ANCHOR] = ["a.", "天"] as const;

/** Makes a counter of a text after an anchor, on which the hashes of Chinese samples depend. */
function anchoredCounter(count: (text: string) => number | undefined): (text: string) => number | undefined {
  const anchorTokens = { [WORD_ANCHOR]: count(WORD_ANCHOR), [MARK_ANCHOR]: count(MARK_ANCHOR) };
  return (text) => {
    const anchor = text.startsWith(" ") ? WORD_ANCHOR : MARK_ANCHOR;
    const [tokens, own] = [count(anchor + text), anchorTokens[anchor]];
    return tokens === undefined || own === undefined ? undefined : tokens - own;
  };
}

/**
 * Makes a counter for texts that follow another one. Subtle: some of them do not start at a safe cut, such as the first words of a
 * sentence.
 */
function followingCounter({ count }: QuickCounts): (text: string) => number | undefined {
  const countAnchored = anchoredCounter((text) => count(text, false));
  // deno-lint-ignore no-control-regex -- matches ASCII
  return (text) => /^[\x00-\x7f]*$/.test(text) ? count(text, true) : countAnchored(text);
}

function asTokenizer(library: LibraryTokenizer, name: string, reached: CompiledTokenizer["reached"]): Tokenizer {
  const limited = timeLimited(name);
  const count = (text: string): number =>
    text === "" ? 0 : limited(() => library.tokenize(text, { add_special_tokens: false }).length, text.length);
  const countAnchored = anchoredCounter(count);
  return {
    name,
    count,
    countAfterCut: (text) => text === "" ? 0 : countAnchored(text)!,
    isCut: safeCuts(reached),
  };
}

/** Lists the characters around each place inside a token that would be a safe cut otherwise. */
function reachedPlaces(tokens: readonly string[]): readonly string[] {
  const isByteLevel = tokens.some((token) => token.startsWith("Ġ"));
  const decode = isByteLevel ? byteDecoder() : (token: string): string => token.replaceAll("▁", " ");
  const reached = new Set<string>();
  for (const token of tokens) {
    if (token.length < 2) continue;
    const text = decode(token);
    for (let at = 1; at < text.length; at++) {
      if (isCutBeforeWord(text, at)) reached.add(around(text, at, 1));
      if (isCutBeforeMark(text, at)) reached.add(around(text, at, 0));
    }
  }
  return [...reached];
}

/** Makes `isCut`: a place is a safe cut if its characters allow one and no token has the same characters around it. */
function safeCuts(reached: readonly string[]): (text: string, at: number) => boolean {
  const places = new Set(reached);
  // Whether a token spans a space after an ASCII character, which is rare.
  const spaced = new Uint8Array(128);
  for (const place of reached) {
    if (place.charAt(1) === " " && place.charCodeAt(0) < 128) spaced[place.charCodeAt(0)] = 1;
  }
  return (text, at) =>
    (isCutBeforeWord(text, at) && (spaced[text.charCodeAt(at - 1)] === 0 || !places.has(around(text, at, 1)))) ||
    (isCutBeforeMark(text, at) && !places.has(around(text, at, 0)));
}

/** Returns the character before a place, the one at it, and `more` after that. */
function around(text: string, at: number, more: number): string {
  // A token can end inside a character outside ASCII, so all of those are equal beside a space.
  const shown = text.slice(at - 1, at + 1 + more);
  // deno-lint-ignore no-control-regex -- matches all characters outside ASCII
  return more === 0 ? shown : shown.replace(/[^\u0000-\u007f]/g, "\ufffd");
}

/** Makes a decoder of GPT-2's printable substitutes for bytes; incomplete characters become U+FFFD. */
function byteDecoder(): (token: string) => string {
  const bytes = new Map(STAND_INS.map((letter, byte) => [letter, byte]));
  const utf8 = new TextDecoder();
  return (token) => utf8.decode(Uint8Array.from(token, (letter) => bytes.get(letter) ?? 0x3f));
}

/** Version of the packed form, used in names of files. Raise it whenever the compiled form changes. */
export const PACKED_VERSION = 3;

const HASH_BYTES = 32;

/** Packs a compiled tokenizer as bytes: a hash of the remaining bytes, then the tokenizer as V8 serialises it. */
export function packTokenizer(compiled: CompiledTokenizer): Uint8Array {
  const packed = serialize(compiled);
  return Buffer.concat([hashOf(packed), packed]);
}

/** Unpacks the bytes of {@linkcode packTokenizer}; `undefined` if they are damaged. */
export function unpackTokenizer(bytes: Uint8Array): CompiledTokenizer | undefined {
  const packed = bytes.subarray(HASH_BYTES);
  const isWhole = hashOf(packed).equals(bytes.subarray(0, HASH_BYTES));
  return isWhole ? deserialize(packed) : undefined;
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** A vocabulary of bytes in the order of their merges: of any two neighbours, those merge first that form the earliest token. */
interface RankFile {
  readonly pattern: string;
  /** The tokens in base64, by rank. */
  readonly tokens: readonly string[];
}

const CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const ENDS = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const [HAN, START] = ["\\p{Script=Han}", "[^\\r\\n\\p{L}\\p{N}]?"];
const [UPPER, LOWER] = ["Lu", "Ll"].map((kind) => `(?:(?!${HAN})[\\p{${kind}}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}])`);

/**
 * The patterns of models whose file of ranks has none, by the number of tokens from which on it is theirs; from their tokenization
 * code: Kimi (tokenization_kimi.py), Qwen (tokenization_qwen.py), Llama 3 (llama3/tokenizer.py).
 */
const PATTERNS: readonly (readonly [least: number, pattern: string])[] = [
  [
    160_000,
    `${HAN}+|${START}${UPPER}*${LOWER}+${CONTRACTIONS}?|${START}${UPPER}+${LOWER}*${CONTRACTIONS}?|\\p{N}{1,3}|${ENDS}`,
  ],
  [150_000, `${CONTRACTIONS}|${START}\\p{L}+|\\p{N}|${ENDS}`],
  [0, `${CONTRACTIONS}|${START}\\p{L}+|\\p{N}{1,3}|${ENDS}`],
];

/**
 * Compiles a tokenizer of ranked bytes: Mistral's tekken.json, or tiktoken's files, a line of base64 and rank for each token, as Kimi,
 * Qwen and Llama 3 have them. `undefined` for another file.
 */
export function compileRankFile(text: string): CompiledTokenizer | undefined {
  const ranks = text.startsWith("{") ? readTekken(text) : readLines(text);
  if (ranks === undefined) return undefined;
  const tokens = ranks.tokens.map((token) =>
    Array.from(Uint8Array.fromBase64(token), (byte) => STAND_INS[byte]).join("")
  );
  const pretokenizers = [
    { type: "Split", pattern: { Regex: ranks.pattern }, behavior: "Isolated", invert: false },
    { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: false },
  ];
  return compileTokenizer({
    normalizer: null,
    added_tokens: [],
    pre_tokenizer: { type: "Sequence", pretokenizers },
  }, {
    tokens,
    scores: tokens.map((_, rank) => -rank),
    ignoreMerges: true,
    unknown: "nothing",
    fuseUnknown: false,
  });
}

/** Special tokens have the first numbers, and are not in the vocabulary, of which a model uses only the first part. */
function readTekken(text: string): RankFile | undefined {
  if (!/^\{\s*"(?:config|vocab)"/.test(text)) return undefined;
  const { config, vocab } = JSON.parse(text);
  if (typeof config?.pattern !== "string" || !Array.isArray(vocab)) return undefined;
  const most = config.default_vocab_size - config.default_num_special_tokens;
  const ranked = vocab.toSorted((left, right) => left.rank - right.rank).slice(0, most || undefined);
  return { pattern: config.pattern, tokens: ranked.map(({ token_bytes: bytes }) => bytes) };
}

function readLines(text: string): RankFile | undefined {
  const lines = text.trimEnd().split(/\r?\n/);
  if (!/^[A-Za-z\d+/]+=* \d+$/.test(lines[0]!)) return undefined;
  const tokens: string[] = [];
  for (const line of lines) {
    const [token = "", rank] = line.split(" ");
    tokens[Number(rank)] = token;
  }
  const [, pattern] = PATTERNS.find(([least]) => tokens.length >= least)!;
  return { pattern, tokens: Array.from(tokens, (token = "") => token) };
}
