import { defined } from "@/lib/base/mod.ts";
import { EMPTY, join, measure, type Measured, measureLine, writeLazily } from "./measured.ts";
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
  const units = joinUnits(sentences, tokenizer);
  const size = units.length;
  if (size === 0) {
    throw new RangeError(
      `Cannot make haystack "${name}" as its texts must have at least one sentence of two words: current value is 0`,
    );
  }
  const index = growIndex(tokenizer);
  units.forEach(index.push);
  const lengths = units.map(({ head, inner, tail }, sentence) => (
    { sentence, tokens: tokenizer.countAfterCut(head) + inner + tokenizer.countAfterCut(tail) }
  ));
  return {
    name,
    texts,
    ...defined({ textNames }),
    separator,
    size,
    run(start, count): Measured {
      const parts: Measured[] = [];
      let first = ((start % size) + size) % size;
      for (let left = count; left > 0; left -= size - first, first = 0) {
        parts.push(index.slice(first, Math.min(size, first + left)));
      }
      return parts.length === 1 ? parts[0]! : join(parts, tokenizer);
    },
    byLength: lengths.sort((left, right) => left.tokens - right.tokens),
  };
}

/** Joins each unit without a safe cut to the next one, or to the previous one at the end. */
function joinUnits(units: readonly string[], tokenizer: Tokenizer): readonly Measured[] {
  const joined: Measured[] = [];
  let pending = "";
  for (const unit of units) {
    const candidate = measure(pending + unit, tokenizer);
    pending = candidate.inner < 0 ? candidate.text : "";
    if (candidate.inner >= 0) joined.push(candidate);
  }
  const last = pending === "" ? undefined : joined.pop();
  return last ? [...joined, measure(last.text + pending, tokenizer)] : joined;
}

/** A text split into units (sentences, lines, words) whose runs are measured without counting them again. */
export interface GrowingIndex {
  /** Adds a unit at the end; units are joined to a block until they have a safe cut. */
  push(unit: Measured): void;
  /** Returns the units from `start` up to `end`, exclusive, as one measured text. */
  slice(start: number, end: number): Measured;
}

/** Starts an empty index. */
export function growIndex(tokenizer: Tokenizer): GrowingIndex {
  const units: Measured[] = [];
  const blocks: Measured[] = [];
  // By unit its block, by block its first unit, and the text of the last block while it has no cut.
  const [blockOf, starts]: [number[], number[]] = [[], []];
  let pending = "";
  // innerUpTo[i]: the inner tokens of blocks 0 to i and of the i places where they meet.
  const innerUpTo: number[] = [];
  const close = (block: Measured): void => {
    const before = blocks.at(-1);
    const meeting = before ? tokenizer.countAfterCut(before.tail + block.head) : 0;
    innerUpTo.push((innerUpTo.at(-1) ?? 0) + meeting + block.inner);
    blocks.push(block);
    pending = "";
  };
  return {
    push(unit): void {
      const before = pending === "" ? "" : units.at(-1)!.text;
      if (pending === "") starts.push(units.length);
      blockOf.push(blocks.length);
      units.push(unit);
      if (pending === "" && unit.inner >= 0) return close(unit);
      pending += unit.text;
      if (measureLine(before + unit.text, tokenizer).inner >= 0) close(measureLine(pending, tokenizer));
    },
    slice(start, end): Measured {
      if (end <= start) return EMPTY;
      const first = blockOf[start]! + (starts[blockOf[start]!] === start ? 0 : 1);
      const last = blockOf[end] ?? blocks.length;
      if (first >= last) return join(units.slice(start, end), tokenizer);
      const [from, to] = [starts[first]!, starts[last] ?? units.length];
      const inner = innerUpTo[last - 1]! - innerUpTo[first]! + blocks[first]!.inner;
      const counts = { head: blocks[first]!.head, tail: blocks[last - 1]!.tail, inner };
      const whole = writeLazily(() => units.slice(from, to).map(({ text }) => text).join(""), counts);
      if (from === start && to === end) return whole;
      return join([...units.slice(start, from), whole, ...units.slice(to, end)], tokenizer);
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
