import type { Fact } from "./sample.ts";
import {
  countTokens,
  EMPTY,
  growIndex,
  type Haystack,
  measure,
  type Measured,
  normaliseSpace,
  type Tokenizer,
} from "@/lib/text/mod.ts";

/** A stretch of prompt: plain text, one fact, or a run of smaller stretches. */
export interface Part {
  /** Its text, with its tokens counted. */
  readonly measured: Measured;
  /** The fact that the stretch is. */
  readonly fact?: Omit<Fact, "depth" | "tokenOffset">;
  /** The stretches it is made of, where facts lie among them; `measured` is their join. */
  readonly parts?: readonly Part[];
}

/** Text to hide needles in, unit by unit. */
export interface Filler {
  /**
   * Returns the units from number `from` up to, not including, `to`; `isFirst` says whether nothing comes before
   * them, as it is where `from` is 0 and no needle is first.
   */
  run(from: number, to: number, isFirst?: boolean): readonly Part[];
  /** Formats a needle's sentence for its place between units; the first in a context has no leading space. */
  needle(sentence: string, isFirst: boolean): Measured;
  /** What separates the context from the question. */
  readonly beforeQuestion: string;
  /**
   * Fills a gap of some tokens that is too small for another unit.
   *
   * @returns Fillers to try, the tightest first, each with how many units it adds.
   */
  tighten?(
    size: number,
    gap: number,
  ): Iterable<{ readonly filler: Filler; readonly added: number }>;
}

/** Essays, from a sentence on and round again; a gap is closed by the longest sentence that goes into it. */
export function essayFiller(
  essays: Haystack,
  { start, tokenizer }: {
    readonly start: number;
    readonly tokenizer: Tokenizer;
  },
): Filler {
  return withLast(essays, { start, tokenizer, size: Infinity, last: EMPTY });
}

/** How many sentences are tried for a gap: where sentences meet, a count can differ by a token. */
const MOST_TRIES = 8;

function withLast(
  essays: Haystack,
  options: {
    readonly start: number;
    readonly tokenizer: Tokenizer;
    readonly size: number;
    readonly last: Measured;
  },
): Filler {
  const { start, tokenizer, size, last } = options;
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
      for (
        let rank = fitting - 1;
        rank >= Math.max(0, fitting - MOST_TRIES);
        rank--
      ) {
        const sentence = essays.run(essays.byLength[rank]!.sentence, 1);
        yield {
          filler: withLast(essays, {
            start,
            tokenizer,
            size: sizeNow,
            last: sentence,
          }),
          added: 1,
        };
      }
    },
  };
}

/** Counts the sentences of at most this many tokens. */
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

/** Takes the space off the start of a text that is first in its line. */
function dropSpace(measured: Measured): Measured {
  const { head, tail, inner } = measured;
  if (!head.startsWith(" ")) return measured;
  // A text that is only counted is never put together.
  return {
    head: head.slice(1),
    tail,
    inner,
    get text(): string {
      return measured.text.slice(1);
    },
  };
}

/** Lines drawn on demand; a gap is closed by redrawing some of them, a little longer. */
export function lineFiller(source: LineSource): Filler {
  return linesOf([], source);
}

/** Where lines come from. */
export interface LineSource {
  /** Draws a line. */
  readonly draw: () => Part;
  /** Whose tokens are counted. */
  readonly tokenizer: Tokenizer;
  /** How often each line may be redrawn to close a gap; once by default. */
  readonly passes?: number;
}

function linesOf(given: readonly Part[], source: LineSource): Filler {
  const { draw, tokenizer, passes = 1 } = source;
  const lines: Part[] = [];
  const index = growIndex(tokenizer);
  const add = (line: Part): void => {
    lines.push(line);
    index.push(line.measured);
  };
  given.forEach(add);
  return {
    beforeQuestion: "",
    run(from, to): Part[] {
      while (lines.length < to) add(draw());
      return [{ measured: index.slice(from, to), parts: lines.slice(from, to) }];
    },
    needle: (sentence) => measure(`${sentence}\n`, tokenizer),
    *tighten(size, gap): Generator<{ filler: Filler; added: number }> {
      const longer = lines.slice(0, size);
      let left = gap;
      for (let tried = 0; tried < size * passes && left > 0; tried++) {
        const line = tried % size;
        const candidate = draw();
        const gain = countTokens(candidate.measured, tokenizer) - countTokens(longer[line]!.measured, tokenizer);
        if (gain <= 0 || gain > left) continue;
        longer[line] = candidate;
        left -= gain;
      }
      yield { filler: linesOf(longer, source), added: 0 };
    },
  };
}

/** What essays must not contain. */
export interface Forbidden {
  /** The task, as messages name it. */
  readonly task: string;
  /** A text, or a pattern in which all white space is one space. */
  readonly mark: string | RegExp;
  /** What it is to the task, such as `the needle`. */
  readonly called: string;
}

/**
 * Refuses essays that already contain what a task hides in them: its question would have two answers.
 *
 * @throws {RangeError} If they do; the message names the text, the place and what to do.
 */
export function checkEssays(essays: Haystack, { task, mark, called }: Forbidden): true {
  // Once around and a little further, so that the seam is checked too.
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

/** Returns a mark with some words round it, or `null` where it is not in a text. */
function findMark(text: string, mark: string | RegExp): string | null {
  const at = typeof mark === "string" ? text.indexOf(mark) : text.search(mark);
  if (at < 0) return null;
  const length = typeof mark === "string" ? mark.length : mark.exec(text)![0].length;
  const [start, end] = [Math.max(0, at - 20), Math.min(text.length, at + length + 20)];
  return `${start > 0 ? "…" : ""}${text.slice(start, end).trim()}${end < text.length ? "…" : ""}`;
}
