import { once, shownJson } from "@/lib/base/mod.ts";
import type { Role } from "./prompt.ts";
import type { Fact, FactRole } from "./task.ts";
import {
  countTokens,
  EMPTY,
  growIndex,
  type Haystack,
  join,
  measure,
  type Measured,
  measureLine,
  normaliseSpace,
  type Tokenizer,
  writeLazily,
} from "@/lib/text/mod.ts";

/** A fact in a part. */
export interface PartFact extends Omit<Fact, "depth" | "tokenOffset"> {
  /**
   * If several questions are asked of a context: the value that answers each of those that ask for the fact, by number. For other
   * questions the fact is a distractor.
   */
  readonly answers?: Readonly<Record<number, string>>;
}

/** A stretch of prompt: plain text, one fact, or a run of smaller stretches. */
export interface Part {
  /** Its text, with its tokens counted. */
  readonly measured: Measured;
  readonly fact?: PartFact;
  /** The role of the message that starts here; such a part has no text, and is in no `parts`. */
  readonly starts?: Role;
  /** Its parts, if facts are among them; `measured` is their concatenation. */
  readonly parts?: readonly Part[];
  /** Shows the facts in it one by one, or those of one role, instead of `parts`, if its maker knows their tokens. */
  readonly seeFacts?: (see: SeeFact, wanted?: FactRole) => void;
  /** The role of the facts in it, if all have the same. */
  readonly role?: FactRole;
}

/** Takes a fact with the tokens before it and those up to its end, counted from the first safe cut of its part. */
export type SeeFact = (fact: PartFact, from: number, to: number) => void;

/** Text to hide needles in, unit by unit. */
export interface Filler {
  /** Returns units `from` up to, not including, `to`; `isFirst`: whether they start a line, by default if `from` is 0. */
  run(from: number, to: number, isFirst?: boolean): readonly Part[];
  /** Formats a needle's sentence for a place between units; the first in a context has no leading space. */
  needle(sentence: string, isFirst: boolean): Measured;
  /** What separates the context from the question. */
  readonly beforeQuestion: string;
  /** Offers fillers that use up a gap too small for another unit, the tightest first, each with the units it adds. */
  tighten?(size: number, gap: number): Iterable<{ readonly filler: Filler; readonly added: number }>;
}

/** The number of sentences to try for a gap: a count can differ by a token at the joins. */
const MOST_TRIES = 8;

/**
 * Fills with essays from sentence `start` on, again and again; the longest sentence that fits closes the last gap.
 *
 * @param closing A number of sentences, and the one that comes after them.
 */
export function essayFiller(
  essays: Haystack,
  source: { readonly start: number; readonly tokenizer: Tokenizer },
  [size, last]: readonly [number, Measured] = [Infinity, EMPTY],
): Filler {
  const { start, tokenizer } = source;
  return {
    beforeQuestion: "\n",
    run(from, to, isFirst = from === 0): Part[] {
      const count = Math.min(to, size) - from;
      const texts = [...(count > 0 ? [essays.run(start + from, count)] : []), ...(to > size ? [last] : [])];
      return texts.map((text, part) => ({ measured: isFirst && part === 0 ? dropSpace(text) : text }));
    },
    needle: (sentence, isFirst) => measure(isFirst ? sentence : essays.separator + sentence, tokenizer),
    *tighten(sizeNow, gap): Generator<{ filler: Filler; added: number }> {
      const fitting = countBelow(essays.byLength, gap);
      const tried = essays.byLength.slice(Math.max(0, fitting - MOST_TRIES), fitting).toReversed();
      for (const { sentence } of tried) {
        yield { filler: essayFiller(essays, source, [sizeNow, essays.run(sentence, 1)]), added: 1 };
      }
    },
  };
}

/** Counts the sentences of at most `tokens` tokens. */
function countBelow(byLength: Haystack["byLength"], tokens: number): number {
  let low = 0;
  let high = byLength.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byLength[middle]!.tokens <= tokens) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Drops the space at the start of a text that begins a line. */
function dropSpace(measured: Measured): Measured {
  const { head, tail, inner } = measured;
  if (!head.startsWith(" ")) return measured;
  return writeLazily(() => measured.text.slice(1), { head: head.slice(1), tail, inner });
}

/** Where lines come from. */
export interface LineSource {
  readonly draw: () => Part;
  readonly tokenizer: Tokenizer;
  /** How often each line may be redrawn to close a gap; once by default. */
  readonly passes?: number;
}

/**
 * Fills with lines drawn on demand; a gap is closed by drawing some of them again, a little longer.
 *
 * @param given The first lines, if they are drawn already.
 */
export function lineFiller(source: LineSource, given: readonly Part[] = []): Filler {
  const { draw, tokenizer, passes = 1 } = source;
  const lines: Part[] = [];
  const index = growIndex(tokenizer);
  let hasFacts = false;
  const add = (line: Part): void => {
    lines.push(line);
    index.push(line.measured);
    hasFacts ||= line.fact !== undefined || line.seeFacts !== undefined || line.parts !== undefined;
  };
  given.forEach(add);
  return {
    beforeQuestion: "",
    run(from, to): Part[] {
      while (lines.length < to) add(readLine(draw(), tokenizer));
      return [{ measured: index.slice(from, to), ...(hasFacts ? { parts: lines.slice(from, to) } : {}) }];
    },
    needle: (sentence) => measure(`${sentence}\n`, tokenizer),
    *tighten(size, gap): Generator<{ filler: Filler; added: number }> {
      const longer = lines.slice(0, size);
      // A line between its neighbours, as tokens can join where they meet.
      const tokensAt = (at: number, line: Part): number => {
        const parts = [...longer.slice(Math.max(0, at - 1), at), line, ...longer.slice(at + 1, at + 2)];
        return countTokens(join(parts.map(({ measured }) => measured), tokenizer), tokenizer);
      };
      let left = gap;
      for (let tried = 0; tried < size * passes && left > 0; tried++) {
        const at = tried % size;
        const candidate = readLine(draw(), tokenizer);
        const rough = countTokens(candidate.measured, tokenizer) - countTokens(longer[at]!.measured, tokenizer);
        if (rough <= 0 || rough > left) continue;
        const gain = tokensAt(at, candidate) - tokensAt(at, longer[at]!);
        if (gain <= 0 || gain > left) continue;
        longer[at] = candidate;
        left -= gain;
      }
      yield { filler: lineFiller(source, longer), added: 0 };
    },
  };
}

