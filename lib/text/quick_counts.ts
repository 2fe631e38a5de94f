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
  const added = readAdded(rules);
  const split = readSplit(rules);
  if (added === undefined || split === undefined) return undefined;
  const countMerged = pieceCounter(merges);
  if (split.words !== undefined) {
    const countPiece = (piece: string): number => countMerged(standIns(piece));
    return countWords(split.words, { countPiece, added });
  }
  // Whole words and fused unknown characters have no safe cuts.
  if (merges.wholes.length > 0 || (merges.unknown === "token" && merges.fuseUnknown)) return undefined;
  const countPiece = (piece: string): number => countMerged(piece.replaceAll(" ", "▁"));
  const { marksStart } = split;
  return {
    count: countPieces(merges.spans, { countPiece, marksStart, added }),
    cutsLines: cutsLines(rules, { spans: merges.spans, marksStart }),
  };
}

/** Whether no token spans a line break and the character after it, and no added token ends there and marks the text after it. */
function cutsLines(
  rules: TextRules,
  { spans, marksStart }: { readonly spans: Uint32Array; readonly marksStart: boolean },
): boolean {
  const tokens = (rules.added_tokens ?? []) as readonly AddedToken[];
  const held = marksStart ? /\n/ : /\n[!-~]/;
  if (tokens.some(({ content }) => held.test(content))) return false;
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

/** How a text becomes pieces: words by a pattern, or no split and a mark for each space. */
type Split =
  | { readonly words: WordSplit }
  | { readonly words?: never; readonly marksStart: boolean };

/** How a text is split into words. */
interface WordSplit {
  /** A sticky pattern that matches one word. */
  readonly pattern: RegExp;
  /** Maximum number of digits in a word. */
  readonly digits: number;
  /** The Unicode normal form applied first. */
  readonly form: string | undefined;
}

function readSplit(rules: TextRules): Split | undefined {
  const [changes, splits] = [
    listRules(rules.normalizer, "normalizers"),
    listRules(rules.pre_tokenizer, "pretokenizers"),
  ];
  const isOfSpaces = ({ pattern }: Rule): boolean => (pattern as { readonly String?: string })?.String === " ";
  const last = changes.at(-1);
  if (last?.type === "Replace" && isOfSpaces(last) && last["content"] === "▁") {
    // A pre-tokenizer that splits at spaces finds none.
    if (!splits.every((split) => split.type === "Split" && isOfSpaces(split))) return undefined;
    const [first] = changes;
    const marksStart = changes.length === 2 && first!.type === "Prepend" && first!["prepend"] === "▁";
    return changes.length === 1 || marksStart ? { marksStart } : undefined;
  }
  const words = wordRules(splits);
  const form = NORMAL_FORMS.find((name) => changes[0]?.type === name);
  if (words === undefined || changes.length > (form === undefined ? 0 : 1)) return undefined;
  return { words: { ...words, form } };
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

const ENDINGS: readonly string[] = [
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|",
  "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|",
];
const [WORDS, MARKS] = [
  "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}",
  "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
];

/**
 * The pattern of GPT-2, which comes with ByteLevel. llama.cpp's files lack its last alternative, which changes nothing. After digits
 * are split off, white space before a digit is at the end of its text.
 */
const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)";
const GPT2_AFTER_DIGITS = "\\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?![^\\s\\p{N}])|\\s+";

/** Reads the patterns of Llama 3, of Qwen, and of GPT-2, the last also with digits split off first. */
function wordRules(splits: readonly Rule[]): Omit<WordSplit, "form"> | undefined {
  const bytes = splits.at(-1);
  if (bytes?.type !== "ByteLevel" || bytes["add_prefix_space"] !== false) return undefined;
  const patterns = splits.slice(0, -1).map(patternOf);
  if (bytes["use_regex"] !== false) patterns.push(GPT2);
  const [first, second] = patterns;
  if (first === undefined || patterns.length > 2) return undefined;
  if (patterns.length === 2) {
    if (first !== "\\p{N}" || second !== GPT2) return undefined;
    return { digits: 1, pattern: readPattern(GPT2_AFTER_DIGITS) };
  }
  if (first === GPT2) return { digits: Infinity, pattern: readPattern(`${GPT2}|\\s+`) };
  const rest = ENDINGS.filter((ending) => first.startsWith(ending)).map((ending) => first.slice(ending.length))[0];
  const digits = [1, 3].find((most) => rest === `${WORDS}${most === 1 ? "" : `{1,${most}}`}${MARKS}`);
  return digits === undefined ? undefined : { digits, pattern: readPattern(first) };
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

/** The printable stand-in of GPT-2 for each byte. */
export const STAND_INS: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  if (isPrintable) return String.fromCharCode(byte);
  if (byte <= 0x20) return String.fromCharCode(0x100 + byte);
  return String.fromCharCode(byte === 0xad ? 0x143 : 0x121 + byte - 0x7f);
});

