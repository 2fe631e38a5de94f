/** Counts tokens as one model family does. */
export interface Tokenizer {
  readonly name: string;

  /** Counts the tokens of a whole text in linear time, without special tokens such as a start marker. */
  count(text: string): number;

  /**
   * Counts the tokens of a text that follows another one at a safe cut (see {@linkcode Tokenizer.isCut}).
   *
   * Differs from `count` only for tokenizers that mark the start of a text.
   */
  countAfterCut(text: string): number;

  /**
   * Whether no token can span the place before character `at`, whatever surrounds the text. At such a safe cut, the counts of the two
   * sides add up to the count of the whole.
   *
   * @param at From 1 to the length of the text minus 1.
   */
  isCut(text: string, at: number): boolean;

  /** Lists the ends of tokens, in UTF-8 bytes; a token can end inside a character. Only OpenAI's encodings have it. */
  tokenEnds?(text: string): readonly number[];

  /**
   * Set if the tokenizer always splits ASCII words, numbers and punctuation. Every place of {@linkcode isCutOfAscii} is then a safe cut,
   * although `isCut` is false there. Numbers are split into groups of `digits`, from the left.
   */
  readonly ascii?: { readonly digits: number };

  /** Set if the tokenizer splits at least after a line break: every such place of {@linkcode isCutOfAscii} is then a safe cut. */
  readonly cutsLines?: boolean;
}

const SPACE = 0x20;

/**
 * Whether a place is before a single space between two other characters, as between two words.
 *
 * Every tokenizer that attaches a space to the next word (GPT-2 and its successors, SentencePiece) splits here. The character after
 * the space must be known, so a space at the end of a text is no safe cut.
 */
export function isCutBeforeWord(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== SPACE || at < 1 || at + 1 >= text.length) return false;
  return !isBlank(text.charCodeAt(at - 1)) && !isBlank(text.charCodeAt(at + 1));
}

function isBlank(code: number): boolean {
  return code <= SPACE || code === 0x85 || code === 0xa0 || code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f ||
    code === 0x3000 || code === 0xfeff;
}

/**
 * Whether a place is between an ASCII letter and a digit, between one of them and punctuation except an apostrophe, or between a
 * single line break and the next line, unless that starts with a slash.
 */
export function isCutOfAscii(text: string, at: number): boolean {
  if (at < 1 || at >= text.length) return false;
  const [before, after] = [kindAt(text, at - 1), kindAt(text, at)];
  if (before === "line break") {
    const isSingle = at > 1 && isWritten(kindAt(text, at - 2));
    return isSingle && isWritten(after) && text.charCodeAt(at) !== SLASH;
  }
  if (before !== "letter" && before !== "digit") return false;
  return after === "mark" || (before !== after && (after === "letter" || after === "digit"));
}

type Kind = "letter" | "digit" | "mark" | "line break" | "other";

function isWritten(kind: Kind): boolean {
  return kind === "letter" || kind === "digit" || kind === "mark";
}

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return "digit";
  const small = code | 0x20;
  if (small >= 0x61 && small <= 0x7a && code <= 0x7a) return "letter";
  if (code === 0x0a) return "line break";
  return code > SPACE && code < 0x7f && code !== APOSTROPHE ? "mark" : "other";
}

const [APOSTROPHE, SLASH] = [0x27, 0x2f];

/** Whether a place is between a Chinese character and a full-width punctuation mark. */
export function isCutBeforeMark(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0x4e00 && before <= 0x9fff && FULL_WIDTH_MARKS.has(text.charCodeAt(at));
}

const FULL_WIDTH_MARKS: ReadonlySet<number> = new Set(
  [..."。，、；：？！“”‘’（）《》【】…—"].map((mark) => mark.charCodeAt(0)),
);
