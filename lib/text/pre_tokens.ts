/** How an encoding splits ASCII text into pre-tokens; a tiktoken pattern as properties. */
export interface PreTokenRules {
  /** What may precede the letters in their pre-token: a space, or any one character except a line break. */
  readonly lead: "space" | "any";
  /** Whether a capital starts a pre-token and a contraction (`'s`) belongs to its word. */
  readonly isCased: boolean;
  /** Maximum number of digits in a pre-token. */
  readonly digits: number;
  /** Whether digits are split off first, so that no space belongs to them. */
  readonly hasDigitsFirst?: boolean;
}

/** Returns the rules of a tiktoken pattern. */
export function rulesOf(pattern: string): PreTokenRules {
  const isCased = pattern.includes("\\p{Lu}");
  const lead = pattern.includes("[^\\r\\n\\p{L}\\p{N}]?") ? "any" : "space";
  return { lead, isCased, digits: lead === "any" ? 3 : Infinity };
}

const [LOWER, UPPER, OTHER, DIGIT, MARK, SPACE, BLANK, LINE_BREAK] = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** The kind of each UTF-16 unit; all outside ASCII are `OTHER`. */
const KINDS: Uint8Array = new Uint8Array(2 ** 16).fill(OTHER);
for (let code = 0; code < 128; code++) KINDS[code] = kindOf(String.fromCharCode(code));

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return LINE_BREAK;
  if (character === " ") return SPACE;
  return /\s/.test(character) ? BLANK : MARK;
}

const [APOSTROPHE, SLASH] = [0x27, 0x2f];

/** The UTF-16 units of a text in an array, which is read much faster than the string. */
export class TextUnits {
  /** The units; only the first `length` are in use. */
  units: Uint16Array = new Uint16Array(2 ** 8);
  length = 0;
  #text = "";
  #from = 0;

