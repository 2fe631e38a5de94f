import { pick } from "@/lib/random/mod.ts";
import type { Reading, TaskReader } from "../reading.ts";
import { rankWords } from "./_counts.ts";
import { FREQUENT_WORDS } from "./_invented.ts";
import { continueWith, lastMatch, readNumber } from "./_wording.ts";

const QUESTION = /What are the (\w+) most common words in the above list\?/g;
const OPENING = "Memorize the ones that appear most often.";
const EXAMPLE_ANSWER = /appear most often in the list are:([^\n]*)/g;

/** Reads RULER's common words extraction: a numbered list of words, with or without worked examples before it. */
export const COMMON_WORDS_READER: TaskReader = {
  name: "common words",
  recognise(prompt): Reading | null {
    const question = lastMatch(prompt, QUESTION);
    const asked = readNumber(question?.[1] ?? "");
    if (!question || asked === null) return null;
    const end = prompt.lastIndexOf("Question:", question.index);
    const opening = prompt.lastIndexOf(OPENING, question.index);
    const start = opening < 0 ? 0 : opening + OPENING.length;
    const list = prompt.slice(start, end < start ? question.index : end);
    const example = lastMatch(
      prompt.slice(0, Math.max(0, opening)),
      EXAMPLE_ANSWER,
    );
    const join = continueWith(prompt, "appear most often in the list are:");
    return {
      category: "aggregation",
      ...rankWords(readNumberedList(list), asked),
      example: example ? readNumberedList(example[1]!) : [],
      invent: (draw) => pick(draw, FREQUENT_WORDS),
      write: (said) => join(said.map((word, index) => `${index + 1}. ${word}`).join(" ")),
    };
  },
};

/** Reads `1. one 2. two`; a word may hold a space. */
function readNumberedList(list: string): string[] {
  return list.split(/(?:^|\s)\s*\d+\.\s/).map((word) => word.trim()).filter((
    word,
  ) => word !== "");
}