/** Measures a drawn line in as many pieces as its tokenizer allows; refuses what is no line. */
function readLine(line: Part, tokenizer: Tokenizer): Part {
  const { measured } = line ?? {};
  if (measured !== undefined && measured.inner >= 0) return line;
  if (typeof measured?.text === "string" && measured.text !== "" && measured.inner === -1) {
    return { ...line, measured: measureLine(measured.text, tokenizer) };
  }
  const wanted = 'draw() must return { measured: measure("a line\\n", tokenizer) }';
  throw new TypeError(`Cannot fill with lines as ${wanted}: current value is ${shownJson(line)}`);
}

/** What essays must not contain. */
export interface Forbidden {
  readonly task: string;
  /** A text, or a pattern in which all white space is one space. */
  readonly mark: string | RegExp;
  /** Its name in the message, such as `the needle`. */
  readonly called: string;
}

/** Refuses essays that already contain what a task hides in them, as its question would have two answers. */
export function checkEssays(essays: Haystack, { task, mark, called }: Forbidden): true {
  // A little more than all of it, so that the seam is checked too.
  const wanted = typeof mark === "string" ? normaliseSpace(mark) : mark;
  const place = findMark(essays.run(0, essays.size + 2).text, wanted);
  if (place === null) return true;
  const number = essays.texts.findIndex((text) => findMark(normaliseSpace(text), wanted) !== null);
  const file = essays.textNames?.[number];
  throw new RangeError(
    `Cannot make task ${task} as the essays ${essays.name} must not hold ${called}: current value is "${place}"` +
      `${file === undefined ? "" : ` in ${file}`} (take it out of that text, or leave the text out)`,
  );
}

/** Finds a mark and quotes it with some words around it; `null` if a text does not contain it. */
export function findMark(text: string, mark: string | RegExp): string | null {
  const at = typeof mark === "string" ? text.indexOf(mark) : text.search(mark);
  if (at < 0) return null;
  const length = typeof mark === "string" ? mark.length : mark.exec(text)![0].length;
  const [start, end] = [Math.max(0, at - 20), Math.min(text.length, at + length + 20)];
  return `${start > 0 ? "…" : ""}${text.slice(start, end).trim()}${end < text.length ? "…" : ""}`;
}

/** A part to plant in filler. */
export interface Planted {
  readonly at: number;
  /** Makes the part; `isFirst`: whether it is the first in the context. */
  part(isFirst: boolean): Part;
}

/** Returns a needle's part for {@linkcode Planted}, measured once for all sizes. */
export function plantOnce(filler: Filler, fact: PartFact): Planted["part"] {
  const make = (isFirst: boolean): Part => ({ measured: filler.needle(fact.text, isFirst), fact });
  const [first, other] = [once(() => make(true)), once(() => make(false))];
  return (isFirst) => isFirst ? first() : other();
}

/**
 * Fills a context with `size` units of filler and the planted parts between them, given in order. With `breaksLines`, filler
 * after a part that ends in a line break begins a line, without its leading space.
 */
export function plantFacts(
  planted: readonly Planted[],
  options: { readonly filler: Filler; readonly size: number; readonly breaksLines?: boolean },
): Part[] {
  const { filler, size, breaksLines = false } = options;
  const parts: Part[] = [];
  let filled = 0;
  let isLineStart = true;
  const fillTo = (at: number): void => {
    if (at <= filled) return;
    parts.push(...filler.run(filled, at, isLineStart));
    [filled, isLineStart] = [at, false];
  };
  for (const { at, part } of planted) {
    if (at < filled) throw new RangeError(`Cannot plant facts as their places must be sorted: ${at} follows ${filled}`);
    fillTo(at);
    const made = part(parts.length === 0 || parts.at(-1)!.starts !== undefined);
    parts.push(made);
    isLineStart = made.starts !== undefined || breaksLines && made.measured.text.endsWith("\n");
  }
  fillTo(size);
  return parts;
}

/**
 * Finds the break between units of filler at a share of its tokens: 0 is before the first unit, 1 after the last.
 *
 * `toward` chooses the nearest break or the last one before the share, as the Needle In A Haystack test does.
 */
export function breakAt(
  share: number,
  options: {
    readonly filler: Filler;
    readonly size: number;
    readonly tokenizer: Tokenizer;
    readonly toward?: "nearest" | "back";
  },
): number {
  const { filler, size, tokenizer, toward = "nearest" } = options;
  if (!(share >= 0 && share <= 1)) {
    throw new RangeError(`Cannot place a part as its depth must be in [0, 1]: current value is ${share}`);
  }
  const tokensOf = (units: number): number =>
    countTokens(join(filler.run(0, units).map(({ measured }) => measured), tokenizer), tokenizer);
  const wanted = share * tokensOf(size);
  let [low, high] = [0, size];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokensOf(middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  if (toward === "back" || low === size) return low;
  return tokensOf(low + 1) - wanted < wanted - tokensOf(low) ? low + 1 : low;
}
