import { type MergeTable, pieceCounter } from "./merges.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Changes to a text before its merges: parts of a `tokenizer.json`. */
export interface TextRules {
  /** Changes to the text, such as marks for spaces. */
  readonly normalizer: unknown;
  /** How the text is split into words. */
  readonly "pre_tokenizer": unknown;
  /** Tokens that are matched in the text before anything else. */
  readonly "added_tokens": unknown;
}

/** Counts as a compiled tokenizer does, ten times as fast as its library. */
export interface QuickCounts extends Pick<Tokenizer, "ascii" | "cutsLines"> {
  /**
   * Counts the tokens of a text; `undefined` if it has an added token, which only the library can count.
   *
   * @param follows Whether the text follows another one at a safe cut.
   */
  count(text: string, follows: boolean): number | undefined;
}

/** Makes a counter for the rules of most models; `undefined` for other rules. */
export function quickCounts(
  { rules, merges }: { readonly rules: TextRules; readonly merges: MergeTable },
): QuickCounts | undefined {
  const added = addedPattern(rules);
  const split = readSplit(rules);
  if (added === undefined || split === undefined) return undefined;
  const countMerged = pieceCounter(merges);
  if ("pattern" in split) {
    const { pattern, digits, form } = split;
    const count = textCounter(pattern, (word) => countMerged(standIns(word)));
    return {
      ascii: { digits },
      count: (text) => text.search(added) >= 0 ? undefined : count(form === undefined ? text : text.normalize(form)),
    };
  }
  // Whole words and fused unknown characters have no safe cuts.
  if (merges.wholes.length > 0 || (merges.unknown === "token" && merges.fuseUnknown)) return undefined;
  const { spans } = merges;
  const countPiece = cachePieces((piece) => countMerged(piece.replaceAll(" ", "▁")));
  /** Counts a text that is cut between two characters that no token has side by side. */
  const countBetween = (text: string): number => {
    let tokens = 0;
    let start = 0;
    for (let at = 1; at <= text.length; at++) {
      if (at < text.length && isSpanned(spans, text.charCodeAt(at - 1), text.charCodeAt(at))) continue;
      tokens += countPiece(text, start, at);
      start = at;
    }
    return tokens;
  };
  return {
    cutsLines: cutsLines(rules, spans, split.marksStart),
    count(text, follows): number {
      let tokens = 0;
      for (let start = 0; start < text.length;) {
        added.lastIndex = start;
        const token = added.exec(text);
        const end = token?.index ?? text.length;
        const mark = split.marksStart && (start > 0 || !follows) ? " " : "";
        if (end > start) tokens += countBetween(mark + text.slice(start, end));
        if (token !== null) tokens++;
        start = end + (token?.[0].length ?? 0);
      }
      return tokens;
    },
  };
}

/** Returns a pattern of the added tokens, the longest first; `undefined` if one strips white space or has other rules. */
function addedPattern(rules: TextRules): RegExp | undefined {
  const tokens = addedTokens(rules);
  if (tokens.some((token) => token.normalized || token.lstrip || token.rstrip || token.single_word)) return undefined;
  const longestFirst = tokens.map(({ content }) => content).sort((one, other) => other.length - one.length);
  // An empty alternative of a negative lookahead never matches.
  return new RegExp(longestFirst.filter((content) => content !== "").map(RegExp.escape).join("|") || "(?!)", "g");
}

interface AddedToken {
  readonly content: string;
  readonly normalized?: boolean;
  readonly lstrip?: boolean;
  readonly rstrip?: boolean;
  readonly "single_word"?: boolean;
}

function addedTokens({ added_tokens: tokens }: TextRules): readonly AddedToken[] {
  return (tokens ?? []) as readonly AddedToken[];
}

/** Whether no token spans a line break and the character after it, and no added token ends there and marks the text after it. */
function cutsLines(rules: TextRules, spans: Uint32Array, marksStart: boolean): boolean {
  const held = marksStart ? /\n/ : /\n[!-~]/;
  if (addedTokens(rules).some(({ content }) => held.test(content))) return false;
  for (let after = 0x21; after < 0x7f; after++) if (isSpanned(spans, LINE_BREAK, after)) return false;
  return true;
}

const LINE_BREAK = 0x0a;

