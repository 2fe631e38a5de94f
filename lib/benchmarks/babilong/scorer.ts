import { GIFT_ANSWERS, PLACES } from "./story.ts";
import { type Answerable, nothingToScore, type Score, type Scorer } from "@/lib/scorers/mod.ts";

/** The corrections of the authors' scorer, each of one fault. */
export const BABILONG_FIXES = ["question", "answer", "sentence", "words"] as const;

export type BabilongFix = typeof BABILONG_FIXES[number];

/** An answer in a reply, but not the place that a question of qa3 names, as in "Before the kitchen the milk was in the garden". */
const ITEM = new RegExp(`(?<!before the )${wordsOf([...PLACES, ...GIFT_ANSWERS]).source}`, "i");

/** BABILong's own score; the corrected one is its penalised score. */
export const babilongScorer: Scorer = scorerWith(
  "babilong",
  "1 if the first sentence of the reply names the right one of the task's answers and no other, as the authors' code reads it",
  [],
);

/** BABILong's score without the faults of the authors' code. */
export const correctedBabilongScorer: Scorer = scorerWith(
  "babilong corrected",
  "1 if the first sentence of the answer that names any of the task's answers, as whole words, names the right one alone",
  BABILONG_FIXES,
);

function scorerWith(name: string, about: string, fixes: readonly BabilongFix[]): Scorer {
  return {
    name,
    about,
    shape: { name: "place, person or object", pattern: ITEM },
    parts: { names: ["the answer", "the question"] },
    extract: (reply) => readAnswer(reply, fixes),
    grade: (reply, item) => ({
      score: gradeReply(reply, item, fixes),
      penalised: gradeReply(reply, item, BABILONG_FIXES),
    }),
  };
}

/**
 * Lists the answers that a reply gives: those of the task's answers that it names and the question does not.
 *
 * Without corrections it is `compare_answers` of BABILong's metrics.py (booydar/babilong at 7a6efee), which lowers the reply, cuts
 * it at the first full stop, and searches each answer as a part of a word. The corrections, each of which can be left out:
 *
 * - `question`: a reply ends where a line begins a new question. The authors' code searches "Question" in lower case text.
 * - `answer`: the answer is the line that follows the first "Answer:".
 * - `sentence`: the first sentence that names an answer counts, not the text up to the first full stop, as of "1." or "Let me
 *   see."; line breaks, question marks and exclamation marks end sentences too. A list, as of options, is one sentence.
 * - `words`: answers are whole words. "Mary" is no part of "summary", nor "Bill" of "billion".
 *
 * @returns The answers in lower case; `null` if the target is no answer of qa1 to qa5.
 */
export function givenAnswers(
  reply: string,
  { target, question }: Readonly<Record<"target" | "question", string>>,
  fixes: readonly BabilongFix[],
): readonly string[] | null {
  const wanted = target.toLowerCase();
  const answers = [PLACES, GIFT_ANSWERS.map((each) => each.toLowerCase())].find((each) => each.includes(wanted));
  if (answers === undefined) return null;
  const patterns = answers.map((each) => fixes.includes("words") ? wordsOf([each]) : new RegExp(each));
  const find = (text: string): readonly string[] => {
    const lowered = text.toLowerCase();
    return answers.filter((_, at) => patterns[at]!.test(lowered));
  };
  const asked = find(question);
  const name = (text: string): readonly string[] => find(text).filter((each) => !asked.includes(each));
  const answer = readAnswer(reply, fixes);
  if (!fixes.includes("sentence")) return name(answer);
  return linesOf(answer).flatMap((line) => line.split(/[.!?]/)).map(name).find((named) => named.length > 0) ?? [];
}

/** An item of a list, such as "- kitchen" or "(B) kitchen", but not "- Answer: kitchen". */
const LIST_ITEM = /^\s*(?:[-*•]\s+(?!\W?\w+\W?:)|\(?[a-z\d][).:]\s)/i;

/** Splits a text into lines, with all items of a list, and its opening before a colon, in one. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let isList = false;
  for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
    const item = LIST_ITEM.exec(line)?.[0];
    const goesOn = item !== undefined && (isList || lines.at(-1)?.trimEnd().endsWith(":"));
    const bare = line.slice(item?.length ?? 0);
    lines.push(goesOn ? `${lines.pop()}, ${bare}` : bare);
    isList = item !== undefined;
  }
  return lines;
}

/** Returns the part of a reply that is compared, as far as that does not depend on the question. */
function readAnswer(reply: string, fixes: readonly BabilongFix[]): string {
  const first = fixes.includes("sentence") ? reply : reply.split(".")[0]!;
  const own = first.split(/<(?:context|example)>/i)[0]!;
  const [before = ""] = fixes.includes("question") ? own.split(/\n[^\p{L}\n]*question\b[^\p{L}\n]*:/iu) : [own];
  const text = before.trim() === "" ? own : before;
  if (!fixes.includes("answer")) return text;
  const answers = text.split(/\banswer:/i).slice(1).flatMap((part) => part.split("\n"));
  return answers.find((line) => line.trim() !== "") ?? text;
}

function wordsOf(words: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${words.join("|")})\\b`, "i");
}

function gradeReply(reply: string, { references }: Answerable, fixes: readonly BabilongFix[]): Score {
  const [target, question] = references as readonly [string, string];
  const answer = readAnswer(reply, fixes);
  const given = givenAnswers(reply, { target, question }, fixes);
  if (given === null) return nothingToScore(answer, "the target is no answer of qa1 to qa5");
  const isRight = given.length === 1 && given[0] === target.toLowerCase();
  const why = given.length === 0 ? "names no answer" : `names ${given.join(" and ")}`;
  return { value: isRight ? 1 : 0, answer, why: reply.trim() === "" ? "no answer" : why };
}
