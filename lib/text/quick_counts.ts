import { type MergeTable, pieceCounter } from "./merges.ts";
import { isAscii, preTokenEnd, type PreTokenRules, rememberPreTokens } from "./pre_tokens.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** What a tokenizer does to a text before it merges, in the words of a `tokenizer.json`. */
export interface TextRules {
  /** What is changed in a text at first, such as its spaces. */
  readonly normalizer: unknown;
  /** How words are told apart. */
  readonly "pre_tokenizer": unknown;
  /** Tokens that are found in a text before anything else. */
  readonly "added_tokens": unknown;
}

/** Counts texts of ASCII as a compiled tokenizer does, in a tenth of its library's time. */
export interface QuickCounts extends Pick<Tokenizer, "ascii"> {
  /**
   * Counts the tokens of a text; `undefined` where the library must, as it has other characters than ASCII.
   *
   * @param follows Whether the text follows another at a safe cut.
   */
  count(text: string, follows: boolean): number | undefined;
}

/** Makes counts for the rules that most models have; `undefined` for others. */
export function quickCounts(
  { rules, merges }: { readonly rules: TextRules; readonly merges: MergeTable },
): QuickCounts | undefined {
  const added = readAdded(rules);
  const split = readSplit(rules);
  if (added === undefined || split === undefined) return undefined;
  const countPiece = pieceCounter(merges);
  if (split.words !== undefined) {
    const known = rememberPreTokens((piece) => countPiece(standIns(piece)));
    return countWords(split.words, { known, added });
  }
  // A word that is taken whole and unknown characters in a row know no cuts.
  if (merges.wholes.length > 0 || (merges.unknown === "token" && merges.fuseUnknown)) return undefined;
  const known = rememberPreTokens((piece) => countPiece(piece.replaceAll(" ", "▁")));
  return { count: countPieces(merges.spans, { ...split, known, added }) };
}

/** How a text becomes pieces: words by a pattern, or none, where a mark for each space is all that is changed. */
type Split =
  | { readonly words: PreTokenRules }
  | { readonly words?: never; readonly marksStart: boolean };

function readSplit(rules: TextRules): Split | undefined {
  const [changes, splits] = [
    listRules(rules.normalizer, "normalizers"),
    listRules(rules.pre_tokenizer, "pretokenizers"),
  ];
  const isOfSpaces = ({ pattern }: Rule): boolean => (pattern as { readonly String?: string })?.String === " ";
  const last = changes.at(-1);
  if (last?.type === "Replace" && isOfSpaces(last) && last["content"] === "▁") {
    // No space is left for a pre-tokenizer to split at.
    if (!splits.every((split) => split.type === "Split" && isOfSpaces(split))) return undefined;
    const [first] = changes;
    const marksStart = changes.length === 2 && first!.type === "Prepend" && first!["prepend"] === "▁";
    return changes.length === 1 || marksStart ? { marksStart } : undefined;
  }
  const words = wordRules(splits);
  // ASCII is in each of Unicode's normal forms.
  return words !== undefined && changes.every(({ type }) => /^NFK?[CD]$/.test(type)) ? { words } : undefined;
}

/** A normaliser or a pre-tokenizer, or one of several. */
interface Rule extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

function listRules(rule: unknown, inside: "normalizers" | "pretokenizers"): readonly Rule[] {
  if (rule === null || rule === undefined) return [];
  const one = rule as Rule;
  return one.type === "Sequence" ? one[inside] as readonly Rule[] : [one];
}

const ENDINGS: readonly string[] = [
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|",
  "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|",
];
const [WORDS, MARKS] = [
  "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}",
  "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
];

/** GPT-2's, which comes with its stand-ins for bytes; files of llama.cpp's have it without its last part, which changes nothing. */
const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)";
const GPT2_RULES: PreTokenRules = { lead: "space", isCased: false, digits: Infinity };

/** The patterns of Llama 3 and of Qwen, or GPT-2's, also with digits taken out before. */
function wordRules(splits: readonly Rule[]): PreTokenRules | undefined {
  const bytes = splits.at(-1);
  if (bytes?.type !== "ByteLevel" || bytes["add_prefix_space"] !== false) return undefined;
  const patterns = splits.slice(0, -1).map(patternOf);
  if (bytes["use_regex"] !== false) patterns.push(GPT2);
  const [first, second] = patterns;
  if (first === undefined || patterns.length > 2) return undefined;
  if (patterns.length === 2) {
    return first === "\\p{N}" && second === GPT2 ? { ...GPT2_RULES, digits: 1, hasDigitsFirst: true } : undefined;
  }
  if (first === GPT2) return GPT2_RULES;
  const rest = ENDINGS.filter((ending) => first.startsWith(ending)).map((ending) => first.slice(ending.length))[0];
  const digits = [1, 3].find((most) => rest === `${WORDS}${most === 1 ? "" : `{1,${most}}`}${MARKS}`);
  return digits === undefined ? undefined : { lead: "any", isCased: false, digits };
}

