import { isSpace, stripEnd } from "@/lib/scorers/mod.ts";

/** A repaired value; objects are maps, so that no key is special. */
export type Repaired = string | number | boolean | null | readonly Repaired[] | ReadonlyMap<string, Repaired>;

/** Deeper nesting exceeds Python's recursion limit (1,000 calls, two or three per level). */
const MAX_LEVELS = 480;

/** The total lookahead in characters, as the original takes quadratic time. */
const MAX_STEPS = 20_000_000;

/** Characters that Python's `str.isdigit` accepts besides decimal digits: superscripts, circled and Ethiopic digits. */
const ODD_DIGIT = new RegExp(
  "[\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea" +
    "\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}" +
    "\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]",
  "u",
);

/** Thrown if the original raises an error. */
class Stop extends Error {}

/** The kind of the current value, which decides where an unquoted string ends. */
type Place = "key" | "value" | "list";

/**
 * Repairs broken JSON exactly as `json_repair.loads` 0.25.2 does, wrong guesses included: a unit after a number turns the rest
 * of the list into a string, and a second object makes a list of both.
 *
 * That version was the newest when Counting-Stars published its scorer (5 July 2024).
 *
 * @returns `undefined` if the original raises an error (digits other than 0 to 9 at the start of a value, nesting beyond
 *   {@linkcode MAX_LEVELS}) or its lookahead is too long.
 */
export function repairJson(text: string): Repaired | undefined {
  const reader = new Repairer(text);
  try {
    return reader.readAll();
  } catch (error) {
    if (error instanceof Stop) return undefined;
    throw error;
  }
}

/** A pass over a text, from the first character to the last. */
class Repairer {
  // By code points, as Python counts characters.
  readonly #text: readonly string[];
  readonly #places: Place[] = [];
  #at = 0;
  #levels = 0;
  #steps = 0;

  constructor(text: string) {
    this.#text = Array.from(text);
  }