  /** Replaces the units by those of `text` from `from` up to `to`. */
  read(text: string, from = 0, to: number = text.length): this {
    [this.#text, this.#from, this.length] = [text, from, to - from];
    if (this.length > this.units.length) this.units = new Uint16Array(2 * this.length);
    const { units, length } = this;
    for (let at = 0; at < length; at++) units[at] = text.charCodeAt(from + at);
    return this;
  }

  /** Returns the text of the units from `from` up to `to`. */
  write(from: number, to: number): string {
    return this.#text.slice(this.#from + from, this.#from + to);
  }
}

/**
 * Returns the end of the pre-token that starts at `start`, ten times as fast as the pattern. Exact if the pre-token and the two
 * characters after it are ASCII.
 */
export function preTokenEnd(text: TextUnits, start: number, rules: PreTokenRules): number {
  const { units, length } = text;
  const { lead, isCased, digits, hasDigitsFirst = false } = rules;
  const kind = KINDS[units[start]!]!;
  if (!isCased && units[start] === APOSTROPHE) {
    const end = contractionEnd(text, start, lead === "any");
    if (end > start) return end;
  }
  let at = start;
  let first = kind;
  const isLead = lead === "any" ? kind >= MARK && kind !== LINE_BREAK : kind === SPACE;
  if (isLead && start + 1 < length) {
    const next = KINDS[units[start + 1]!]!;
    const takes = next <= UPPER ||
      (kind === SPACE && (next === MARK || (next === DIGIT && lead === "space" && !hasDigitsFirst)));
    if (takes) [at, first] = [start + 1, next];
  }
  if (first <= UPPER) return wordEnd(text, at, isCased);
  if (first === DIGIT) {
    const limit = Math.min(length, at + digits);
    while (at < limit && KINDS[units[at]!] === DIGIT) at++;
    return at;
  }
  if (first !== MARK) return blankEnd(text, start, rules);
  while (at < length && KINDS[units[at]!] === MARK) at++;
  if (lead === "space") return at;
  while (at < length && (KINDS[units[at]!] === LINE_BREAK || (isCased && units[at] === SLASH))) at++;
  return at;
}

function wordEnd(text: TextUnits, start: number, isCased: boolean): number {
  const { units, length } = text;
  let at = start;
  if (!isCased) {
    while (at < length && KINDS[units[at]!]! <= UPPER) at++;
    return at;
  }
  while (at < length && KINDS[units[at]!] === UPPER) at++;
  while (at < length && KINDS[units[at]!] === LOWER) at++;
  return at < length && units[at] === APOSTROPHE ? contractionEnd(text, at, true) : at;
}

/** Returns the end of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` at an apostrophe, or `at` itself if there is none. */
function contractionEnd(text: TextUnits, at: number, isCapitalToo: boolean): number {
  const written = text.write(at + 1, Math.min(text.length, at + 3));
  const ending = isCapitalToo ? written.toLowerCase() : written;
  const one = ending.charAt(0);
  if (one !== "" && "stmd".includes(one)) return at + 2;
  return ending === "re" || ending === "ve" || ending === "ll" ? at + 3 : at;
}

/** Returns the end of white space: up to its last line break if that ends a pre-token, else all but the one before a word. */
function blankEnd({ units, length }: TextUnits, start: number, { lead, hasDigitsFirst }: PreTokenRules): number {
  let at = start;
  let lineEnd = 0;
  while (at < length && KINDS[units[at]!]! >= SPACE) {
    if (KINDS[units[at]!] === LINE_BREAK) lineEnd = at + 1;
    at++;
  }
  if (lead === "any" && lineEnd > 0) return lineEnd;
  if (hasDigitsFirst && at < length && KINDS[units[at]!] === DIGIT) return at;
  return at < length && at - start > 1 ? at - 1 : at;
}

/** A pattern of pre-tokens, and its rules for ASCII. */
export interface PreTokenPattern {
  readonly rules: PreTokenRules;
  /** A sticky pattern that matches one pre-token and looks at no more than one character after it. */
  readonly pattern: RegExp;
}

/** Makes a function that counts the tokens of a text; `countNew` counts each new pre-token. */
export function textCounter(
  { rules, pattern }: PreTokenPattern,
  countNew: (preToken: string) => number,
): (text: string) => number {
  const known = cachePreTokens(countNew);
  const stretch = new TextUnits();
  const isOther = (at: number): boolean => at < stretch.length && stretch.units[at]! > 127;
  /** Returns the end of the pre-token at a place of the stretch, which starts at `from` in the text. */
  const endOf = (start: number, text: string, from: number): number => {
    if (!isOther(start)) {
      const end = preTokenEnd(stretch, start, rules);
      if (!isOther(end) && !isOther(end + 1)) return end;
    }
    pattern.lastIndex = from + start;
    return pattern.test(text) ? pattern.lastIndex - from : start + 1;
  };
  return (text) => {
    let tokens = 0;
    for (let from = 0; from < text.length; from += stretch.length) {
      stretch.read(text, from, stretchEnd(text, from));
      for (let start = 0; start < stretch.length;) {
        const end = endOf(start, text, from);
        tokens += known.count(stretch, start, end);
        start = end;
      }
    }
    return tokens;
  };
}

/** Longer texts are counted in stretches of about this many characters, to bound memory. */
const STRETCH_LENGTH = 2 ** 14;

/** Returns the end of a stretch: before a space between two lower-case letters, where every pattern starts a pre-token. */
function stretchEnd(text: string, from: number): number {
  for (let at = from + STRETCH_LENGTH; at + 1 < text.length; at++) {
    if (text.charCodeAt(at) === 0x20 && isSmall(text, at - 1) && isSmall(text, at + 1)) return at;
  }
  return text.length;
}

function isSmall(text: string, at: number): boolean {
  return KINDS[text.charCodeAt(at)] === LOWER;
}

/** Cached token counts of pre-tokens, looked up without making substrings. */
export interface PreTokenCounts {
  /** Counts the tokens of the pre-token from `start` up to `end`. */
  count(text: TextUnits, start: number, end: number): number;
}

/** Pre-tokens of up to three ASCII characters, such as parts of UUIDs and numbers, are looked up in a table. */
const [SHORT, ASCII_BITS] = [3, 7];
/** Longer pre-tokens are rare and not cached. */
const MAX_CACHED_LENGTH = 24;
/** Bounds the cache to about 7 MB. */
const [MAX_CACHED, SLOT_BITS] = [2 ** 17, 18];

/** Caches the counts of `countNew`. */
export function cachePreTokens(countNew: (preToken: string) => number): PreTokenCounts {
  const shortOnes = new Uint8Array(2 ** (SHORT * ASCII_BITS));
  const slots = new Int32Array(2 ** SLOT_BITS);
  const hashes = new Int32Array(MAX_CACHED + 1);
  const counts = new Uint8Array(MAX_CACHED + 1);
  const starts = new Int32Array(MAX_CACHED + 2);
  let letters = new Uint16Array(2 ** 16);
  let known = 0;
  const isKnown = (entry: number, units: Uint16Array, start: number): boolean => {
    const [from, to] = [starts[entry]!, starts[entry + 1]!];
    for (let at = from; at < to; at++) if (letters[at] !== units[start + at - from]) return false;
    return true;
  };
  const remember = (text: string, { hash, slot, tokens }: { hash: number; slot: number; tokens: number }): void => {
    if (known === MAX_CACHED) {
      slots.fill(0);
      known = 0;
      return;
    }
    known++;
    const from = starts[known]!;
    if (from + text.length > letters.length) {
      const longer = new Uint16Array(2 * letters.length);
      longer.set(letters);
      letters = longer;
    }
    for (let at = 0; at < text.length; at++) letters[from + at] = text.charCodeAt(at);
    [slots[slot], hashes[known], counts[known], starts[known + 1]] = [known, hash, tokens, from + text.length];
  };
  return {
    count(text, start, end): number {
      const { units } = text;
      const length = end - start;
      if (length <= SHORT) {
        const place = shortPlace(units, start, length);
        if (place > 0) return shortOnes[place] ||= countNew(text.write(start, end));
      }
      if (length > MAX_CACHED_LENGTH) return countNew(text.write(start, end));
      let hash = length;
      for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at]!, 0x01000193);
      let slot = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - SLOT_BITS);
      for (; slots[slot] !== 0; slot = (slot + 1) & (2 ** SLOT_BITS - 1)) {
        const entry = slots[slot]!;
        if (hashes[entry] === hash && starts[entry + 1]! - starts[entry]! === length && isKnown(entry, units, start)) {
          return counts[entry]!;
        }
      }
      const preToken = text.write(start, end);
      const tokens = countNew(preToken);
      remember(preToken, { hash, slot, tokens });
      return tokens;
    },
  };
}

/** Returns the place of a short text in the table; 0 if it has none. */
function shortPlace(units: Uint16Array, start: number, length: number): number {
  const first = units[start]!;
  const second = length > 1 ? units[start + 1]! : 0;
  const third = length > 2 ? units[start + 2]! : 0;
  if ((first | second | third) > 127) return 0;
  // Zero marks the end of a shorter text.
  if (units[start + length - 1] === 0) return 0;
  return first | second << ASCII_BITS | third << (2 * ASCII_BITS);
}
