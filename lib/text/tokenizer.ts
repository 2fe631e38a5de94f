/** Counts the tokens of a text as one model family does. */
export interface Tokenizer {
  /** Its name in sample ids and records. */
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
   * Whether no token can span the place before character `at`, from 1 to the text's length less 1, whatever surrounds the
   * text. At such a safe cut, the counts of the two sides add up to the count of the whole.
   */
  isCut(text: string, at: number): boolean;

  /**
   * Lists the UTF-8 bytes before the end of each token; a token can end inside a character. Only the encodings that come
   * with Fathom have it.
   */
  tokenEnds?(text: string): readonly number[];

  /**
   * Set where words, numbers and marks of ASCII are told apart whatever stands around them: every place of
   * {@linkcode isCutOfAscii} is a safe cut then, though `isCut` does not say so, and digits are cut into groups of so many, from
   * the first of them.
   */
  readonly ascii?: { readonly digits: number };

  /** Set where at least a line is told from the line break before it: every such place of {@linkcode isCutOfAscii} is safe. */
  readonly cutsLines?: boolean;
}

const SPACE = 0x20;

/**
 * Whether a place lies before a single space between two other characters, as between two words.
 *
 * Every tokenizer whose pre-tokenizer attaches a space to the word after it (GPT-2 and its successors, SentencePiece) cuts
 * here. The character after the space must be known, so the last character of a text is never enough.
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
 * Whether a place lies between a letter and a digit, between one of them and a mark after it that is no apostrophe, or between a
 * single line break and what begins the next line, all of ASCII. A slash at the beginning of a line is not told apart.
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

/** Whether a place lies between a Chinese character and a full-width punctuation mark after it. */
export function isCutBeforeMark(text: string, at: number): boolean {
  if (at < 1 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  return before >= 0x4e00 && before <= 0x9fff && FULL_WIDTH_MARKS.has(text.charCodeAt(at));
}

const FULL_WIDTH_MARKS: ReadonlySet<number> = new Set(
  [..."。，、；：？！“”‘’（）《》【】…—"].map((mark) => mark.charCodeAt(0)),
);
