import type { Tokenizer } from "./tokenizer.ts";

/**
 * A text whose tokens are counted so that counts add up.
 *
 * Only the ends of a text can be tokenized differently when it is joined to another. So it is kept in three parts: `head` up
 * to its first safe cut, `tail` from its last, and the tokens between, which no neighbour can change. To join two texts, only
 * the short piece where they meet is counted; a whole prompt is never encoded again.
 */
export interface Measured {
  /** The whole text. */
  readonly text: string;
  /** The text before the first safe cut; all of it where there is none. */
  readonly head: string;
  /** The text after the last safe cut; empty where there is none. */
  readonly tail: string;
  /** Tokens between the two cuts, or -1 where the text has no safe cut. */
  readonly inner: number;
}

/** The empty text; joining it changes nothing. */
export const EMPTY: Measured = { text: "", head: "", tail: "", inner: -1 };

/** Measures a text, so that it can be joined to others. */
export function measure(text: string, tokenizer: Tokenizer): Measured {
  let first = 1;
  while (first < text.length && !tokenizer.isCut(text, first)) first++;
  if (first >= text.length) return { text, head: text, tail: "", inner: -1 };
  let last = text.length - 1;
  while (!tokenizer.isCut(text, last)) last--;
  const inner = first === last ? 0 : tokenizer.countAfterCut(text.slice(first, last));
  return { text, head: text.slice(0, first), tail: text.slice(last), inner };
}

/** Joins measured texts end to end; the cost grows with the number of parts, not with their length. */
export function join(parts: readonly Measured[], tokenizer: Tokenizer): Measured {
  const joining = startJoin(tokenizer);
  for (const part of parts) joining.add(part);
  const counts = joining.counts();
  // Two parts without a cut of their own can have one where they meet.
  return counts.inner < 0 ? measure(counts.head, tokenizer) : joinLazily(() => parts, counts);
}

/** A join in progress, which can be counted at any time. */
export interface Joining {
  /** Adds a part at the end. */
  add(part: Measured): void;
  /** Counts the tokens of everything added, as the tokenizer counts that text alone. */
  tokens(): number;
  /** Returns the ends and the inner count of everything added. */
  counts(): Omit<Measured, "text">;
}

/**
 * What joins remember of one another: where their parts met, by the number of the meeting. Empty at first. A join that is made
 * again with some parts changed has most of its meetings again.
 */
export interface Meetings {
  /** What stood open, after the last safe cut. */
  readonly opens: string[];
  /** The head of the part that followed. */
  readonly heads: string[];
  /** The tokens of the two together. */
  readonly tokens: number[];
}

/** Starts an empty join, for offsets while parts are added. */
export function startJoin(tokenizer: Tokenizer, meetings?: Meetings): Joining {
  let head = "";
  let headTokens: number | undefined;
  let inner = -1;
  // The text after the last safe cut, or all of it while there is none, and its tokens once they are counted.
  let open = "";
  let openTokens: number | undefined;
  let place = 0;
  /** Counts the open piece with the head of the next part, or with nothing after it. */
  const countWith = (next: string): number => {
    if (meetings === undefined) return countMeeting(open + next, tokenizer);
    const { opens, heads, tokens } = meetings;
    if (place < opens.length && opens[place] === open && heads[place] === next) return tokens[place]!;
    opens[place] = open;
    heads[place] = next;
    return tokens[place] = countMeeting(open + next, tokenizer);
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
        open = part.tail;
        return;
      }
      if (known !== undefined && open !== "" && tokenizer.isCut(open + part.head, open.length)) {
        // Already counted for an offset.
        inner += known + countMeeting(part.head, tokenizer) + part.inner;
      } else inner += countWith(part.head) + part.inner;
      open = part.tail;
      place++;
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

/** Counts the tokens of a measured text, as the tokenizer counts the whole. */
export function countTokens(measured: Measured, tokenizer: Tokenizer): number {
  if (measured.inner < 0) return tokenizer.count(measured.text);
  return tokenizer.count(measured.head) + measured.inner + tokenizer.countAfterCut(measured.tail);
}

/** Counts the piece between two safe cuts where two measured texts meet. */
export function countMeeting(text: string, tokenizer: Tokenizer): number {
  return text === "" ? 0 : tokenizer.countAfterCut(text);
}

/** Makes a function that repeats a measured text without counting it again. */
export function repeater(unit: Measured, tokenizer: Tokenizer): (times: number) => Measured {
  const meeting = countMeeting(unit.tail + unit.head, tokenizer);
  return (times) => {
    if (times <= 0) return EMPTY;
    if (unit.inner < 0) return measure(unit.text.repeat(times), tokenizer);
    const inner = unit.inner * times + meeting * (times - 1);
    return writeLazily(() => unit.text.repeat(times), { head: unit.head, tail: unit.tail, inner });
  };
}

/** Joins parts whose counts are known already. */
export function joinLazily(parts: () => readonly Measured[], counts: Omit<Measured, "text">): Measured {
  return writeLazily(() => parts().map((part) => part.text).join(""), counts);
}

/**
 * Makes a measured text of known counts that is written once, and only when it is read: fitting a prompt counts many that are
 * never sent.
 */
export function writeLazily(write: () => string, counts: Omit<Measured, "text">): Measured {
  return new Lazy(write, counts);
}

// Subtle: an object with a getter of its own is of a new shape each time it is made, which V8 keeps, and all that it reaches,
// until the next collection of everything. Those of a class have one.
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
 * Makes a function that measures texts of one form, such as lines that differ in a key and a value. What they share is
 * counted once.
 *
 * `fixed` holds the texts around the fillings: each but the last ends with a space, and each but the first and the last
 * begins with one.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openEncoding } from "@/lib/text/mod.ts";
 *
 * const line = measureForm(["The secret of ", " is ", ".\n"], await openEncoding("cl100k_base"));
 * equal(line(["calm-river", "1234567"]).text, "The secret of calm-river is 1234567.\n");
 * ```
 */
export function measureForm(
  fixed: readonly string[],
  tokenizer: Tokenizer,
): (fillings: readonly string[]) => Measured {
  checkForm(fixed);
  const between = fixed.slice(0, -1).map((text) => text.slice(0, -1));
  const [first, ...others] = between.map((text) => measure(text, tokenizer));
  const counts = others.map(({ text }) => tokenizer.countAfterCut(text));
  const last = fixed.at(-1)!;
  // The count up to the first filling, less the head; a text without a cut is all head.
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
    // A filling's first or last character can make a cut unsafe.
    const isExact = cuts.every((at) => tokenizer.isCut(text, at));
    return isExact ? { text, head: first!.head, tail, inner } : measure(text, tokenizer);
  };
}

function checkForm(fixed: readonly string[]): void {
  const isForm = fixed.length > 1 &&
    fixed.every((text, which) =>
      (which === fixed.length - 1 || text.endsWith(" ")) &&
      (which === 0 || which === fixed.length - 1 || (text.startsWith(" ") && text.length > 1))
    );
  if (isForm) return;
  throw new RangeError(
    `Cannot measure a form as its texts must have spaces around each filling: current value is ${
      JSON.stringify(fixed)
    }`,
  );
}
