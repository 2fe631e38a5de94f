import { splitSentences } from "@/lib/text/mod.ts";
import type { DocumentPrompt, PromptDocument } from "./_documents.ts";

/** A guessed answer and where it stands. */
export interface Guess {
  readonly text: string;
  readonly depth: number;
}

/** Guesses made for one question, the best first. */
const MOST_SENTENCES = 5;

/**
 * Guesses answers from the words that question and sentence share, rare words counting more (inverse document frequency).
 *
 * It understands nothing: the answer is the first date, number or name of the sentence that the question does not hold,
 * whichever kind the question's first words ask for.
 */
export function guessAnswers({ question, documents }: DocumentPrompt): Guess[] {
  if (/^(?:is|are|was|were|do|does|did|has|have|can)\b/i.test(question)) {
    return [{ text: "yes", depth: documents[0]!.depth }];
  }
  const weights = weighWords(question, documents);
  const ranked = documents.flatMap((document) => {
    const shared = overlap(document.text, weights);
    return splitSentences(document.text).map((sentence) => ({
      sentence,
      depth: document.depth,
      score: overlap(sentence, weights) + 0.5 * shared,
    }));
  }).sort((left, right) => right.score - left.score);
  const guesses = ranked.slice(0, MOST_SENTENCES).flatMap((
    { sentence, depth },
  ) => pickSpan(sentence, question).map((text) => ({ text, depth })));
  return guesses.filter(({ text }, at) => guesses.findIndex((guess) => guess.text === text) === at);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

/** Weighs the question's words: those that few documents hold weigh most. */
function weighWords(
  question: string,
  documents: readonly PromptDocument[],
): Map<string, number> {
  const holders = new Map(wordsOf(question).map((word) => [word, 0]));
  for (const { text } of documents) {
    for (const word of new Set(wordsOf(text))) {
      const held = holders.get(word);
      if (held !== undefined) holders.set(word, held + 1);
    }
  }
  return new Map(
    Array.from(holders, ([word, held]) => [
      word,
      held === 0 ? 0 : Math.log(1 + documents.length / held) - 0.6,
    ]),
  );
}

function overlap(text: string, weights: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const word of new Set(wordsOf(text))) score += weights.get(word) ?? 0;
  return score;
}

const MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const SPANS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:when|in (?:what|which) year|what year)/i,
    new RegExp(
      `(?:${MONTH} )?(?:\\d{1,2}, )?\\b1?\\d{3}s?\\b|\\d{1,2}(?:st|nd|rd|th) century|${MONTH}`,
      "g",
    ),
  ],
  [
    /^how (?:many|much|long|old|far|large)/i,
    /\$?\b\d[\d,.]*\d(?: (?:million|billion|percent|miles|years|km))?|\b\d+\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b/g,
  ],
  [/./, /\p{Lu}[\p{L}'’-]*(?: (?:(?:of|the|de|von) )?\p{Lu}[\p{L}'’-]*)*/gu],
];

/** Words that begin sentences with a capital and are nobody's name. */
const LITTLE_WORDS: ReadonlySet<string> = new Set(
  "the this that these those they it its he his she her we you one in on at by for from to of and but or as if with when while after before during since although however also there some many most all both other several each"
    .split(" "),
);

/** Picks the spans of a sentence that are of the kind asked for and are not in the question. */
function pickSpan(sentence: string, question: string): string[] {
  const [, span] = SPANS.find(([asks]) => asks.test(question))!;
  const asked = new Set(wordsOf(question));
  const isNew = (text: string): boolean => wordsOf(text).some((word) => !asked.has(word) && !LITTLE_WORDS.has(word));
  const spans = Array.from(sentence.matchAll(span), ([text]) => text.trim())
    .filter((text) => text.length > 1 && isNew(text));
  return spans.length > 0 ? spans : [sentence.trim()];
}
