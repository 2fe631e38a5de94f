import { type DrawnText, newTexts, NOISE_LINE } from "./wording.ts";
import type { Filler, WordLists } from "@/lib/generators/mod.ts";
import { type Draw, integer, placeIn, uuid } from "@/lib/random/mod.ts";
import { measure, repeat, type Tokenizer } from "@/lib/text/mod.ts";

/** What a needle's key or value is made of: `adjective-noun`, a 7-digit number, or a UUID. */
export type NeedleType = "words" | "numbers" | "uuids";

export interface Needle {
  readonly key: string;
  readonly value: string;
}

export function needleSentence(type: NeedleType, { key, value }: Needle): string {
  const [before, between, after] = needleForm(type);
  return before + key + between + value + after;
}

/** The text before, between and after key and value; plural for a single needle too, as in RULER. */
export function needleForm(type: NeedleType): readonly [string, string, string] {
  return [`One of the special magic ${type} for `, " is: ", "."];
}

/**
 * Makes the keys and values of a sample, none equal to another or part of one; RULER checks neither.
 *
 * Numbers and UUIDs all have one length, and in the word lists no adjective ends with another and no noun begins with another,
 * so texts of one type only have to differ. Across types, only a UUID can contain another text: a number, or words made of its
 * letters.
 */
export function needleTexts(
  draw: Draw,
  { keyType, valueType, words }: {
    readonly keyType: NeedleType;
    readonly valueType: NeedleType;
    readonly words: WordLists;
  },
): { readonly newKey: () => DrawnText; readonly newValue: () => DrawnText } {
  const drawOne: Readonly<Record<NeedleType, () => DrawnText>> = {
    words: () => {
      const { adjectives, nouns } = words;
      const [adjective, noun] = [placeIn(draw, adjectives), placeIn(draw, nouns)];
      return { text: `${adjectives[adjective]}-${nouns[noun]}`, number: adjective * nouns.length + noun };
    },
    numbers: () => {
      const number = integer(draw, { low: 1_000_000, high: 9_999_999 });
      return { text: String(number), number };
    },
    uuids: () => {
      const text = uuid(draw);
      let number = 0;
      for (let at = 0; at < 8; at++) number = 64 * number + text.charCodeAt(at);
      return { text, number };
    },
  };
  const maker = (type: NeedleType, other: NeedleType): () => DrawnText =>
    newTexts(drawOne[type], (text) => !DOUBTFUL[type][other]?.test(text));
  const newKey = maker(keyType, valueType);
  return { newKey, newValue: keyType === valueType ? newKey : maker(valueType, keyType) };
}

/** Texts of a type that could contain one of another type, or be contained in one. */
const DOUBTFUL: Readonly<Record<NeedleType, Readonly<Partial<Record<NeedleType, RegExp>>>>> = {
  words: { uuids: /^[a-f]+-[a-f]+$/ },
  numbers: {},
  uuids: { numbers: /\d{7}/ },
};

/** The noise line, repeated. */
export function noiseFiller(tokenizer: Tokenizer): Filler {
  const line = measure(`${NOISE_LINE}\n`, tokenizer);
  return {
    beforeQuestion: "",
    run: (from, to) => [{ measured: repeat(line, { times: to - from, tokenizer }) }],
    needle: (sentence) => measure(`${sentence}\n`, tokenizer),
  };
}
