import { sum } from "@/lib/base/mod.ts";
import grammar from "./grammar.json" with { type: "json" };
import type { TextKey } from "./wording.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, placeIn } from "@/lib/random/mod.ts";
import { measure, type Measured, type Tokenizer, writeLazily } from "@/lib/text/mod.ts";

const FORMATS: Readonly<Record<string, { opening: string; closing: string; isLines?: boolean }>> = grammar.formats;
const STYLES = splitLists(grammar.styles);
const TOPICS = grammar.topics.split("|");
const WORDS = { ...splitLists(grammar.words), ...STYLES, topic: TOPICS };

const PAIRS = TOPICS.flatMap((topic) => Object.keys(FORMATS).map((format): TextKey => ({ format, topic })));

/** The keys of two and of three parts. */
export const KEYS = {
  2: PAIRS,
  3: Object.keys(STYLES).flatMap((style) => PAIRS.map((key): TextKey => ({ ...key, style }))),
} as const;

/** The words of a text without its closing sentence, at least and at most. */
const TEXT_WORDS = { low: 40, high: 60 };

/** How often a sentence begins with words of the style, or with a time. */
const OPENED = 0.4;

/** A word with the space before it and the mark after it, and its tokens. */
export interface Word {
  readonly text: string;
  readonly tokens: number;
}

/** Returns the text of words. */
export function textOf(words: readonly Word[]): string {
  let text = "";
  for (const word of words) text += word.text;
  return text;
}

/** How a sentence is written: the space before it, the line break after it, and its topic; by default any. */
interface Setting {
  readonly lead: string;
  readonly trail: string;
  readonly topic?: string;
}

/**
 * Writes texts of random words by a grammar, as lists of words with the space before each. Texts of one key share its topic and
 * hardly a phrase.
 */
export class Grammar {
  readonly #words: Readonly<Record<string, readonly string[]>>;
  /** The places of sentences, by their pattern and what is before and after them. */
  readonly #places = new Map<string, readonly Place[]>();
  readonly #tokenizer: Tokenizer;
  /** Whether counts of words add up, also across a line break. */
  readonly #isAdditive: boolean;
  /** Words that end a text, by their tokens. */
  readonly #endings: ReadonlyMap<number, readonly Word[]>;
  readonly #short: readonly Word[];

  constructor({ tokenizer, words: { adjectives, nouns } }: Materials) {
    this.#words = { ...WORDS, noun: nouns, adjective: adjectives };
    this.#tokenizer = tokenizer;
    const { ascii, cutsLines = false, isCut } = tokenizer;
    this.#isAdditive = (ascii !== undefined || cutsLines) && isCut("a b", 1);
    this.#endings = Map.groupBy(nouns.map((noun) => this.#word(` ${noun}.`)), ({ tokens }) => tokens);
    this.#short = adjectives.map((word) => this.#word(` ${word}`)).filter(({ tokens }) => tokens === 1);
  }

  /** Measures a text by its words, each counted once, so that no text is encoded where the counts add up. */
  measure(words: readonly Word[]): Measured {
    const write = (): string => textOf(words);
    if (!this.#isAdditive) return measure(write(), this.#tokenizer);
    const inner = sum(words.slice(1, -1), ({ tokens }) => tokens);
    return writeLazily(write, { head: words[0]!.text, tail: words.at(-1)!.text, inner });
  }

  #word(text: string): Word {
    return { text, tokens: this.#tokenizer.countAfterCut(text) };
  }

  /** Writes a text; each call gives another one. */
  write(draw: Draw, { format, topic, style = "time" }: TextKey): readonly Word[] {
    const { opening, closing, isLines = false } = FORMATS[format]!;
    const [lead, trail] = isLines ? ["", "\n"] : [" ", ""];
    const most = integer(draw, TEXT_WORDS);
    const text = [...this.#sentence(draw, opening, { lead: "", trail, topic })];
    while (text.length < most) {
      const opener = draw() < OPENED ? `{${style}} ` : "";
      text.push(...this.#sentence(draw, opener + pick(draw, grammar.sentences), { lead, trail, topic }));
    }
    return [...text, ...this.#sentence(draw, closing, { lead, trail: "", topic })];
  }

  /** Lengthens a text by some tokens, exactly if its last word does not merge with what follows; by a few less if no words fit. */
  lengthen(draw: Draw, text: readonly Word[], more: number): readonly Word[] {
    const [least, most] = [Math.min(...this.#endings.keys()), Math.max(...this.#endings.keys())];
    const isAdded = more >= least;
    const kept = text.slice(0, isAdded ? text.length : -1);
    let left = more + (isAdded ? 0 : text.at(-1)!.tokens);
    while (left > most) {
      for (const word of this.#sentence(draw, pick(draw, grammar.sentences), { lead: " ", trail: "" })) {
        if (left - word.tokens < least) break;
        kept.push(word);
        left -= word.tokens;
      }
    }
    while (left > least && !this.#endings.has(left)) {
      kept.push(pick(draw, this.#short));
      left--;
    }
    return [...kept, pick(draw, this.#endings.get(left) ?? [text.at(-1)!])];
  }

  /** Draws the words of a sentence one by one, each from the list that its place names. */
  *#sentence(draw: Draw, pattern: string, { lead, trail, topic }: Setting): Generator<Word> {
    const places = this.#places.getOrInsertComputed(lead + trail + pattern, () => {
      const all = pattern.split(" ");
      return all.map((place, at) =>
        this.#read(place, { lead, trail, isFirst: at === 0, isLast: at === all.length - 1 })
      );
    });
    for (const { words, isTopic, known, write } of places) {
      const at = isTopic && topic !== undefined ? words.indexOf(topic) : placeIn(draw, words);
      yield known[at] ??= this.#word(write(words[at]!));
    }
  }

  #read(
    place: string,
    { lead, trail, isFirst, isLast }: Setting & Readonly<Record<"isFirst" | "isLast", boolean>>,
  ): Place {
    const [, name, mark = ""] = /^\{(\w+)\}(.*)$/.exec(place) ?? [];
    const stop = /[.,!?]$/.test(place) ? "" : ".";
    const end = mark + (isLast ? stop + trail : "");
    return {
      words: name === undefined ? [place] : this.#words[name]!,
      isTopic: name === "topic",
      known: [],
      write: (word) => (isFirst ? lead + word.charAt(0).toUpperCase() + word.slice(1) : ` ${word}`) + end,
    };
  }
}

/** A place of a sentence. */
interface Place {
  /** The words that can be there. */
  readonly words: readonly string[];
  readonly isTopic: boolean;
  /** The words that were there before, by their number. */
  readonly known: Word[];
  /** Writes a word with what is before and after it. */
  readonly write: (word: string) => string;
}

function splitLists(lists: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.split("|")]));
}
