import { type Draw, integer, pick, uuid } from "@/lib/random/mod.ts";
import type { WordLists } from "./materials.ts";

/** What a needle's key or value is made of: `adjective-noun`, a 7-digit number, or a UUID. */
export type NeedleType = "words" | "numbers" | "uuids";

/** One key and its value. */
export interface Needle {
  readonly key: string;
  readonly value: string;
}

/** What stands before, between and after key and value in a needle sentence, always in the plural, as RULER does for a single needle too. */
export function needleForm(type: NeedleType): readonly [string, string, string] {
  return [`One of the special magic ${type} for `, " is: ", "."];
}

/** Words a needle sentence. */
export function needleSentence(type: NeedleType, { key, value }: Needle): string {
  const [before, between, after] = needleForm(type);
  return before + key + between + value + after;
}

/**
 * Makes texts of one type, never the same one twice and never one that holds another: RULER checks neither, so that two of
 * its keys can be equal, and a right answer can be found inside a wrong one.
 */
export function needleTexts(
  draw: Draw,
  { type, words }: { readonly type: NeedleType; readonly words: WordLists },
): () => string {
  const used = new Set<string>();
  const drawOne: Readonly<Record<NeedleType, () => string>> = {
    words: () => `${pick(draw, words.adjectives)}-${pick(draw, words.nouns)}`,
    numbers: () => String(integer(draw, { low: 1_000_000, high: 9_999_999 })),
    uuids: () => uuid(draw),
  };
  return () => {
    for (;;) {
      const text = drawOne[type]();
      if (used.has(text)) continue;
      used.add(text);
      return text;
    }
  };
}
