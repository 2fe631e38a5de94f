import { defined } from "@/lib/base/mod.ts";
import { countMeeting, EMPTY, join, joinLazily, measure, type Measured } from "./measured.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * Text to hide needles in: a circular list of sentences, from which a run of any length can be cut at any start.
 *
 * A run longer than the text starts over. Each sentence starts with the separator from the previous one.
 */
export interface Haystack {
  readonly name: string;
  /** The original texts, line breaks included. */
  readonly texts: readonly string[];
  /** Names of the texts for error messages, such as their paths. */
  readonly textNames?: readonly string[];
  /** The separator of sentences: a space, or nothing in Chinese and Japanese. */
  readonly separator: string;
  readonly size: number;
  /** Returns `count` sentences from sentence `start` on as one measured text. */
  run(start: number, count: number): Measured;
  /** The sentences from the shortest to the longest in tokens, to fill a last gap. */
  readonly byLength: readonly { readonly sentence: number; readonly tokens: number }[];
}

/**
 * Makes a haystack of texts, such as essays; blank ones are skipped.
 */
export function makeHaystack(
  texts: readonly string[],
  options: {
    readonly name: string;
    readonly tokenizer: Tokenizer;
    /** The language of the texts, a BCP 47 tag; English by default. */
    readonly locale?: string;
    readonly textNames?: readonly string[];
  },
): Haystack {
  const { name, tokenizer, locale = "en", textNames } = options;
  const separator = /^(zh|ja)/.test(locale) ? "" : " ";
  const sentences = texts.flatMap((text) =>
    splitSentences(text, locale).map((sentence, index) => index === 0 ? separator + sentence : sentence)
  );
  const indexed = indexUnits(sentences, tokenizer);
  const { size } = indexed;
  if (size === 0) {
    throw new RangeError(
      `Cannot make haystack "${name}" as its texts must have at least one sentence of two words: current value is 0`,
    );
  }
  return {
    name,
    texts,
    ...defined({ textNames }),
    separator,
    size,
    run: (start, count) => cutRun(indexed, tokenizer, start, count),
    byLength: sortByLength(indexed, tokenizer),
  };
}

/** Indexes a text by its units. A unit without a safe cut is joined to the next one, or to the previous one at the end. */
function indexUnits(units: readonly string[], tokenizer: Tokenizer): GrowingIndex {
  const index = growIndex(tokenizer);
  let pending = "";
  let last: Measured | undefined;
  for (const unit of units) {
    const candidate = measure(pending + unit, tokenizer);
    pending = candidate.inner < 0 ? candidate.text : "";
    if (candidate.inner < 0) continue;
    if (last) index.push(last);
    last = candidate;
  }
  if (last) index.push(pending === "" ? last : measure(last.text + pending, tokenizer));
  return index;
}

function cutRun({ size, slice }: GrowingIndex, tokenizer: Tokenizer, start: number, count: number): Measured {
  const parts: Measured[] = [];
  let first = ((start % size) + size) % size;
  for (let left = count; left > 0; left -= size - first, first = 0) {
    parts.push(slice(first, Math.min(size, first + left)));
  }
  return parts.length === 1 ? parts[0]! : join(parts, tokenizer);
}

function sortByLength(indexed: GrowingIndex, tokenizer: Tokenizer): Haystack["byLength"] {
  const lengths = Array.from({ length: indexed.size }, (_, sentence) => {
    const { head, inner, tail } = indexed.slice(sentence, sentence + 1);
    return { sentence, tokens: tokenizer.countAfterCut(head) + inner + tokenizer.countAfterCut(tail) };
  });
  return lengths.sort((left, right) => left.tokens - right.tokens);
}

/** A text split into units (sentences, lines, words) whose runs are measured in constant time. */
export interface GrowingIndex {
  readonly size: number;
  /** Adds a unit at the end; it must contain a safe cut, as a space between two words. */
  push(unit: Measured): void;
  /** Returns the units from `start` up to `end`, exclusive, as one measured text. */
  slice(start: number, end: number): Measured;
}

/** Starts an empty index. */
export function growIndex(tokenizer: Tokenizer): GrowingIndex {
  const units: Measured[] = [];
  // innerUpTo[i]: the inner tokens of units 0 to i and of the i places where they meet.
  const innerUpTo: number[] = [];
  return {
    get size(): number {
      return units.length;
    },
    push(unit): void {
      if (unit.inner < 0) {
        const text = JSON.stringify(unit.text);
        throw new RangeError(`Cannot add a line as it must have a space between words: current value is ${text}`);
      }
      const before = units.at(-1);
      const meeting = before ? countMeeting(before.tail + unit.head, tokenizer) : 0;
      innerUpTo.push((innerUpTo.at(-1) ?? 0) + meeting + unit.inner);
      units.push(unit);
    },
    slice(start, end): Measured {
      if (end <= start) return EMPTY;
      const inner = innerUpTo[end - 1]! - innerUpTo[start]! + units[start]!.inner;
      return joinLazily(() => units.slice(start, end), { head: units[start]!.head, tail: units[end - 1]!.tail, inner });
    },
  };
}

/**
 * Splits a text into sentences by the Unicode rules of the runtime (`Intl.Segmenter`).
 *
 * White space is normalised first, as RULER does with its essays (see {@linkcode normaliseSpace}). Sentences keep the space before
 * them, so their concatenation is the normalised text; none is blank.
 *
 * @param locale A BCP 47 tag.
 */
export function splitSentences(text: string, locale = "en"): string[] {
  const normalised = normaliseSpace(text);
  const sentences: string[] = [];
  let space = "";
  let opening = "";
  for (const { segment } of new Intl.Segmenter(locale, { granularity: "sentence" }).segment(normalised)) {
    const whole = opening + segment;
    // Unicode assigns an opening quotation mark without a space before it to the previous sentence, as in 天冷了。“是啊。”
    const own = whole.replace(OPENING_AT_END, "");
    opening = own.trim() === "" ? whole : whole.slice(own.length);
    if (opening === whole) continue;
    const sentence = own.trimEnd();
    sentences.push(space + sentence);
    space = own.slice(sentence.length);
  }
  if (opening.trim() === "") return sentences;
  return [...sentences.slice(0, -1), (sentences.at(-1) ?? "") + space + opening.trimEnd()];
}

const OPENING_AT_END = /[“‘（《「『【〈〔]+\s*$/u;

/** Collapses white space to single spaces, removes it where it only wraps a line of Chinese, and trims both ends. */
export function normaliseSpace(text: string): string {
  return text.trim().replace(
    /(?<=[\u3001-\u303f\u4e00-\u9fff\uff01-\uff65”’…—])\s+(?=[\u3001-\u303f\u4e00-\u9fff\uff01-\uff65“‘…—])/gu,
    "",
  )
    .replace(/\s+/gu, " ");
}
