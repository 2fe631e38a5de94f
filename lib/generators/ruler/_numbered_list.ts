import type { Draw } from "@/lib/random/mod.ts";
import type { Measured } from "@/lib/text/mod.ts";
import { numberWords } from "./_cwe_wording.ts";
import { countPlaces, orderWords, type WordGroup } from "./_word_order.ts";
import { countOnce, measureWords, sumNumberTokens, sumTokens } from "./_words.ts";
import type { Materials } from "../materials.ts";

/** The vocabulary with the tokens of its words and of the numbers before them. */
export interface Lexicon {
  /** Numbers of all words. */
  readonly numbers: Int32Array;
  wordAt(number: number): string;
  /** Lists words as `1. word 2. word`, in random order. */
  list(groups: readonly WordGroup[], draw: Draw): Measured;
}

/** Opens the vocabulary of the materials, once. */
export function openLexicon(materials: Materials): Lexicon {
  return materials.remember("numbered list", () => makeLexicon(materials));
}

function makeLexicon({ words: { vocabulary }, tokenizer }: Materials): Lexicon {
  const wordAt = (number: number): string => vocabulary[number]!;
  const tokensOf = countOnce((number) => ` ${wordAt(number)}`, { size: vocabulary.length, tokenizer });
  const sumNumbers = sumNumberTokens(tokenizer);
  return {
    numbers: Int32Array.from(vocabulary, (_, number) => number),
    wordAt,
    list(groups, draw): Measured {
      const order = orderWords(groups, draw);
      const numberTokens = sumNumbers(countPlaces(groups)) - sumNumbers(1);
      return measureWords({
        head: "1.",
        tail: ` ${wordAt(order.last)}`,
        inner: numberTokens + sumTokens(groups, tokensOf) - tokensOf(order.last),
        write: () => numberWords(Array.from(order.all(), wordAt)),
      }, tokenizer);
    },
  };
}
