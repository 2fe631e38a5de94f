import { isDenial, isNegated } from "./_recall_denials.ts";
import { splitReply, stemWords, wantedWords } from "./needle_words.ts";
import type { Score } from "./score.ts";

/** The five grades of the paper's judge, from unrelated to accurate. */
export type RecallGrade = 1 | 2 | 3 | 4 | 5;

/** A grade of a reply and what it rests on. */
export interface RubricScore extends Score {
  /** From 1, unrelated to the needle, to 5, all of it and nothing against it. */
  readonly grade: RecallGrade;
  /** The share of the wanted words that the reply has, in [0, 1]. */
  readonly foundShare: number;
  /** The sentence that takes the answer back or denies that there is one; `null` where none does. */
  readonly against: string | null;
  /** Names and numbers in the answer that are neither the needle's nor the question's. */
  readonly added: readonly string[];
}

/** The least share of the words for grades 5, 4, 3 and 2. */
const BANDS = [[5, 1], [4, 2 / 3], [3, 1 / 3], [2, 1e-9]] as const;

/**
 * Grades a reply from 1 to 5 by rule, in place of a judging model.
 *
 * The rubric is Fathom's; its grades are those of Machlab and Battle (arXiv 2404.08865, section 3.3). All content words of the
 * needle that the question does not give away are worth 5, two thirds of them 4, a third 3, any 2, none 1. A reply that names
 * them and then says that there is no answer, or negates them, is worth 2 at most; one whose answer has names or numbers of
 * its own 3 at most.
 *
 * @param reply What a model wrote.
 * @param needle The sentence that was planted.
 * @param options The question that was asked about it.
 * @returns The grade; `value` is the grade over 5, as the paper's recall counts it, so that the least is 0.2.
 *
 * @example The answer, and the answer taken back
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const needle = "PistachioAI received a patent before its Series A.";
 * const question = "What did PistachioAI receive before its Series A?";
 * equal(recallRubric("It received a patent.", needle, { question }).grade, 5);
 * equal(recallRubric("A patent is named, but the text does not state who received it.", needle, { question }).grade, 2);
 * ```
 */
export function recallRubric(reply: string, needle: string, options: { readonly question: string }): RubricScore {
  const { question } = options;
  const wanted = wantedWords(needle, question);
  const said = new Set(stemWords(reply));
  const found = wanted.filter((word) => said.has(word));
  const foundShare = found.length / wanted.length;
  const sentences = splitReply(reply);
  const against = foundShare === 0 ? null : findAgainst(sentences, wanted);
  const added = foundShare === 0 ? [] : findAdded(sentences, { wanted, known: `${needle} ${question}` });
  const byWords = BANDS.find(([, least]) => foundShare >= least)?.[0] ?? 1;
  const grade = Math.min(byWords, against === null ? 5 : 2, added.length === 0 ? 5 : 3) as RecallGrade;
  const answer = reply.trim();
  return {
    value: grade / 5,
    answer,
    why: explain({ answer, found, wanted, against, added }),
    grade,
    foundShare,
    against,
    added,
  };
}

/** Finds what speaks against the answer: a denial behind the last sentence that gives it, or a negation in it. */
function findAgainst(sentences: readonly string[], wanted: readonly string[]): string | null {
  const isWanted = (word: string): boolean => stemWords(word).some((stem) => wanted.includes(stem));
  const last = sentences.findLastIndex((sentence) => shareOf(sentence, wanted) >= 0.5);
  const negated = sentences.find((sentence) => shareOf(sentence, wanted) > 0 && isNegated(sentence, isWanted));
  const denied = sentences.slice(Math.max(0, last)).find(isDenial);
  return negated ?? denied ?? null;
}

/** Finds names and numbers that an answering sentence puts beside the needle's. */
function findAdded(
  sentences: readonly string[],
  { wanted, known }: { readonly wanted: readonly string[]; readonly known: string },
): readonly string[] {
  const given = new Set(stemWords(known));
  const answering = sentences.filter((sentence) => shareOf(sentence, wanted) >= 1 / 3);
  const names = answering.flatMap((sentence) =>
    sentence.match(/(?<=[\p{Ll},;] )(?:\p{Lu}[\p{L}]+|\d[\d.,]*\d|\d)/gu) ?? []
  );
  return [...new Set(names)].filter((name) => stemWords(name).every((stem) => !given.has(stem)));
}

function shareOf(sentence: string, wanted: readonly string[]): number {
  const words = new Set(stemWords(sentence));
  return wanted.filter((word) => words.has(word)).length / wanted.length;
}

function explain(
  { answer, found, wanted, against, added }: {
    readonly answer: string;
    readonly found: readonly string[];
    readonly wanted: readonly string[];
    readonly against: string | null;
    readonly added: readonly string[];
  },
): string {
  if (answer === "") return "no answer";
  return [
    `found ${found.length} of ${wanted.length} words: ${found.join(", ") || "none"}`,
    ...(against === null ? [] : [`taken back: ${against}`]),
    ...(added.length === 0 ? [] : [`added: ${added.join(", ")}`]),
  ].join("; ");
}
