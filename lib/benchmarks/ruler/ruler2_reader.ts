import type { DocumentSet, Finding, Question, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { integer, pick, shuffle, stream } from "@/lib/random/mod.ts";

/** A kind of sum in words: its text with {a} and {b} to fill in, and its result. */
interface Sum {
  readonly text: string;
  readonly result: (a: number, b: number) => number;
}

const KINDS: readonly Sum[] = [
  { text: "A library has {a} novels and buys {b} more. How many novels does it have now?", result: (a, b) => a + b },
  {
    text: "Of {a} sheep on a farm, {b} are sold at the autumn market. How many sheep are left on the farm?",
    result: (a, b) => a - b,
  },
  {
    text: "Each of {b} boxes in a shop holds {a} pencils. How many pencils are there in all boxes together?",
    result: (a, b) => a * b,
  },
  {
    text:
      "A train leaves a town with {a} passengers, and at the only stop on its way {b} others get on. With how many does it arrive?",
    result: (a, b) => a + b,
  },
];

const LETTERS = ["A", "B", "C", "D"] as const;

/** How many sums there are. */
const COUNT = 20_000;

/** Sums in words with four choices, for RULER v2's questions if there is no file of them. They differ in their numbers. */
export const SUMS: DocumentSet = {
  name: "sums",
  documentCount: COUNT,
  questionCount: COUNT,
  document: (number) => ({ title: "", text: writeSum(number).text }),
  question: (number): Question => {
    const { text, letter } = writeSum(number);
    return { question: text, answers: [letter], gold: [number], near: [] };
  },
};

function writeSum(number: number): { readonly text: string; readonly letter: string } {
  const draw = stream("ruler2 sums", number);
  const kind = pick(draw, KINDS);
  const [a, b] = [100 + number, integer(draw, { low: 11, high: 99 })];
  const right = kind.result(a, b);
  const step = integer(draw, { low: 1, high: 9 });
  const choices = shuffle(draw, [right, right + step, right - step, right + 10 * step]);
  const listed = choices.map((choice, at) => `${LETTERS[at]}. ${choice}`).join(" ");
  const text = `${kind.text.replace("{a}", String(a)).replace("{b}", String(b))} ${listed}`;
  return { text, letter: LETTERS[choices.indexOf(right)]! };
}

/** Solves a question of {@linkcode SUMS}: returns its letter, or `null` for another question. */
function solveSum(question: string): string | null {
  const [, text = "", list = ""] = /^(.*\?) (A\. .*)$/.exec(question) ?? [];
  const numbers = text.match(/\d+/g)?.map(Number) ?? [];
  const kind = KINDS.find(({ text: form }) => form === fillBack(text, form));
  if (kind === undefined || numbers.length !== 2) return null;
  const [a, b] = kind.text.indexOf("{a}") < kind.text.indexOf("{b}") ? numbers : numbers.toReversed();
  const choice = [...list.matchAll(/([A-D])\. (\d+)/g)].find(([, , value]) => Number(value) === kind.result(a!, b!));
  return choice?.[1] ?? null;
}

/** Replaces the numbers of a text by the marks of a form, in their order. */
function fillBack(text: string, form: string): string {
  const marks = form.match(/\{[ab]\}/g)!.values();
  return text.replaceAll(/\d+/g, () => marks.next().value ?? "");
}

const OPENING = "Below are some questions. I will ask you to ";
const TASK =
  /Please (?:first )?(?:find and )?(copy|solve) (all )?the (?:(\d+)\w\w \(1 indexed\) )?Question (\d{7}) from the context(?: and then (copy the (?:(\d+)\w\w \(1 indexed\) )?|solve it))?/g;

/**
 * Copies numbered questions, or solves one. It solves Fathom's own sums by rule, and guesses the letter of any other question, always
 * the same one.
 */
export const QUESTION_COPY_READER: TaskReader = {
  name: "numbered questions",
  recognise(prompt): Reading | null {
    const start = prompt.indexOf(OPENING);
    const task = start < 0 ? undefined : [...prompt.matchAll(TASK)].at(-1);
    if (task === undefined) return null;
    const [, , all, copied, number, then, last] = task;
    const isSolved = task[1] === "solve" || then?.startsWith("solve") === true;
    const questions = Array.from(
      prompt.slice(0, task.index).matchAll(/(?:^|\n\n)Question (\d{7}): ([^\n]+)(?=\n\n)/g),
      ({ 1: key, 2: value, index }): Finding => ({ key: key!, value: value!, depth: index / prompt.length }),
    );
    const found = questions.filter(({ key }) => key === number);
    const rank = Number(last ?? copied ?? 1);
    const asked = all !== undefined && then === undefined ? found : found.slice(rank - 1, rank);
    const rivals = questions.filter((each) => !asked.includes(each));
    const shared = { example: [], rivals: isSolved ? [] : rivals };
    if (!isSolved) {
      return {
        ...shared,
        category: "retrieval",
        wanted: asked,
        isGraded: true,
        invent: (draw) => pick(draw, questions).value,
        write: (values) => values.join("\n\n"),
      };
    }
    const [{ value: question, depth } = { value: "", depth: null }] = asked;
    const solved = solveSum(question);
    const letter = solved ?? pick(stream("questions with choices", question), LETTERS);
    return {
      ...shared,
      category: "question answering",
      wanted: [{ key: question, value: letter, depth }],
      isGuess: solved === null,
      invent: (draw) => LETTERS[integer(draw, { low: 0, high: 3 })]!,
      write: ([value]) => value === undefined ? "" : `\\boxed{${value}}`,
    };
  },
};
