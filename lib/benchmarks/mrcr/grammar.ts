import grammar from "./grammar.json" with { type: "json" };
import type { TextKey } from "./wording.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick } from "@/lib/random/mod.ts";

interface Format {
  readonly opening: string;
  readonly closing: string;
  readonly isLines?: boolean;
}

const FORMATS: Readonly<Record<string, Format>> = grammar.formats;
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
  /** The places of sentences, by their pattern. */
  readonly #places = new Map<string, readonly Place[]>();
  readonly #count: (word: string) => number;
  /** Words that end a text, by their tokens. */
  readonly #endings: ReadonlyMap<number, readonly string[]>;
  readonly #short: readonly string[];

  constructor({ tokenizer, words: { adjectives, nouns } }: Materials) {
    this.#words = { ...WORDS, noun: nouns, adjective: adjectives };
    this.#count = (word) => tokenizer.countAfterCut(word);
    this.#endings = Map.groupBy(nouns.map((noun) => ` ${noun}.`), this.#count);
    this.#short = adjectives.map((word) => ` ${word}`).filter((word) => this.#count(word) === 1);
  }

  /** Writes a text; each call gives another one. */
  write(draw: Draw, { format, topic, style = "time" }: TextKey): readonly string[] {
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
  lengthen(draw: Draw, text: readonly string[], more: number): readonly string[] {
    const [least, most] = [Math.min(...this.#endings.keys()), Math.max(...this.#endings.keys())];
    const isAdded = more >= least;
    const kept = text.slice(0, isAdded ? text.length : -1);
    let left = more + (isAdded ? 0 : this.#count(text.at(-1)!));
    while (left > most) {
      for (const word of this.#sentence(draw, pick(draw, grammar.sentences), { lead: " ", trail: "" })) {
        const tokens = this.#count(word);
        if (left - tokens < least) break;
        kept.push(word);
        left -= tokens;
      }
    }
    while (left > least && !this.#endings.has(left)) {
      kept.push(pick(draw, this.#short));
      left--;
    }
    return [...kept, pick(draw, this.#endings.get(left) ?? [text.at(-1)!])];
  }

  /** Draws the words of a sentence one by one, each from the list that its place names. */
  *#sentence(draw: Draw, pattern: string, { lead, trail, topic }: Setting): Generator<string> {
    const places = this.#places.getOrInsertComputed(
      pattern,
      () => pattern.split(" ").map((place) => this.#read(place)),
    );
    const last = places.length - 1;
    for (const [at, { words, mark, isTopic }] of places.entries()) {
      const word = isTopic && topic !== undefined ? topic : pick(draw, words);
      const start = at === 0 ? lead + word.charAt(0).toUpperCase() + word.slice(1) : ` ${word}`;
      yield start + mark + (at === last ? (/[.,!?]$/.test(pattern) ? "" : ".") + trail : "");
    }
  }

  #read(place: string): Place {
    const [, name, mark = ""] = /^\{(\w+)\}(.*)$/.exec(place) ?? [];
    return { words: name === undefined ? [place] : this.#words[name]!, mark, isTopic: name === "topic" };
  }
}

/** A place of a sentence: the words that can be there, and the mark after them. */
interface Place {
  readonly words: readonly string[];
  readonly mark: string;
  readonly isTopic: boolean;
}

function splitLists(lists: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.split("|")]));
}