/** The pattern by which a pre-tokenizer isolates pieces; empty where it does something else. */
function patternOf({ type, behavior, invert, pattern, individual_digits: isDigit }: Rule): string {
  if (type === "Digits" && isDigit === true) return "\\p{N}";
  const isolates = type === "Split" && behavior === "Isolated" && invert === false;
  return isolates ? (pattern as { readonly Regex?: string }).Regex ?? "" : "";
}

/** Writes a piece of ASCII in GPT-2's printable stand-ins for bytes. */
function standIns(piece: string): string {
  // deno-lint-ignore no-control-regex -- all of ASCII that cannot be printed is meant
  return piece.replace(/[\x00- \x7f]/g, (character) => {
    const code = character.charCodeAt(0);
    return String.fromCharCode(code === 0x7f ? 0x121 : 0x100 + code);
  });
}

/** Finds the longest added token that begins at a place; 0 where none does. */
type AddedLength = (text: string, at: number) => number;

/** Reads the tokens that are found in a text before anything else; `undefined` where one has rules of its own. */
function readAdded(rules: TextRules): AddedLength | undefined {
  const tokens = (rules.added_tokens ?? []) as readonly AddedToken[];
  if (tokens.some((token) => token.normalized || token.lstrip || token.rstrip || token.single_word)) return undefined;
  const contents = tokens.map(({ content }) => content).filter(isAscii);
  // Most are found by their first two characters, of which a text has few.
  const groups = Map.groupBy(contents, (content) => content.slice(0, 2));
  for (const group of groups.values()) group.sort((one, other) => other.length - one.length);
  const begins = new Uint8Array(128);
  for (const content of contents) begins[content.charCodeAt(0)] = 1;
  return (text, at) => {
    if (begins[text.charCodeAt(at)] === 0) return 0;
    const found = groups.get(text.slice(at, at + 2))?.find((content) => text.startsWith(content, at)) ??
      groups.get(text.charAt(at))?.[0];
    return found?.length ?? 0;
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
  readonly known: ReturnType<typeof rememberPreTokens>;
  readonly added: AddedLength;
}

function countWords(rules: PreTokenRules, { known, added }: CountOptions): QuickCounts {
  const isPlain = (text: string): boolean => {
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127 || added(text, at) > 0) return false;
    return true;
  };
  return {
    ascii: { digits: rules.digits },
    count(text): number | undefined {
      if (!isPlain(text)) return undefined;
      let tokens = 0;
      for (let start = 0; start < text.length;) {
        const end = preTokenEnd(text, start, rules);
        tokens += known.count(text, start, end);
        start = end;
      }
      return tokens;
    },
  };
}

/** Counts texts whose words are not told apart: they are cut wherever no token has the two characters beside each other. */
function countPieces(
  spans: Uint32Array,
  { known, added, marksStart }: CountOptions & { readonly marksStart: boolean },
): QuickCounts["count"] {
  const isSpanned = (before: number, after: number): boolean => {
    const pair = before << 7 | after;
    return (spans[pair >> 5]! >>> (pair & 31) & 1) === 1;
  };
  const countSection = (text: string, from: number, to: number): number => {
    let tokens = 0;
    let start = from;
    for (let at = from + 1; at <= to; at++) {
      if (at < to && isSpanned(text.charCodeAt(at - 1), text.charCodeAt(at))) continue;
      tokens += known.count(text, start, at);
      start = at;
    }
    return tokens;
  };
  const countMarked = (text: string): number => countSection(` ${text}`, 0, text.length + 1);
  return (text, follows) => {
    if (!isAscii(text)) return undefined;
    let tokens = 0;
    let start = 0;
    for (let at = 0; at <= text.length;) {
      const length = at < text.length ? added(text, at) : 0;
      if (length === 0 && at < text.length) {
        at++;
        continue;
      }
      const isMarked = marksStart && (start > 0 || !follows);
      if (at > start) tokens += isMarked ? countMarked(text.slice(start, at)) : countSection(text, start, at);
      if (length > 0) tokens++;
      at += Math.max(1, length);
      start = at;
    }
    return tokens;
  };
}
