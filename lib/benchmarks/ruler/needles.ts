import { NOISE_LINE } from "./wording.ts";
import type { Filler, Materials } from "@/lib/generators/mod.ts";
import { type Draw, integer, placeIn, UUID_LENGTH, writeUuid } from "@/lib/random/mod.ts";
import { AsciiSheet, measure, type Measured, repeater } from "@/lib/text/mod.ts";

/** The form of a needle's key or value: `adjective-noun`, a 7-digit number, or a UUID. */
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
 * Draws a key or a value and writes it at the end of a sheet; returns the number of its words (adjective times nouns, plus noun),
 * or 0 for other types.
 */
export type DrawText = (sheet: AsciiSheet) => number;

/**
 * Makes the keys and values of a sample, none equal to another or part of one; RULER checks neither.
 *
 * Numbers and UUIDs all have one length, and in the word lists no adjective ends with another and no noun begins with another,
 * so texts of one type only have to differ; UUIDs do, by their 122 random bits. Across types, only a UUID can contain another
 * text: a number, or words made of its letters.
 */
export function needleTexts(
  draw: Draw,
  { keyType, valueType, digits = DIGITS, materials }: {
    readonly keyType: NeedleType;
    readonly valueType: NeedleType;
    /** The digits of numbers, from 1 to 15. */
    readonly digits?: number;
    readonly materials: Materials;
  },
): { readonly newKey: DrawText; readonly newValue: DrawText } {
  const maker = (type: NeedleType, other: NeedleType): DrawText => {
    const write = {
      words: () => writeWords(draw, materials),
      numbers: () => writeNumbers(draw, digits),
      uuids: () => writeUuids(draw),
    }[type]();
    const doubtful = DOUBTFUL[type][other];
    return doubtful === undefined ? write : writeUnless(doubtful, write);
  };
  const newKey = maker(keyType, valueType);
  return { newKey, newValue: keyType === valueType ? newKey : maker(valueType, keyType) };
}

function writeWords(draw: Draw, { words: { adjectives, nouns } }: Materials): DrawText {
  const drawn = new Set<number>();
  return (sheet) => {
    for (;;) {
      const adjective = placeIn(draw, adjectives);
      const noun = placeIn(draw, nouns);
      const number = adjective * nouns.length + noun;
      if (drawn.has(number)) continue;
      drawn.add(number);
      sheet.write(adjectives[adjective]!);
      sheet.write("-");
      sheet.write(nouns[noun]!);
      return number;
    }
  };
}

const DIGITS = 7;

function writeNumbers(draw: Draw, digits: number): DrawText {
  const drawn = new Set<number>();
  return (sheet) => {
    for (;;) {
      const number = integer(draw, { low: 10 ** (digits - 1), high: 10 ** digits - 1 });
      if (drawn.has(number)) continue;
      drawn.add(number);
      const start = sheet.extend(digits);
      let rest = number;
      for (let at = start + digits - 1; at >= start; at--) {
        sheet.bytes[at] = ZERO + rest % 10;
        rest = Math.floor(rest / 10);
      }
      return 0;
    }
  };
}

const ZERO = 0x30;

function writeUuids(draw: Draw): DrawText {
  return (sheet) => {
    const start = sheet.extend(UUID_LENGTH);
    writeUuid(draw, sheet.bytes, start);
    return 0;
  };
}

/** Texts of a type that could contain one of another type, or be contained in one. */
const DOUBTFUL: Readonly<Record<NeedleType, Readonly<Partial<Record<NeedleType, RegExp>>>>> = {
  words: { uuids: /^[a-f]+-[a-f]+$/ },
  numbers: {},
  uuids: { numbers: /\d{7}/ },
};

/** Draws a text again if it is ambiguous. */
function writeUnless(doubtful: RegExp, write: DrawText): DrawText {
  return (sheet) => {
    const start = sheet.end;
    for (;;) {
      const number = write(sheet);
      if (!doubtful.test(sheet.read(start))) return number;
      sheet.end = start;
    }
  };
}

/** Reads each text as it is drawn. */
export function readTexts(draw: DrawText, { remember }: Materials): () => string {
  const sheet = remember("needle text", () => new AsciiSheet());
  return () => {
    sheet.end = 0;
    draw(sheet);
    return sheet.read();
  };
}

/** The noise line, repeated. */
export function noiseFiller(materials: Materials): Filler {
  const lines = noiseLines(materials);
  return {
    beforeQuestion: "",
    run: (from, to) => [{ measured: lines(to - from) }],
    needle: (sentence) => measure(`${sentence}\n`, materials.tokenizer),
  };
}

/** Returns some noise lines, each with a text before it. */
export function noiseLines(
  { tokenizer, remember }: Pick<Materials, "tokenizer" | "remember">,
  before = "",
): (lines: number) => Measured {
  return remember(`noise lines/${before}`, () => repeater(measure(`${before}${NOISE_LINE}\n`, tokenizer), tokenizer));
}
