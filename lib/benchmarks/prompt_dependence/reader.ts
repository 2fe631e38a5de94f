import { sum } from "@/lib/base/mod.ts";
import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { contentWords, stemWords, wantedWords } from "./rubric.ts";
import { FAMOUS_ANSWERS } from "@/lib/simulated/mod.ts";
import { pick, stream } from "@/lib/random/mod.ts";

/** One of the paper's questions alone, under a system message or without one. */
const ALONE =
  /^(?:<s>|\[INST\]\n)?(?:<<SYS>>\n)?(?:You are a helpful AI [^\n]*\n)?(?:<<\/SYS>>\n)?(?:\n?\[INST\])?([^\n]*\b(?:PistachioAI|San Francisco|Thornfield Hollow)\b[^\n]*[?.])\s*(?:\[\/INST\])?\s*$/;

/** The texts that can follow the question; see `RECALL_ENDINGS`. */
const KAMRADT_ENDING = " Don't give information outside the document or repeat your findings";

/** The end of the template for Claude 2, and its marks, which are a line break in that for OpenAI's models. */
const CLAUDE_END = "\n\nAssistant: Here is the most relevant sentence in the context:";
const CLAUDE_MARKS = ["\n\nHuman: <context>\n", "\n</context>\n\n"];

/** The longest question without a document, with its template, in characters. */
const MAX_QUESTION = 2000;

/** The least share of the best sentence's similarity at which another can be mistaken for it. */
const RIVAL_SHARE = 0.5;
const MAX_RIVALS = 8;
/** The share of the question's words below which a sentence is a guess. */
const SURE_SHARE = 0.4;

/**
 * Reads prompts with one sentence among essays and a question about it, in each of the templates of the prompt-dependence tests.
 *
 * It takes the sentence that shares most with the question, weighted by rarity. Words of the question that the sentence lacks
 * make it harder to find, and so do similar sentences.
 */
export const RECALL_READER: TaskReader = {
  name: "recall",
  recognise(given): Reading | null {
    const prompt = withoutEnding(withoutMarks(given));
    const [, lone] = (prompt.length <= MAX_QUESTION ? ALONE.exec(prompt) : null) ?? [];
    if (lone !== undefined) return answerAlone(lone);
    const found = findQuestion(prompt);
    if (found === null) return null;
    const { document, question, start } = found;
    const [best, ...others] = rankSentences(document, question);
    if (best === undefined) return null;
    const value = answerIn(best.text, question);
    const find = (value: string, at: number): Finding => ({
      key: unshared(question, best.text),
      value,
      depth: (start + at) / prompt.length,
    });
    return {
      category: "retrieval",
      wanted: [find(value, best.at)],
      rivals: others.map(({ text, at }) => find(text, at)),
      example: [],
      isGuess: best.share < SURE_SHARE,
      isGraded: true,
      invent: (draw) => pick(draw, FAMOUS_ANSWERS),
      write: ([remembered = ""]) =>
        remembered === "" || others.some(({ text }) => text === remembered)
          ? remembered
          : best.text.replace(value, remembered),
    };
  },
};

/** Returns a prompt in the template for Claude 2 as the one for OpenAI's models has it, and any other unchanged. */
function withoutMarks(prompt: string): string {
  if (!prompt.endsWith(CLAUDE_END)) return prompt;
  const inside = prompt.slice(0, -CLAUDE_END.length);
  return CLAUDE_MARKS.reduce((text, mark) => text.replace(mark, "\n"), inside).trimStart();
}

/** Returns a prompt without the text that can follow its question. */
function withoutEnding(prompt: string): string {
  const at = prompt.lastIndexOf(KAMRADT_ENDING);
  const behind = prompt.slice(at + KAMRADT_ENDING.length);
  return at < 0 || !["", "[/INST]"].includes(behind.trim()) ? prompt : prompt.slice(0, at) + behind;
}

/**
 * Returns the last line of a prompt, the line before it, and the rest. A regular expression would need memory in proportion to
 * the prompt to backtrack.
 */