/** Whether a token may have these two characters side by side; always true outside ASCII. */
function isSpanned(spans: Uint32Array, before: number, after: number): boolean {
  if (before > 127 || after > 127) return true;
  const pair = before << 7 | after;
  return (spans[pair >> 5]! >>> (pair & 31) & 1) === 1;
}

/** How a text is split into words. */
interface WordSplit {
  /** A sticky pattern that matches one word. */
  readonly pattern: RegExp;
  readonly digits: number;
  /** The Unicode normal form applied first. */
  readonly form: string | undefined;
}

/** Reads how a text becomes pieces: words by a pattern, or no split and a mark for each space. */
function readSplit(rules: TextRules): WordSplit | { readonly marksStart: boolean } | undefined {
  const changes = listRules(rules.normalizer, "normalizers");
  const splits = listRules(rules.pre_tokenizer, "pretokenizers");
  const isOfSpaces = ({ pattern }: Rule): boolean => (pattern as { readonly String?: string })?.String === " ";
  const [first, last] = [changes[0], changes.at(-1)];
  if (last?.type === "Replace" && isOfSpaces(last) && last["content"] === "▁") {
    // A pre-tokenizer that splits at spaces finds none.
    if (!splits.every((split) => split.type === "Split" && isOfSpaces(split))) return undefined;
    const marksStart = changes.length === 2 && first!.type === "Prepend" && first!["prepend"] === "▁";
    return changes.length === 1 || marksStart ? { marksStart } : undefined;
  }
  const words = wordRules(splits);
  const form = NORMAL_FORMS.find((name) => first?.type === name);
  if (words === undefined || changes.length > (form === undefined ? 0 : 1)) return undefined;
  return { pattern: readPattern(words.pattern), digits: words.digits, form };
}

/** A normaliser or pre-tokenizer, or a sequence of them. */
interface Rule extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

function listRules(rule: unknown, inside: "normalizers" | "pretokenizers"): readonly Rule[] {
  if (rule === null || rule === undefined) return [];
  const one = rule as Rule;
  return one.type === "Sequence" ? one[inside] as readonly Rule[] : [one];
}

const NORMAL_FORMS: readonly string[] = ["NFC", "NFD", "NFKC", "NFKD"];

/** English endings after an apostrophe, as patterns write them. */
export const ENDINGS = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
const AFTER_NUMBERS = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const QWEN_START = `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}`;
export const QWEN2_WORDS: string = QWEN_START + AFTER_NUMBERS;
export const LLAMA3_WORDS = `${QWEN_START}{1,3}${AFTER_NUMBERS}`;
/** The pattern of GPT-2, which comes with ByteLevel. llama.cpp's files lack its last alternative, which changes nothing. */
export const GPT2_WORDS = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)";
/** After digits are split off, white space before a digit is at the end of its text. */
const GPT2_AFTER_DIGITS = "\\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?![^\\s\\p{N}])|\\s+";

/** The maximum number of digits in a word by the pattern of words, and a pattern to use for it, if another. */
const WORD_RULES: ReadonlyMap<string, { readonly digits: number; readonly pattern?: string }> = new Map([
  [GPT2_WORDS, { digits: Infinity, pattern: `${GPT2_WORDS}|\\s+` }],
  [`\\p{N} then ${GPT2_WORDS}`, { digits: 1, pattern: GPT2_AFTER_DIGITS }],
  [QWEN2_WORDS, { digits: 1 }],
  [LLAMA3_WORDS, { digits: 3 }],
]);

/** Reads the patterns of Llama 3, of Qwen, and of GPT-2, the last also with digits split off first. */
function wordRules(splits: readonly Rule[]): { readonly digits: number; readonly pattern: string } | undefined {
  const bytes = splits.at(-1);
  if (bytes?.type !== "ByteLevel" || bytes["add_prefix_space"] !== false) return undefined;
  const patterns = splits.slice(0, -1).map(patternOf);
  if (bytes["use_regex"] !== false) patterns.push(GPT2_WORDS);
  const pattern = patterns.join(" then ");
  // Files write the endings of Llama and Qwen in two ways.
  const rules = WORD_RULES.get(pattern.replace("(?i:'s|'t|'re|'ve|'m|'ll|'d)", ENDINGS));
  return rules && { pattern, ...rules };
}

