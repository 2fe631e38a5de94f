import { splitText } from "./_python_text.ts";
import type { Score } from "./score.ts";
import { cleanPrediction } from "./string_match.ts";

/** How well a reply says a short answer, and says nothing else. */
export interface AnswerScore extends Score {
  /** Whether the reply is one of the accepted answers, word for word, once both are normalised. */
  readonly exact: boolean | null;
}

/**
 * Scores a reply to a question by the words it shares with the nearest accepted answer: F1 of its words.
 *
 * Rajpurkar et al., SQuAD (2016), section 6.1 and evaluate-v1.1.py: lower case, ASCII punctuation and the articles a, an
 * and the left out, words counted as often as they stand. A reply that copies a document shares every word and still
 * scores low, as it says much else.
 *
 * @param reply What a model wrote; it is cleaned as RULER does.
 * @param references The accepted answers; the nearest counts.
 * @returns The greatest F1, in [0, 1], and whether a reply equals an answer; `null` where there are no references.
 *
 * @example Two of three words, and one too many
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const score = answerMatch("The Denver Broncos won.", ["Denver Broncos", "Broncos"]);
 * equal(score.value, 0.8);
 * equal(score.exact, false);
 * ```
 */
export function answerMatch(reply: string, references: readonly string[]): AnswerScore {
  const answer = cleanPrediction(reply);
  if (references.length === 0) {
    return { value: null, answer, why: "nothing to score: there are no references", exact: null };
  }
  const words = normalise(answer);
  let best = { value: -1, reference: "" };
  let exact = false;
  for (const reference of references) {
    const accepted = normalise(reference);
    const value = shareWords(words, accepted);
    if (value > best.value) best = { value, reference };
    exact ||= words.join(" ") === accepted.join(" ");
  }
  const why = `${exact ? "the words" : `F1 ${best.value.toFixed(2)} with the words`} of ${best.reference}`;
  return { value: best.value, answer, why: answer === "" ? "no answer" : why, exact };
}

/** The characters of Python's `string.punctuation`. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** The articles, as whole words of Python's kind: letters, numerals and the low line, in any script. */
const ARTICLES = /(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu;

function normalise(text: string): string[] {
  return splitText(text.toLowerCase().replaceAll(PUNCTUATION, "").replaceAll(ARTICLES, " "));
}

/** F1 of two bags of words; where one is empty, 1 if both are. */
function shareWords(words: readonly string[], accepted: readonly string[]): number {
  if (words.length === 0 || accepted.length === 0) return words.length === accepted.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of accepted) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  return 2 * shared / (words.length + accepted.length);
}