export function lastTwoLines(
  prompt: string,
): { readonly before: string; readonly document: string; readonly last: string } {
  const text = prompt.trimEnd();
  const end = text.lastIndexOf("\n");
  const start = end <= 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
  return { before: text.slice(0, start), document: text.slice(start, Math.max(0, end)), last: text.slice(end + 1) };
}

/** The fewest characters of a document. */
const MIN_DOCUMENT = 40;

/** Finds a document in one line under its system message, or alone, and a question in the line below. */
function findQuestion(
  prompt: string,
): { readonly document: string; readonly question: string; readonly start: number } | null {
  const text = prompt.trimEnd();
  const { before, document: line, last } = lastTwoLines(text.endsWith("[/INST]") ? text.slice(0, -7) : text);
  const question = last.startsWith("[INST]") ? last.slice("[INST]".length) : last;
  const head = before.endsWith("\n<</SYS>>\n") ? before.slice(0, -"<</SYS>>\n".length) : before;
  const system = head.slice(head.lastIndexOf("\n", head.length - 2) + 1);
  const hasSystem = system.includes("You are a helpful AI ");
  const marks = !hasSystem && before === "" && line.startsWith("<s>") ? "<s>".length : 0;
  const document = line.slice(marks);
  const isAlone = (before === "" || before === "[INST]\n") && /^Tell me .{3,}$|^.{3,}\?$/.test(question);
  if (question.length < 3 || question.length > 1000 || document.length < MIN_DOCUMENT) return null;
  return hasSystem || isAlone ? { document, question, start: before.length + marks } : null;
}

/** Answers a question without a document by a famous name, the same one each time. */
function answerAlone(question: string): Reading {
  const guess = pick(stream("recall without a document", question), FAMOUS_ANSWERS);
  return {
    category: "retrieval",
    wanted: [{ key: question, value: guess, depth: null }],
    rivals: [],
    example: [],
    isGuess: true,
    invent: (draw) => pick(draw, FAMOUS_ANSWERS),
    write: ([remembered = ""]) => remembered,
  };
}

/** A sentence with its place in the document, and how much of the question it shares, in [0, 1]. */
interface Ranked {
  readonly text: string;
  readonly at: number;
  readonly share: number;
}

/** Returns the sentence most similar to the question, then those that could be mistaken for it; none if none shares a word. */
export function rankSentences(document: string, question: string): Ranked[] {
  const asked = contentWords(question);
  // A stem begins its word, so a sentence without any of them shares none: most sentences need no stemming.
  const mayShare = new RegExp(asked.join("|"), "u");
  const sentences = [...document.matchAll(/\S.*?(?:[.!?]["”’)]*(?=\s)|$)/gs)].map(({ 0: text, index }) => {
    const words = new Set(mayShare.test(text.toLowerCase()) ? stemWords(text) : []);
    return { text, at: index, shared: asked.filter((word) => words.has(word)) };
  });
  const counts = new Map(asked.map((word) => [word, sentences.filter(({ shared }) => shared.includes(word)).length]));
  // A word in no sentence has no weight.
  const weight = (word: string): number => {
    const count = counts.get(word)!;
    return count === 0 ? 0 : Math.log(1 + sentences.length / count);
  };
  const ranked = sentences.map(({ shared, ...rest }) => ({
    ...rest,
    likeness: sum(shared, weight),
    share: shared.length / asked.length,
  }))
    .filter(({ likeness }) => likeness > 0)
    .toSorted((left, right) => right.likeness - left.likeness);
  const least = RIVAL_SHARE * (ranked[0]?.likeness ?? 0);
  return ranked.slice(0, 1 + MAX_RIVALS).filter(({ likeness }) => likeness >= least);
}

/** Returns the stretch of a sentence from the first to the last word that the question lacks. */
export function answerIn(sentence: string, question: string): string {
  const wanted = new Set(wantedWords(sentence, question));
  const words = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) =>
    stemWords(word).some((stem) => wanted.has(stem))
  );
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return sentence;
  return sentence.slice(first.index, last.index + last[0].length);
}

/** The words of a question that a sentence does not share. */
function unshared(question: string, sentence: string): string {
  const shared = new Set(stemWords(sentence));
  return contentWords(question).filter((word) => !shared.has(word)).join(" ");
}
