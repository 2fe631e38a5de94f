import { isCutOfAscii, type Tokenizer } from "./tokenizer.ts";

/**
 * A text with token counts that add up.
 *
 * Only the ends of a text can be tokenized differently when it is joined to another. So it has three parts: `head` up to its first
 * safe cut, `tail` from its last, and the tokens between them, which no neighbour can change. Joining two texts counts only the short
 * piece where they meet; a whole prompt is never encoded again.
 */
export interface Measured {
  readonly text: string;
  /** The text before the first safe cut; the whole text if there is none. */
  readonly head: string;
  /** The text after the last safe cut; empty if there is none. */
  readonly tail: string;
  /** Tokens between the two cuts; -1 if the text has no safe cut. */
  readonly inner: number;
}

/** The empty text; joining it changes nothing. */
export const EMPTY: Measured = { text: "", head: "", tail: "", inner: -1 };

/** Measures a text. */
export function measure(text: string, tokenizer: Tokenizer): Measured {
  let first = 1;
  while (first < text.length && !tokenizer.isCut(text, first)) first++;
  if (first >= text.length) return { text, head: text, tail: "", inner: -1 };
  let last = text.length - 1;
  while (!tokenizer.isCut(text, last)) last--;
  const inner = first === last ? 0 : tokenizer.countAfterCut(text.slice(first, last));
  return { text, head: text.slice(0, first), tail: text.slice(last), inner };
}

/** Measures a line of a table, log or list: without a space between words it is cut at other places, if the tokenizer splits there. */
export function measureLine(text: string, tokenizer: Tokenizer): Measured {
  const measured = measure(text, tokenizer);
  const { ascii, cutsLines } = tokenizer;
  if (measured.inner >= 0 || !(ascii || cutsLines)) return measured;
  const isCut: Tokenizer["isCut"] = (text, at) =>
    (ascii !== undefined || text.charAt(at - 1) === "\n") && isCutOfAscii(text, at);
  return measure(text, { ...tokenizer, isCut });
}

/** Concatenates measured texts. The cost grows with the number of parts, not with their length. */
export function join(parts: readonly Measured[], tokenizer: Tokenizer): Measured {
  const joining = startJoin(tokenizer);
  for (const part of parts) joining.add(part);
  const counts = joining.counts();
  // Two parts without a safe cut can have one at their join.
  if (counts.inner < 0) return measure(counts.head, tokenizer);
  return writeLazily(() => parts.map(({ text }) => text).join(""), counts);
}

/** A concatenation in progress, which can be counted at any time. */
export interface Joining {
  /** Adds a part at the end. */
  add(part: Measured): void;
  /** Counts the tokens of the text so far. */
  tokens(): number;
  /** Returns the ends and the inner count of the text so far. */
  counts(): Omit<Measured, "text">;
}

/** A cache of the tokens at the joins of parts, by position. A concatenation that differs in a few parts reuses most of it. */
export interface Meetings {
  /** The text after the last safe cut. */
  readonly opens: string[];
  readonly heads: string[];
  readonly tokens: number[];
}

/** Starts an empty concatenation, which gives token offsets while parts are added. */
export function startJoin(tokenizer: Tokenizer, meetings?: Meetings): Joining {
  let head = "";
  let headTokens: number | undefined;
  let inner = -1;
  // The text after the last safe cut, or the whole text if there is none, and its tokens once counted.
  let open = "";
  let openTokens: number | undefined;
  let place = 0;
  /** Counts the open piece together with `next`. */
  const countWith = (next: string): number => {
    if (meetings === undefined) return tokenizer.countAfterCut(open + next);
    const { opens, heads, tokens } = meetings;
    if (place < opens.length && opens[place] === open && heads[place] === next) return tokens[place]!;
    opens[place] = open;
    heads[place] = next;
    return tokens[place] = tokenizer.countAfterCut(open + next);
  };
  return {
    add(part): void {
      const known = openTokens;
      openTokens = undefined;
      if (part.inner < 0) {
        open += part.head;
        return;
      }
      if (inner < 0) {
        head = open + part.head;
        inner = part.inner;
      } else {
        // An open piece that was counted for an offset is not counted again.
        const isCounted = known !== undefined && open !== "" && tokenizer.isCut(open + part.head, open.length);
        const meeting = isCounted ? known + tokenizer.countAfterCut(part.head) : countWith(part.head);
        inner += meeting + part.inner;
        place++;
      }
      open = part.tail;
    },
    tokens(): number {
      openTokens ??= inner < 0 ? tokenizer.count(open) : countWith("");
      if (inner < 0) return openTokens;
      headTokens ??= tokenizer.count(head);
      return headTokens + inner + openTokens;
    },
    counts: () => inner < 0 ? { head: open, tail: "", inner } : { head, tail: open, inner },
  };
}

