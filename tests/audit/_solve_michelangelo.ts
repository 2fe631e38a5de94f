import { type Audit, checkDifferent, lastPlace, only, SENTENCE, type Solution, unsolvable } from "./_solution.ts";
import { MICHELANGELO } from "@/lib/benchmarks/michelangelo/michelangelo.ts";

/** Three pairs of the longest statements and a print statement. */
const UNIT = "numbers.insert(0, 100)  # 1000\nnumbers.remove(100)  # 1000\n".repeat(3) +
  'print("Do nothing at this point.")\n';

function solve(prompt: string): Solution {
  return prompt.includes("\nnumbers = [") ? solveList(prompt) : solveOptions(prompt);
}

/** Runs every statement of the program, in order, on one array that each of them changes. */
function solveList(prompt: string): Solution {
  const [opening, listed] = /\nnumbers = \[(.*)\]\n/.exec(prompt) ?? [];
  if (opening === undefined) throw unsolvable("it must begin with a list");
  const start = prompt.indexOf(opening) + opening.length;
  const end = lastPlace(prompt, "print(");
  const [, code] = /^print\((.*)\)\n\nWhat does the last line print\?/.exec(prompt.slice(end)) ?? [];
  const numbers = listed!.split(", ").map(Number);
  const statements = prompt.slice(start, end).match(/^numbers\..*\)(?= {2}# \d+$)/gm) ?? [];
  for (const statement of statements) execute(numbers, statement);
  const planted = countLasting(statements);
  return { answers: [view(numbers, code ?? "")], context: [start, end], planted, unit: UNIT };
}

function execute(numbers: number[], statement: string): void {
  const [, name, given = ""] = /^numbers\.(\w+)\((.*)\)$/.exec(statement) ?? [];
  const [first, second] = given === "" ? [] : given.split(", ").map(Number);
  if (name === "append") numbers.push(first!);
  else if (name === "insert") numbers.splice(first!, 0, second!);
  else if (name === "sort") numbers.sort((left, right) => left - right);
  else if (name === "reverse") numbers.reverse();
  else {
    const place = name === "remove" ? numbers.indexOf(first!) : first ?? numbers.length - 1;
    if (place < 0 || place >= numbers.length) throw unsolvable(`Python must run it: ${statement} raises an error`);
    numbers.splice(place, 1);
  }
}

function view(numbers: readonly number[], code: string): string {
  const [, name, from, to] = /^(\w*?)\(?numbers(?:\[(\d+):(\d+)\])?\)?$/.exec(code) ?? [];
  const part = from === undefined ? numbers : numbers.slice(Number(from), Number(to));
  if (name === "") return `[${part.join(", ")}]`;
  if (name === "len") return `${part.length}`;
  const sorted = part.toSorted((left, right) => left - right);
  if (name === "min") return `${sorted[0]}`;
  if (name === "max") return `${sorted.at(-1)}`;
  if (name === "sum") return `${part.reduce((sum, number) => sum + number)}`;
  throw unsolvable(`it must print a view of the list: it prints ${code}`);
}

/** Counts the statements that are left if neighbours that undo each other are taken out until there are none. */
function countLasting(statements: readonly string[]): number {
  const left: string[] = [];
  for (const statement of statements) {
    if (undoes(left.at(-1) ?? "", statement)) left.pop();
    else left.push(statement);
  }
  return left.length;
}

function undoes(before: string, statement: string): boolean {
  const [, place, value] = /\.insert\((\d+), (\d+)\)/.exec(before) ?? [];
  if (place !== undefined) return statement === `numbers.pop(${place})` || statement === `numbers.remove(${value})`;
  if (before.includes(".append(")) return statement === "numbers.pop()";
  return before === "numbers.reverse()" && statement === before;
}

/** The questions, each with the statement that answers it, after the owner and up to the full stop. */
const STATEMENTS: readonly (readonly [question: RegExp, statement: string])[] = [
  [/^What is .+ dog called\?/, "is called (\\w+)"],
  [/^What colour is the fur of .+ dog\?/, "has (\\w+) fur"],
  [/^How old is .+ dog, in years\?/, "is (\\w+) years old"],
  [/^What does .+ dog like to eat most\?/, "likes (\\w+) better than anything else"],
  [/^Where does .+ dog sleep\?/, "sleeps in the (\\w+)"],
];

function solveOptions(prompt: string): Solution {
  const start = prompt.indexOf("\n") + 1;
  const end = prompt.lastIndexOf("\n", lastPlace(prompt, "\n(A) ") - 1);
  const [text, question] = [prompt.slice(start, end), prompt.slice(end + 1)];
  const [, statement] = STATEMENTS.find(([pattern]) => pattern.test(question)) ?? [];
  const [owner] = /[A-Z]\w+ [A-Z]\w+'s dog/.exec(question) ?? [];
  if (statement === undefined || owner === undefined) throw unsolvable("it must ask for a trait of somebody's dog");
  const stated = [...text.matchAll(new RegExp(`${owner} ${statement}\\.`, "g"))];
  const value = stated.length === 0 ? "I don't know" : only(stated, "statement of the trait")[1];
  const options = question.match(/^\([A-Z]\) .+$/gm) ?? [];
  checkDifferent(options.map((option) => option.slice(4)), "option");
  const answer = only(options.filter((option) => option.slice(4) === value), "right option");
  return { answers: [answer], context: [start, end], planted: text.split(owner).length - 1, unit: SENTENCE.en };
}

const [LIST, IDK] = MICHELANGELO.families;

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve,
  further: [
    ...["list", "slice", "sum", "length", "least", "greatest"].map((view) => LIST!.make({ relevant: 40, view })),
    ...[2, 9].flatMap((choices) => [0, 1].map((answerable) => IDK!.make({ choices, answerable }))),
  ],
};
