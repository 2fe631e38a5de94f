import { type Draw, integer } from "@/lib/random/mod.ts";
import type { Reading, TaskReader } from "../reading.ts";
import { rankWords } from "./_counts.ts";
import { continueWith, lastMatch, readNumber } from "./_wording.ts";

const QUESTION = /What are the (\w+) most frequently appeared words in the above coded text\?/g;
const OPENING = /Find the \w+ most frequently appeared coded words\./g;

/** Reads RULER's frequent words extraction: words without meaning among dots. */
export const CODED_WORDS_READER: TaskReader = {
  name: "coded words",
  recognise(prompt): Reading | null {
    const question = lastMatch(prompt, QUESTION);
    const asked = readNumber(question?.[1] ?? "");
    if (!question || asked === null) return null;
    const before = prompt.slice(0, question.index);
    const opening = lastMatch(before, OPENING);
    const start = opening ? opening.index! + opening[0].length : 0;
    const end = before.lastIndexOf("Question:");
    // The dots are noise; they are the commonest "word" and are not asked for.
    const words = before.slice(start, end < start ? undefined : end)
      .match(/[\p{L}\p{N}]+/gu) ?? [];
    const join = continueWith(
      prompt,
      "most frequently appeared words are:",
    );
    return {
      category: "aggregation",
      ...rankWords(words, asked),
      example: [],
      invent: inventCodedWord,
      write: (said) => join(said.join(", ")),
    };
  },
};

function inventCodedWord(draw: Draw): string {
  return Array.from(
    { length: 6 },
    () => String.fromCharCode(integer(draw, { low: 97, high: 122 })),
  ).join("");
}
