import { NOISE_LINE } from "./wording.ts";
import { type Filler, lineFiller, type Part, type WordLists } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, uuid } from "@/lib/random/mod.ts";
import { measure, measureForm, repeat, type Tokenizer } from "@/lib/text/mod.ts";

/** What a needle's key or value is made of: `adjective-noun`, a 7-digit number, or a UUID. */
export type NeedleType = "words" | "numbers" | "uuids";

/** One key and its value. */
export interface Needle {
  readonly key: string;
  readonly value: string;
}

/** Writes a needle as a sentence. */
export function needleSentence(type: NeedleType, { key, value }: Needle): string {
  const [before, between, after] = needleForm(type);
  return before + key + between + value + after;
}

/** What stands before, between and after key and value; in the plural for a single needle too, as in RULER. */
function needleForm(type: NeedleType): readonly [string, string, string] {
  return [`One of the special magic ${type} for `, " is: ", "."];
}

/** Makers of the texts of one sample, each of them a new one. */
interface NeedleTexts {
  readonly newKey: () => string;
  readonly newValue: () => string;
}

/**
 * Makes the keys and values of a sample, none equal to another or part of one; RULER checks neither.
 *
 * Numbers and UUIDs are all of one length, and in the word lists no adjective ends in another and no noun begins with another:
 * so texts of one type only have to differ. Of two types, only a UUID can hold another: a number, or words of its letters.
 */
export function needleTexts(
  draw: Draw,
  { keyType, valueType, words }: {
    readonly keyType: NeedleType;
    readonly valueType: NeedleType;
    readonly words: WordLists;
  },
): NeedleTexts {
  const drawOne: Readonly<Record<NeedleType, () => string>> = {
    words: () => `${pick(draw, words.adjectives)}-${pick(draw, words.nouns)}`,
    numbers: () => String(integer(draw, { low: 1_000_000, high: 9_999_999 })),
    uuids: () => uuid(draw),
  };
  const maker = (type: NeedleType, other: NeedleType): () => string => {
    const doubtful = DOUBTFUL[type][other];
    const used = new Set<string>();
    return () => {
      for (;;) {
        const text = drawOne[type]();
        if (used.has(text) || doubtful?.test(text)) continue;
        used.add(text);
        return text;
      }
    };
  };
  const newKey = maker(keyType, valueType);
  return { newKey, newValue: keyType === valueType ? newKey : maker(valueType, keyType) };
}

/** Texts of a type that could hold one of another type, or be held by one. */
const DOUBTFUL: Readonly<Record<NeedleType, Readonly<Partial<Record<NeedleType, RegExp>>>>> = {
  words: { uuids: /^[a-f]+-[a-f]+$/ },
  numbers: {},
  uuids: { numbers: /\d{7}/ },
};

/** The noise line, again and again. */
export function noiseFiller(tokenizer: Tokenizer): Filler {
  const line = measure(`${NOISE_LINE}\n`, tokenizer);
  return {
    beforeQuestion: "",
    run: (from, to) => [{ measured: repeat(line, { times: to - from, tokenizer }) }],
    needle: (sentence) => measure(`${sentence}\n`, tokenizer),
  };
}

/** Where needle lines come from. */
interface NeedleSource {
  readonly type: NeedleType;
  readonly draw: () => Needle;
  readonly tokenizer: Tokenizer;
}

/** Other needles, one a line; a gap is closed by drawing some of them again, a little longer. */
export function needleFiller({ type, draw, tokenizer }: NeedleSource): Filler {
  const [before, between, after] = needleForm(type);
  const measureLine = measureForm([before, between, `${after}\n`], tokenizer);
  const drawLine = (): Part => {
    const { key, value } = draw();
    const measured = measureLine([key, value]);
    // A slice, so that the text is held once.
    return { measured, fact: { role: "distractor", text: measured.text.slice(0, -1), key, value } };
  };
  return lineFiller({ draw: drawLine, tokenizer });
}