/** White space of Rust's `regex`; JavaScript's `\s` adds U+FEFF and lacks U+0085. */
const BLANKS = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/** Compiles a pattern of a tokenizer. */
function readPattern(pattern: string): RegExp {
  const source = pattern.replaceAll("[^\\s", `[^${BLANKS}`).replaceAll("\\s", `[${BLANKS}]`)
    .replaceAll("\\S", `[^${BLANKS}]`);
  return new RegExp(source, "uy");
}

/** Returns the pattern by which a pre-tokenizer isolates pieces; empty for any other kind. */
function patternOf({ type, behavior, invert, pattern, individual_digits: isDigit }: Rule): string {
  if (type === "Digits" && isDigit === true) return "\\p{N}";
  const isolates = type === "Split" && behavior === "Isolated" && invert === false;
  return isolates ? (pattern as { readonly Regex?: string }).Regex ?? "" : "";
}

/** GPT-2's printable substitute for each byte. */
export const STAND_INS: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  if (isPrintable) return String.fromCharCode(byte);
  if (byte <= 0x20) return String.fromCharCode(0x100 + byte);
  return String.fromCharCode(byte === 0xad ? 0x143 : 0x121 + byte - 0x7f);
});

const utf8 = new TextEncoder();

/** Returns a piece as substitutes for its bytes. */
function standIns(piece: string): string {
  let written = "";
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code > 127) return Array.from(utf8.encode(piece), (byte) => STAND_INS[byte]!).join("");
    written += STAND_INS[code]!;
  }
  return written;
}

/** Makes a counter of the tokens of a text. The sticky `pattern` matches one word, which `countNew` counts unless it is cached. */
export function textCounter(pattern: RegExp, countNew: (word: string) => number): (text: string) => number {
  const countKnown = cachePieces(countNew);
  return (text) => {
    let tokens = 0;
    for (let start = 0; start < text.length;) {
      pattern.lastIndex = start;
      const end = pattern.test(text) ? pattern.lastIndex : start + 1;
      tokens += countKnown(text, start, end);
      start = end;
    }
    return tokens;
  };
}

/** Counts of pieces of up to three ASCII characters, such as parts of UUIDs and numbers, are in a separate table. */
const [SHORT, ASCII_BITS] = [3, 7];
/** V8 copies a slice of up to this many characters; a longer one would keep its whole text in memory. */
const MAX_CACHED_LENGTH = 12;
const SLOT_BITS = 17;

/** Caches the counts of `countNew`, which are looked up without making substrings. A piece can displace another one. */
export function cachePieces(
  countNew: (piece: string) => number,
): (text: string, start: number, end: number) => number {
  const shortOnes = new Uint8Array(2 ** (SHORT * ASCII_BITS));
  const pieces = new Array<string>(2 ** SLOT_BITS).fill("");
  const counts = new Uint8Array(2 ** SLOT_BITS);
  return (text, start, end) => {
    const length = end - start;
    if (length > MAX_CACHED_LENGTH) return countNew(text.slice(start, end));
    const place = length > SHORT ? 0 : shortPlace(text, start, length);
    if (place > 0) return shortOnes[place] ||= countNew(text.slice(start, end));
    const slot = hashText(text, start, end) >>> (32 - SLOT_BITS);
    if (!isAt(pieces[slot]!, text, start, end)) {
      pieces[slot] = text.slice(start, end);
      counts[slot] = countNew(pieces[slot]);
    }
    return counts[slot]!;
  };
}

/** Returns the place of a short piece in the table; 0 if it has none. */
function shortPlace(text: string, start: number, length: number): number {
  const first = text.charCodeAt(start);
  const second = length > 1 ? text.charCodeAt(start + 1) : 0;
  const third = length > 2 ? text.charCodeAt(start + 2) : 0;
  if ((first | second | third) > 127) return 0;
  // Zero marks the end of a shorter piece.
  if (text.charCodeAt(start + length - 1) === 0) return 0;
  return first | second << ASCII_BITS | third << (2 * ASCII_BITS);
}

/** Hashes a part of a text to 32 bits, of which the high ones differ most. */
export function hashText(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1);
}

/** Whether a piece is the part of a text from `start` up to `end`. */
export function isAt(piece: string, text: string, start: number, end: number): boolean {
  const length = end - start;
  if (piece.length !== length) return false;
  let same = 0;
  while (same < length && piece.charCodeAt(same) === text.charCodeAt(start + same)) same++;
  return same === length;
}
