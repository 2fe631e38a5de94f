import { sum } from "@/lib/base/mod.ts";
import {
  answerWorldQuestion,
  type Finding,
  type Reading,
  readWorldFacts,
  readWorldQuestion,
  type TaskReader,
  type WorldFact,
} from "@/lib/generators/mod.ts";
import { continueWith, FAMOUS_ANSWERS } from "@/lib/simulated/mod.ts";
import { pick, stream } from "@/lib/random/mod.ts";
import { splitSentences } from "@/lib/text/mod.ts";

/** Answers questions about the synthetic world: each has one answer, found by following statements in the documents. */
export const WORLD_READER: TaskReader = {
  name: "world documents",
  recognise(prompt): Reading | null {
    const parts = readDocumentPrompt(prompt);
    const asked = parts && readWorldQuestion(parts.question);
    if (!parts || !asked) return null;
    const facts = readWorldFacts(prompt);
    const answer = answerWorldQuestion(parts.question, facts);
    if (answer === null) return null;
    const last = asked.path.at(-1)!;
    const candidates = facts.filter(({ relation }) => relation === last);
    const find = (fact: WorldFact): Finding => ({
      key: parts.question,
      value: fact.object,
      depth: fact.at / prompt.length,
      links: asked.path.length,
    });
    return {
      ...readingOf(prompt),
      wanted: candidates.filter(({ object }) => object === answer).slice(0, 1).map(find),
      rivals: candidates.filter(({ object }) => object !== answer).map(find),
    };
  },
};

/**
 * Guesses answers to questions about real documents from the words that question and sentence share. No rule can answer such
 * questions: on SQuAD at 4,096 tokens it is right about one time in four, on HotpotQA less often.
 */
export const DOCUMENT_READER: TaskReader = {
  name: "documents",
  recognise(prompt): Reading | null {
    const parts = readDocumentPrompt(prompt);
    if (!parts) return null;
    const findings = guessAnswers(parts).map(({ text, depth }): Finding => ({
      key: parts.question,
      value: text,
      depth,
    }));
    return { ...readingOf(prompt), wanted: findings.slice(0, 1), rivals: findings.slice(1), isGuess: true };
  },
};

/**
 * Answers closed-book questions with a famous name or number, always the same one for a question. It is almost never right, and
 * never about the synthetic world.
 */
export const QUESTION_READER: TaskReader = {
  name: "questions",
  recognise(prompt): Reading | null {
    const question = LONE_QUESTION.exec(prompt)?.[1]?.trim();
    if (question === undefined) return null;
    const guess = YES_OR_NO.test(question)
      ? "no"
      : pick(stream("questions without documents", question), FAMOUS_ANSWERS);
    return { ...readingOf(prompt), wanted: [{ key: question, value: guess, depth: null }], rivals: [], isGuess: true };
  },
};

/** The common part of all readings of questions. */
function readingOf(prompt: string): Pick<Reading, "category" | "example" | "invent" | "write"> {
  return {
    category: "question answering",
    example: [],
    invent: (draw) => pick(draw, FAMOUS_ANSWERS),
    write: (values) => continueWith(prompt, "Answer:")(values.join(" ")),
  };
}

const YES_OR_NO = /^(?:is|are|was|were|do|does|did|has|have|can)\b/i;
const LONE_QUESTION =
  /Answer the question\. Only give me the answer and do not output any other words\.\n\nQuestion: ([^\n]+?)(?: Answer:| \[\/INST\]|<\||\n|$)/;

/** A document of a prompt, or a guess from it. */
interface PromptDocument {
  readonly text: string;
  /** The share of the prompt's characters before the document. */
  readonly depth: number;
}

interface DocumentPrompt {
  readonly question: string;
  readonly documents: readonly PromptDocument[];
}

const INSTRUCTION = "Answer the question based on the given documents.";
const QUESTION = "\nQuestion: ";
/** The text after the question on its line: marks of chat templates and the answer prefix. */
const AFTER_QUESTION =
  /(?<!\s)\s*(?:<\||\[\/INST\]|<end_of_turn>|<\/s>|Do not provide any explanation\.|ASSISTANT:|Answer:).*$/;

/** Splits a question-answering prompt into documents and question; `null` if the wording is another task's. */
function readDocumentPrompt(prompt: string): DocumentPrompt | null {
  const asked = prompt.lastIndexOf(QUESTION);
  const instruction = prompt.lastIndexOf(INSTRUCTION, asked);
  if (asked < 0 || instruction < 0) return null;
  const line = prompt.slice(asked + QUESTION.length).split("\n", 1)[0]!;
  const question = line.replace(AFTER_QUESTION, "").trim();
  const starts = [...prompt.slice(0, instruction).matchAll(/(?:^|\n)Document \d+:\n/g)];
  const documents = starts.map((start, number) => ({
    text: prompt.slice(start.index + start[0].length, starts[number + 1]?.index ?? instruction).trim(),
    depth: start.index / prompt.length,
  }));
  return question === "" || documents.length === 0 ? null : { question, documents };
}

/** The number of best sentences that give guesses. */
const MAX_SENTENCES = 5;

/**
 * Guesses answers from the words that question and sentence share, rare words counting more (inverse document frequency): the
 * numbers or names, as the question's first words ask, that are in the sentence and not in the question.
 */
function guessAnswers({ question, documents }: DocumentPrompt): readonly PromptDocument[] {
  if (YES_OR_NO.test(question)) return [{ text: "yes", depth: documents[0]!.depth }];
  const asked = new Set(wordsOf(question));
  const held = documents.map(({ text }) => new Set(wordsOf(text)));
  const weights = new Map([...asked].map((word) => {
    const holders = held.filter((words) => words.has(word)).length;
    return [word, holders === 0 ? 0 : Math.log(1 + documents.length / holders) - 0.6];
  }));
  const overlap = (words: ReadonlySet<string>): number => sum(words, (word) => weights.get(word) ?? 0);
  const ranked = documents.flatMap(({ text, depth }, at) => {
    const shared = 0.5 * overlap(held[at]!);
    return splitSentences(text).map((sentence) => (
      { sentence, depth, score: overlap(new Set(wordsOf(sentence))) + shared }
    ));
  }).sort((left, right) => right.score - left.score);
  const span = NUMBER_ASKED.test(question) ? NUMBER : NAME;
  const isNew = (text: string): boolean => wordsOf(text).some((word) => !asked.has(word) && !LITTLE_WORDS.has(word));
  const guesses = ranked.slice(0, MAX_SENTENCES).flatMap(({ sentence, depth }) => {
    const spans = Array.from(sentence.matchAll(span), ([text]) => text.trim()).filter(isNew);
    return (spans.length > 0 ? spans : [sentence.trim()]).map((text) => ({ text, depth }));
  });
  return guesses.filter(({ text }, at) => guesses.findIndex((guess) => guess.text === text) === at);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

const NUMBER_ASKED = /^(?:when|in (?:what|which) year|what year|how (?:many|much|long|old|far|large))/i;
const NUMBER = /\b\d[\d,.]*\d\b|\b\d\b/g;
const NAME = /\p{Lu}[\p{L}'’-]+(?: (?:(?:of|the|de|von) )?\p{Lu}[\p{L}'’-]*)*/gu;

/** Capitalised words at the start of sentences that are no names. */
const LITTLE_WORDS: ReadonlySet<string> = new Set(
  "the this that these those they it its he his she her we you one in on at by for from to of and but or as if with when while after before during since although however also there some many most all both other several each"
    .split(" "),
);