const utf8 = new TextEncoder();

/** Returns a piece as stand-ins for its bytes. */
function standIns(piece: string): string {
  let written = "";
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code > 127) return Array.from(utf8.encode(piece), (byte) => STAND_INS[byte]!).join("");
    written += STAND_INS[code]!;
  }
  return written;
}

/** Tokens that are matched in a text before anything else. */
interface AddedTokens {
  /** Returns the place of the next one from `from` on; the length of the text if there is none. */
  find(text: string, from: number): number;
  /** Returns the length of the longest one that starts at `at`; 0 if none does. */
  lengthAt(text: string, at: number): number;
}

/** Reads the added tokens; `undefined` if one strips white space or has other rules. */
function readAdded(rules: TextRules): AddedTokens | undefined {
  const tokens = (rules.added_tokens ?? []) as readonly AddedToken[];
  if (tokens.some((token) => token.normalized || token.lstrip || token.rstrip || token.single_word)) return undefined;
  const contents = tokens.map(({ content }) => content);
  // Grouped by their first two characters, which are rare in a text.
  const groups = Map.groupBy(contents, (content) => content.slice(0, 2));
  for (const group of groups.values()) group.sort((one, other) => other.length - one.length);
  const begins = new Uint8Array(2 ** 16);
  for (const content of contents) begins[content.charCodeAt(0)] = 1;
  const lengthAt = (text: string, at: number): number => {
    const found = groups.get(text.slice(at, at + 2))?.find((content) => text.startsWith(content, at)) ??
      groups.get(text.charAt(at))?.[0];
    return found?.length ?? 0;
  };
  return {
    lengthAt,
    find(text, from): number {
      for (let at = from; at < text.length; at++) {
        if (begins[text.charCodeAt(at)] === 1 && lengthAt(text, at) > 0) return at;
      }
      return text.length;
    },
  };
}

interface AddedToken {
  readonly content: string;
  readonly normalized?: boolean;
  readonly lstrip?: boolean;
  readonly rstrip?: boolean;
  readonly "single_word"?: boolean;
}

interface CountOptions {
  /** Counts the tokens of a piece after merging. */
  readonly countPiece: (piece: string) => number;
  readonly added: AddedTokens;
}

function countWords({ pattern, digits, form }: WordSplit, { countPiece, added }: CountOptions): QuickCounts {
  const count = textCounter(pattern, countPiece);
  return {
    ascii: { digits },
    count(text): number | undefined {
      if (added.find(text, 0) < text.length) return undefined;
      return count(form === undefined ? text : text.normalize(form));
    },
  };
}

/** Counts texts that are not split into words: they are cut between two characters that no token has side by side. */
function countPieces(
  spans: Uint32Array,
  { countPiece, added, marksStart }: CountOptions & { readonly marksStart: boolean },
): QuickCounts["count"] {
  const countKnown = cachePieces(countPiece);
  const countSection = (text: string): number => {
    let tokens = 0;
    let start = 0;
    for (let at = 1; at <= text.length; at++) {
      if (at < text.length && isSpanned(spans, text.charCodeAt(at - 1), text.charCodeAt(at))) continue;
      tokens += countKnown(text, start, at);
      start = at;
    }
    return tokens;
  };
  return (text, follows) => {
    let tokens = 0;
    for (let start = 0; start < text.length;) {
      const end = added.find(text, start);
      const mark = marksStart && (start > 0 || !follows) ? " " : "";
      if (end > start) tokens += countSection(mark + text.slice(start, end));
      if (end < text.length) tokens++;
      start = end + added.lengthAt(text, end);
    }
    return tokens;
  };
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

/** Counts of pieces of up to three ASCII characters, such as parts of UUIDs and numbers, are in a table of their own. */
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
