import type { DocumentSet, Question } from "@/lib/generators/mod.ts";
import { integer, pick, shuffle, stream } from "@/lib/random/mod.ts";

/** Kinds of sums in words, with {a} and {b} to fill in, and their results. */
const KINDS: readonly (readonly [text: string, result: (a: number, b: number) => number])[] = [
  ["A library has {a} novels and buys {b} more. How many novels does it have now?", (a, b) => a + b],
  ["Of {a} sheep on a farm, {b} are sold at the autumn market. How many sheep are left on the farm?", (a, b) => a - b],
  ["Each of {b} boxes in a shop holds {a} pencils. How many pencils are there in all boxes together?", (a, b) => a * b],
  [
    "A train leaves a town with {a} passengers, and at the only stop on its way {b} others get on. With how many does it arrive?",
    (a, b) => a + b,
  ],
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
  const [words, result] = pick(draw, KINDS);
  const [a, b] = [100 + number, integer(draw, { low: 11, high: 99 })];
  const right = result(a, b);
  const step = integer(draw, { low: 1, high: 9 });
  const choices = shuffle(draw, [right, right + step, right - step, right + 10 * step]);
  const listed = choices.map((choice, at) => `${LETTERS[at]}. ${choice}`).join(" ");
  const question = words.replace("{a}", String(a)).replace("{b}", String(b));
  return { text: `${question} ${listed}`, letter: LETTERS[choices.indexOf(right)]! };
}