  /** Reads all values; several become a list. */
  readAll(): Repaired {
    const found = [this.#readValue()];
    for (let last = this.#at; this.#at < this.#text.length; last = this.#at) {
      const next = this.#readValue();
      if (next !== "") found.push(next);
      if (this.#at === last) this.#at++;
    }
    return found.length === 1 ? found[0]! : found;
  }

  /** Parses the next value; numbers and strings count only inside an object or a list. An empty string means none. */
  #readValue(): Repaired {
    if (++this.#levels > 2 * MAX_LEVELS) throw new Stop();
    try {
      for (;; this.#at++) {
        const mark = this.#text[this.#at];
        if (mark === undefined || mark === "}") return "";
        if (mark === "{") return this.#readObject();
        if (mark === "[") return this.#readList();
        if (this.#places.length === 0) continue;
        if (isQuote(mark) || isLetter(mark)) return this.#readText();
        if (/^[\d.-]$/.test(mark)) return this.#readNumber();
        // Taken for the start of a number that then has no digit: the original loops forever.
        if (/^\p{Nd}$/u.test(mark) || ODD_DIGIT.test(mark)) throw new Stop();
      }
    } finally {
      this.#levels--;
    }
  }

  #readObject(): ReadonlyMap<string, Repaired> {
    this.#enter();
    const fields = new Map<string, Repaired>();
    this.#at++;
    while (!this.#isAt("}")) {
      this.#skipSpace();
      if (this.#text[this.#at] === ":") this.#at++;
      this.#places.push("key");
      this.#skipSpace();
      const key = this.#readKey();
      this.#skipSpace();
      // Subtle: the "key" place stays, so that the text after the object is read as if inside one.
      if (this.#isAt("}")) continue;
      // The colon, or the character at its place.
      this.#at++;
      this.#places.pop();
      this.#places.push("value");
      fields.set(key, this.#readValue());
      this.#places.pop();
      if (isOneOf(this.#text[this.#at], ",'\"")) this.#at++;
      this.#skipSpace();
    }
    this.#at++;
    this.#levels--;
    return fields;
  }

  #readKey(): string {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const key = String(this.#readText());
      if (key !== "") return key;
      if (this.#text[this.#at] === ":") return "empty_placeholder";
      if (this.#at === start) this.#at++;
    }
    return "";
  }

  #readList(): readonly Repaired[] {
    this.#enter();
    const list: Repaired[] = [];
    this.#at++;
    this.#places.push("list");
    while (!this.#isAt("]")) {
      this.#skipSpace();
      const value = this.#readValue();
      if (value === "") break;
      const isEllipsis = value === "..." && this.#text[this.#at - 1] === ".";
      if (!isEllipsis) list.push(value);
      while (this.#text[this.#at] === "," || isSpaceMark(this.#text[this.#at])) this.#at++;
    }
    if (this.#isAt("]")) this.#at++;
    this.#places.pop();
    this.#levels--;
    return list;
  }

  /** Enters a level of nesting; callers leave it, as an error ends the parse. */
  #enter(): void {
    if (++this.#levels > 2 * MAX_LEVELS) throw new Stop();
  }

  /** Reads a run of characters that numbers are made of; if it is no number, it stays a string. */
  #readNumber(): Repaired {
    // Outside a list a comma is taken for a thousands separator.
    const marks = this.#places.at(-1) === "list" ? "0123456789-.eE/" : "0123456789-.eE/,";
    const start = this.#at;
    while (isOneOf(this.#text[this.#at], marks)) this.#at++;
    if (this.#at - start > 1 && isOneOf(this.#text[this.#at - 1], "-eE/,")) this.#at--;
    const number = this.#text.slice(start, this.#at).join("");
    if (number === "-") {
      this.#enter();
      const value = this.#readValue();
      this.#levels--;
      return value;
    }
    return /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?$/i.test(number) ? Number(number) : number;
  }

  /** Reads `true`, `false` or `null` in any case; an empty string means none. */
  #readWord(): Repaired {
    for (const [word, value] of [["true", true], ["false", false], ["null", null]] as const) {
      if (this.#text.slice(this.#at, this.#at + word.length).join("").toLowerCase() !== word) continue;
      this.#at += word.length;
      return value;
    }
    return "";
  }

  /** Reads a string with or without quotation marks, guessing which of the marks ends it. */
  #readText(): Repaired {
    const text = this.#text;
    while (this.#at < text.length && !isQuote(text[this.#at]!) && !isLetter(text[this.#at]!)) this.#at++;
    const first = text[this.#at];
    if (first === undefined) return "";
    const isBare = !isQuote(first);
    const place = this.#places.at(-1);
    if (isBare && place !== "key") {
      const word = this.#readWord();
      if (word !== "") return word;
    }
    const opening = isBare ? '"' : first;
    const closing = opening === "“" ? "”" : opening;
    if (!isBare) this.#at++;
    // ""text"": only if the end is doubled too.
    const isDoubled = text[this.#at] === opening && text[this.#find(closing, this.#at + 1) + 1] === closing;
    if (isDoubled) this.#at++;
    const read: string[] = [];
    const take = (): void => void read.push(text[this.#at++]!);
    let isSpaced = false;
    while (this.#at < text.length && text[this.#at] !== closing) {
      const mark = text[this.#at]!;
      isSpaced = isBare && place === "key" && isSpaceMark(mark);
      if (isSpaced || (isBare && place === "key" && mark === ":")) break;
      if (isBare && place === "value" && isOneOf(mark, ",}") && !this.#hasEnd(closing)) break;
      take();
      if (read.length > 1 && read.at(-1) === "\\") this.#unescape(read, closing);
      if (text[this.#at] !== closing) continue;
      if (isDoubled && text[this.#at + 1] === closing) continue;
      if (isBare && place === "value") {
        if (!this.#beginsKey(opening + closing)) continue;
        this.#at--;
        break;
      }
      if (this.#isMisplaced(opening, closing)) take();
    }
    if (isSpaced) {
      this.#skipSpace();
      if (!isOneOf(text[this.#at], ":,")) return "";
    } else if (text[this.#at] === closing) this.#at++;
    return stripEnd(read.join(""));
  }

  /** Replaces an escape; `\u` and others lose only their backslash. */
  #unescape(read: string[], closing: string): void {
    read.pop();
    const mark = this.#text[this.#at];
    if (!isOneOf(mark, `${closing}tnrb\\`)) return;
    read.push(({ t: "\t", n: "\n", r: "\r", b: "\b" } as Readonly<Record<string, string>>)[mark!] ?? mark!);
    this.#at++;
  }

  /** Whether an unquoted string continues after a comma or brace: a closing mark follows, then another comma or brace. */
  #hasEnd(closing: string): boolean {
    const end = this.#find(closing, this.#at + 1);
    return isOneOf(this.#text[this.#pastSpace(end + 1)], ",}");
  }

  /** Whether a mark starts the next key: another mark and a colon follow. */
  #beginsKey(quotes: string): boolean {
    const end = this.#find(quotes, this.#at + 1);
    return end < this.#text.length && this.#text[this.#pastSpace(end + 1)] === ":";
  }

  /** Whether a closing mark is part of the string. */
  #isMisplaced(opening: string, closing: string): boolean {
    const text = this.#text;
    const place = this.#places.at(-1);
    const isIn = (wanted: Place): boolean => this.#places.includes(wanted);
    const ends = (isIn("key") ? ":}" : "") + (isIn("value") ? "}" : "") + (isIn("list") ? "]," : "");
    let next = this.#at + 1;
    let isWordless = true;
    for (; next < text.length && text[next] !== closing && text[next] !== opening; next++) {
      this.#count(1);
      if (isLetter(text[next]!)) isWordless = false;
      if (isOneOf(text[next], ends) || (isWordless && place === "value" && text[next] === ",")) break;
    }
    if (place !== "value") return false;
    if (text[next] === ",") {
      // The last string of an object, with a quoted word in it.
      return text[this.#pastSpace(this.#find(closing, next + 1) + 1)] === "}";
    }
    if (text[next] !== closing) return false;
    // A key would have a colon.
    const colon = this.#find(`:,${opening}${closing}`, this.#find(closing, next + 1) + 1);
    return text[colon] !== ":";
  }

  /** Finds the first of some characters from a position on; the end of the text if there is none. */
  #find(marks: string, from: number): number {
    let at = from;
    while (at < this.#text.length && !marks.includes(this.#text[at]!)) at++;
    this.#count(at - from);
    return at;
  }

  #count(steps: number): void {
    this.#steps += Math.max(0, steps);
    if (this.#steps > MAX_STEPS) throw new Stop();
  }

  #pastSpace(from: number): number {
    let at = from;
    while (isSpaceMark(this.#text[at])) at++;
    this.#count(at - from);
    return at;
  }

  #skipSpace(): void {
    while (isSpaceMark(this.#text[this.#at])) this.#at++;
  }

  /** Whether a mark comes next, or the end. */
  #isAt(mark: string): boolean {
    return (this.#text[this.#at] ?? mark) === mark;
  }
}

function isQuote(mark: string): boolean {
  return mark === '"' || mark === "'" || mark === "“";
}

function isLetter(mark: string): boolean {
  return /^\p{L}$/u.test(mark);
}

function isSpaceMark(mark: string | undefined): boolean {
  return mark !== undefined && isSpace(mark.charCodeAt(0));
}

function isOneOf(mark: string | undefined, marks: string): boolean {
  return mark !== undefined && marks.includes(mark);
}
