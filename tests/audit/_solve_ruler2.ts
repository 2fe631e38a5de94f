import { checkDifferent, lastPlace, longest, only, type Solution, unsolvable } from "./_solution.ts";

/** Solves a prompt of numbered questions of RULER v2, which are sums. */
export function solveRuler2(prompt: string): Solution {
  const start = prompt.indexOf("\n\n") + 2;
  const end = prompt.includes("Here are some examples")
    ? lastPlace(prompt, "Here are some examples")
    : lastPlace(prompt, "\n\n") + 2;
  const task = prompt.slice(lastPlace(prompt, "\n\n") + 2);
  const lines = prompt.slice(start, end).split("\n\n").slice(0, -1);
  const questions = lines.map((line) => {
    const [, number, text] = /^Question (\d{7}): (.+)$/.exec(line) ?? [];
    if (number === undefined) throw unsolvable(`"${line}" must be a question`);
    return { number, text: text! };
  });
  checkDifferent(questions.map(({ text }) => text), "question");
  const [asked] = /\d{7}/.exec(task) ?? [];
  const found = questions.filter(({ number }) => number === asked).map(({ text }) => text);
  const rank = /(\d+)(?:st|nd|rd|th) \(1 indexed\)/.exec(task)?.[1];
  const wanted = rank === undefined ? found : [found[Number(rank) - 1] ?? ""];
  const isChoice = task.includes("from A, B, C, D");
  const answers = isChoice ? [solveSum(only(wanted, "question of the number"))] : wanted;
  const isOne = prompt.startsWith("Below are some questions. I will ask you to copy one");
  if (isOne) only(wanted, "question asked for");
  return { answers, context: [start, end], planted: questions.length, unit: `${longest(lines)}\n\n`.repeat(2) };
}

function solveSum(question: string): string {
  const [a, b] = question.match(/\d+/g)!.map(Number);
  const sums: readonly (readonly [RegExp, number])[] = [
    [/novels|passengers/, a! + b!],
    [/sheep/, a! - b!],
    [/pencils/, a! * b!],
  ];
  const [, result] = only(sums.filter(([words]) => words.test(question)), "kind of sum");
  return only(
    [...question.matchAll(/([A-D])\. (\d+)/g)].filter(([, , value]) => Number(value) === result),
    "choice",
  )[1]!;
}
