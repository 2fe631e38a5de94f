import grammar from "./grammar.json" with { type: "json" };
import { type KeyParts, requestOf, type TextKey } from "./transcript.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import { type Draw, integer } from "@/lib/random/mod.ts";
import { measure, type Measured, type Tokenizer, writeLazily } from "@/lib/text/mod.ts";

/** A text. */
export interface Written {
  readonly measured: Measured;
  readonly tokens: number;
  /** Lengthens it by some tokens, by a few less at most where words do not fit. */
  lengthen(more: number, draw: Draw): Measured;
}

type WordText = readonly Word[];

/** A word with the space before it, or the line break after it, and its tokens. */
interface Word {
  readonly text: string;
  readonly tokens: number;
}

/** The words that can be at a place of a sentence. */
interface Slot {
  readonly words: readonly Word[];
  /** Whether the key decides between them, by its topic. */
  readonly isTopic: boolean;
}

interface Format {
  readonly opening: string;
  readonly closing: string;
  readonly isLines?: boolean;
}

const FORMATS: Readonly<Record<string, Format>> = grammar.formats;
const STYLES = splitLists(grammar.styles);
const TOPICS = grammar.topics.split("|");
const [FORMAT_NAMES, STYLE_NAMES] = [Object.keys(FORMATS), Object.keys(STYLES)];

/** The number of keys of two and of three parts. */
export const KEY_COUNTS = {
  2: FORMAT_NAMES.length * TOPICS.length,
  3: FORMAT_NAMES.length * TOPICS.length * STYLE_NAMES.length,
} as const;

/** Returns a key by its number. */
export function keyAt(number: number, parts: KeyParts): TextKey {
  const [formats, topics] = [FORMAT_NAMES.length, TOPICS.length];
  const key = { format: FORMAT_NAMES[number % formats]!, topic: TOPICS[Math.floor(number / formats) % topics]! };
  return parts === "2" ? key : { ...key, style: STYLE_NAMES[Math.floor(number / formats / topics)]! };
}

/** The words of a text without its closing sentence, at least and at most. */
const WORDS = { low: 40, high: 60 };

/** How often a sentence begins with words of the style, or with a time. */
const OPENED = 0.4;

/**
 * Writes texts of random words by a grammar, with their tokens. Each word is counted once for a tokenizer, so that no text is
 * encoded. Texts of one key share its topic and hardly a phrase.
 */
export class Grammar {
  readonly #tokenizer: Tokenizer;
  readonly #words: Readonly<Record<string, readonly string[]>>;
  readonly #known = new Map<string, Word>();
  readonly #forms = new Map<string, TextForm>();
  readonly #requests = new Map<string, Measured>();
  /** Whether counts of words add up, also across a line break. */
  readonly #isAdditive: boolean;
  /** Words that end a text, by their tokens. */
  readonly #endings: ReadonlyMap<number, readonly Word[]>;
  readonly #short: readonly Word[];

  constructor({ tokenizer, words: { adjectives, nouns } }: Materials) {
    const { ascii, cutsLines, isCut } = tokenizer;
    this.#tokenizer = tokenizer;
    this.#words = { ...splitLists(grammar.words), noun: nouns, adjective: adjectives, topic: TOPICS };
    this.#isAdditive = (ascii !== undefined || cutsLines === true) && isCut("a b", 1);
    this.#endings = Map.groupBy(nouns.map((noun) => this.#word(` ${noun}.`)), ({ tokens }) => tokens);
    this.#short = adjectives.map((word) => this.#word(` ${word}`)).filter(({ tokens }) => tokens === 1);
  }

  /** Writes a text; each call gives another one. */
  write(draw: Draw, key: TextKey): Written {
    const text = this.#drawText(draw, key);
    const tokens = sumTokens(text);
    const lengthen = (more: number, draw: Draw): Measured => {
      const longer = this.#lengthen(text, more, draw);
      return this.#measure(longer, sumTokens(longer));
    };
    return { measured: this.#measure(text, tokens), tokens, lengthen };
  }

  #drawText(draw: Draw, key: TextKey): WordText {
    const { opening, sentences, opened, closing } = this.#form(key);
    const topic = TOPICS.indexOf(key.topic);
    const target = integer(draw, WORDS);
    const text: Word[] = [];
    const add = (slots: readonly Slot[]): void => {
      for (const { words, isTopic } of slots) text.push(words[isTopic ? topic : Math.floor(draw() * words.length)]!);
    };
    add(opening);
    while (text.length < target) {
      const list = draw() < OPENED ? opened : sentences;
      add(list[Math.floor(draw() * list.length)]!);
    }
    add(closing);
    return text;
  }