/** Counts the tokens of a measured text. */
export function countTokens(measured: Measured, tokenizer: Tokenizer): number {
  if (measured.inner < 0) return tokenizer.count(measured.text);
  return tokenizer.count(measured.head) + measured.inner + tokenizer.countAfterCut(measured.tail);
}

/** Makes a function that repeats a measured text; the text is counted once. */
export function repeater(unit: Measured, tokenizer: Tokenizer): (times: number) => Measured {
  const meeting = tokenizer.countAfterCut(unit.tail + unit.head);
  return (times) => {
    if (times <= 0) return EMPTY;
    if (unit.inner < 0) return measure(unit.text.repeat(times), tokenizer);
    const inner = unit.inner * times + meeting * (times - 1);
    return writeLazily(() => unit.text.repeat(times), { head: unit.head, tail: unit.tail, inner });
  };
}

/** Makes a measured text of known counts whose text is built when it is first read; most candidates of a fit never are. */
export function writeLazily(write: () => string, counts: Omit<Measured, "text">): Measured {
  return new Lazy(write, counts);
}

// Subtle: an object literal with a getter gets a new hidden class each time, which V8 retains until a full collection. A class has one.
class Lazy implements Measured {
  readonly head: string;
  readonly tail: string;
  readonly inner: number;
  readonly #make: () => string;
  #text: string | undefined;

  constructor(make: () => string, { head, tail, inner }: Omit<Measured, "text">) {
    this.#make = make;
    this.head = head;
    this.tail = tail;
    this.inner = inner;
  }

  get text(): string {
    return this.#text ??= this.#make();
  }
}

/**
 * Makes a function that measures texts of one template, such as lines that differ in a key and a value. The fixed parts are counted
 * once.
 *
 * @param fixed The texts around the fillings. Each except the last ends with a space; each except the first and the last starts with
 * one.
 * @throws {RangeError} If a filling has no space before and after it.
 */
export function measureForm(
  fixed: readonly string[],
  tokenizer: Tokenizer,
): (fillings: readonly string[]) => Measured {
  const isForm = fixed.length > 1 && fixed.slice(0, -1).every((text) => text.endsWith(" ")) &&
    fixed.slice(1, -1).every((text) => text.startsWith(" ") && text.length > 1);
  if (!isForm) {
    throw new RangeError(
      `Cannot measure texts of the template ${
        JSON.stringify(fixed)
      }: it must have a space before and after each filling`,
    );
  }
  const between = fixed.slice(0, -1).map((text) => text.slice(0, -1));
  const [first, ...others] = between.map((text) => measure(text, tokenizer));
  const counts = others.map(({ text }) => tokenizer.countAfterCut(text));
  const last = fixed.at(-1)!;
  // Tokens up to the first filling, without the head; a text without a safe cut is all head.
  const start = first!.inner < 0 ? 0 : first!.inner + tokenizer.countAfterCut(first!.tail);
  return (fillings) => {
    let text = "";
    let inner = start;
    const cuts: number[] = [];
    for (let which = 0; which < between.length; which++) {
      if (which > 0) {
        const filling = ` ${fillings[which - 1]}`;
        inner += tokenizer.countAfterCut(filling) + counts[which - 1]!;
        text += filling;
        cuts.push(text.length);
      }
      text += between[which];
      cuts.push(text.length);
    }
    const tail = ` ${fillings.at(-1)}${last}`;
    text += tail;
    // The first or last character of a filling can make a cut unsafe.
    const isExact = cuts.every((at) => tokenizer.isCut(text, at));
    return isExact ? { text, head: first!.head, tail, inner } : measure(text, tokenizer);
  };
}
