import { type Audit, only, type Solution, unsolvable } from "./_solution.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";

const OPENING = "Simply replicate the following text, output the exact same text: ";

/** The words that are several words of English. */
const LONG_WORDS = ["San Francisco", "Golden Gate Bridge", "Golden Gate Park"];

/** Solves a prompt of repeated words: the text itself, in which one word must be another one than all others. */
export function solveRepeatedWords(prompt: string, { answerRoom, promptTokens }: Sample): Solution {
  const start = prompt.indexOf(OPENING) + OPENING.length;
  if (start !== OPENING.length) throw unsolvable("it must begin with its instruction");
  const text = prompt.slice(start);
  // One character for each of the long words, so that a word has no space.
  const short = LONG_WORDS.reduce((left, word, at) => left.replaceAll(word, String.fromCharCode(0xe000 + at)), text);
  const counts = new Map<string, number>();
  for (const word of short.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (counts.size !== 2) throw unsolvable(`it must have two words: it has ${counts.size}`);
  const [, times] = only([...counts].filter(([, count]) => count === 1), "modified word");
  const [common] = only([...counts].filter(([, count]) => count > times), "common word");
  const whole = LONG_WORDS[common.charCodeAt(0) - 0xe000] ?? common;
  const copies = 2 + Math.ceil(answerRoom / promptTokens);
  return { answers: [text], context: [start - 1, prompt.length], planted: 1, unit: ` ${whole}`.repeat(copies) };
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solveRepeatedWords,
  further: [
    REPEATED_WORDS.make({ room: 1 }),
    REPEATED_WORDS.make({ room: 1.7, places: "grid", pair: "San_Francisco_sf" }),
    REPEATED_WORDS.make({ room: 4, pair: "Golden_Gate_Bridge_Park" }),
    REPEATED_WORDS.make({ words: 25, places: "grid" }),
    REPEATED_WORDS.make({ words: 250, pair: "golden_Golden", score: "exact" }),
    REPEATED_WORDS.make({ depth: 0, pair: "apples_apple" }),
    REPEATED_WORDS.make({ depth: 1, pair: "orange_San_Francisco" }),
  ],
  traits: (options) => ({
    isFilled: options["words"] === undefined,
    isSpread: options["depth"] === undefined,
    areDifferent: options["depth"] === undefined,
  }),
};
