import type { Wrapping } from "../frame.ts";
import type { Wording } from "./_niah_wording.ts";
import type { Variant } from "./variant.ts";

/**
 * Words a question about common words (common_words_extraction.py; paper, Table 8); the numbered list follows the opening.
 *
 * @param asked How many words are asked for; the code of 2024 always prints 10.
 */
export function cweWording(asked: number): Wording {
  return {
    opening:
      "Below is a numbered list of words. In these words, some appear more often than others. Memorize the ones that appear most often.\n",
    question: `\nQuestion: What are the ${asked} most common words in the above list?`,
    answerPrefix: ` Answer: The top ${asked} words that appear most often in the list are:`,
  };
}

/**
 * Words what follows the list of the solved example; the task's own opening comes next.
 *
 * The code puts the whole template round the example too, the chat template's texts included. In the paper's Table 8 the example
 * is part of what one chat template stands round.
 *
 * @param answer The words asked for.
 * @param wrapping The chat template's texts; the first one before the example is not part of this.
 */
export function cweExampleEnding(
  answer: readonly string[],
  { variant, wrapping: { before, after } }: { readonly variant: Variant; readonly wrapping: Wrapping },
): string {
  const { question, answerPrefix } = cweWording(answer.length);
  const solved = `${answerPrefix}${variant === "2024" ? "" : " "}${numberWords(answer)}\n`;
  return variant === "paper" ? question + solved : question + after + solved + before;
}

/** Numbers words from 1. */
export function numberWords(words: readonly string[]): string {
  return words.map((word, place) => `${place + 1}. ${word}`).join(" ");
}