  request(key: TextKey): Measured {
    const text = requestOf(key);
    return this.#requests.getOrInsertComputed(text, () => measure(text, this.#tokenizer));
  }

  /** Lengthens a text by some tokens, exactly where its last word and the next text do not merge. */
  #lengthen(text: WordText, more: number, draw: Draw): WordText {
    const [least, most] = [Math.min(...this.#endings.keys()), Math.max(...this.#endings.keys())];
    const isAdded = more >= least;
    const kept = text.slice(0, isAdded ? text.length : -1);
    let left = more + (isAdded ? 0 : text.at(-1)!.tokens);
    const { sentences } = this.#form(LENGTHENED);
    while (left > most) {
      for (const { words } of sentences[Math.floor(draw() * sentences.length)]!) {
        const word = words[Math.floor(draw() * words.length)]!;
        if (left - word.tokens < least) break;
        kept.push(word);
        left -= word.tokens;
      }
    }
    while (left > least && !this.#endings.has(left)) {
      kept.push(this.#short[Math.floor(draw() * this.#short.length)]!);
      left--;
    }
    const endings = this.#endings.get(left) ?? [text.at(-1)!];
    return [...kept, endings[Math.floor(draw() * endings.length)]!];
  }

  #measure(words: WordText, tokens: number): Measured {
    const write = (): string => {
      let text = "";
      for (const word of words) text += word.text;
      return text;
    };
    if (!this.#isAdditive) return measure(write(), this.#tokenizer);
    const [head, tail] = [words[0]!, words[words.length - 1]!];
    return writeLazily(write, { head: head.text, tail: tail.text, inner: tokens - head.tokens - tail.tokens });
  }

  #word(text: string): Word {
    return this.#known.getOrInsertComputed(text, () => ({ text, tokens: this.#tokenizer.countAfterCut(text) }));
  }

  /** Returns the sentences of texts of a format and style, with the words for each place; made once. */
  #form({ format, style = "time" }: TextKey): TextForm {
    return this.#forms.getOrInsertComputed(`${format}, ${style}`, () => {
      const { opening, closing, isLines = false } = FORMATS[format]!;
      const [lead, trail] = isLines ? ["", "\n"] : [" ", ""];
      const openers = STYLES[style] ?? this.#words[style]!;
      const sentence = (pattern: string): readonly Slot[] => this.#slots(pattern, { lead, trail });
      return {
        opening: this.#slots(opening, { lead: "", trail }),
        sentences: grammar.sentences.map(sentence),
        opened: grammar.sentences.map((pattern) => [
          { words: openers.map((word) => this.#word(lead + word)), isTopic: false },
          ...this.#slots(pattern, { lead: " ", trail, isOpened: true }),
        ]),
        closing: this.#slots(closing, { lead, trail: "" }),
      };
    });
  }

  /** Returns the words for each place of a sentence, with the space before it and the line break after it. */
  #slots(
    pattern: string,
    { lead, trail, isOpened = false }: { readonly lead: string; readonly trail: string; readonly isOpened?: boolean },
  ): readonly Slot[] {
    const places = pattern.split(" ");
    const ending = (/[.,!?]$/.test(pattern) ? "" : ".") + trail;
    return places.map((place, at): Slot => {
      const [, name, mark = ""] = /^\{(\w+)\}(.*)$/.exec(place) ?? [];
      const words = name === undefined ? [place] : this.#words[name]!.map((word) => word + mark);
      const after = at < places.length - 1 ? "" : ending;
      const write = (word: string): Word =>
        this.#word((at === 0 ? lead : " ") + (at === 0 && !isOpened ? capitalise(word) : word) + after);
      return { words: words.map(write), isTopic: name === "topic" };
    });
  }
}

/** The sentences of texts of a format and style. */
interface TextForm {
  readonly opening: readonly Slot[];
  readonly sentences: readonly (readonly Slot[])[];
  /** The same, each after words of the style or a time. */
  readonly opened: readonly (readonly Slot[])[];
  readonly closing: readonly Slot[];
}

/** The form of the words that lengthen a text. */
const LENGTHENED: TextKey = { format: "diary entry", topic: "" };

function sumTokens(words: WordText): number {
  let sum = 0;
  for (const { tokens } of words) sum += tokens;
  return sum;
}

function splitLists(lists: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.split("|")]));
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
