import { type Audit, checkDifferent, type Solution, unsolvable } from "./_solution.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";

const MARK = "======END EXAMPLE======\n\n";
const COUNTED = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const QUESTION =
  /^Prepend ([A-Za-z0-9]{10,12}) to the (?:([1-8])(?:st|nd|rd|th) \(1 indexed\) (.+)|(\w+) (.+) in a (\w+) style)\. Do not include any other text in your response\.$/;

/** Reads a conversation message by message, and gives the text that was written on a request for the n-th time. */
export function solveMrcr(prompt: string, { prompt: { messages } }: Sample): Solution {
  const turns = messages.filter(({ role }) => role !== "system").map(({ text }) => text);
  const [opening, question] = [turns[0]!, turns.at(-1)!];
  const begin = opening.lastIndexOf(MARK) < 0 ? 0 : opening.lastIndexOf(MARK) + MARK.length;
  const { hash, number, request } = readQuestion(question);
  const requests = turns.slice(0, -1).filter((_, at) => at % 2 === 0);
  const written = turns.slice(0, -1).filter((_, at) => at % 2 === 1);
  requests[0] = opening.slice(begin);
  checkDifferent(written, "text");
  const texts = written.filter((_, at) => requests[at] === request);
  const text = texts[number - 1];
  if (text === undefined) throw unsolvable(`it must have ${number} texts of "${request}": it has ${texts.length}`);
  checkExamples(opening.slice(0, begin), texts);
  if (written.some((each) => each.includes(hash))) throw unsolvable(`its hash ${hash} must be in the question alone`);
  const from = prompt.indexOf(requests[0], Math.max(0, prompt.indexOf(opening) + begin));
  const asked = prompt.lastIndexOf(question);
  const label = "\n\nUser: ";
  const to = prompt.endsWith(label, asked) ? asked - label.length : asked;
  return { answers: [hash + text], context: [from, to], planted: texts.length, unit: " lantern." };
}

function readQuestion(question: string): { readonly hash: string; readonly number: number; readonly request: string } {
  const [, hash, indexed, what, word = "", topic, style] = QUESTION.exec(question) ?? [];
  if (hash === undefined) throw unsolvable(`it must ask for one text: it asks "${question}"`);
  if (indexed !== undefined) return { hash, number: Number(indexed), request: `write a ${what}` };
  return { hash, number: COUNTED.indexOf(word) + 1, request: `Write a ${topic} in ${style} style.` };
}

/** Each example is answered by its last text, which is in no text after it. */
function checkExamples(opening: string, texts: readonly string[]): void {
  for (const example of opening.split("======EXAMPLE======\n\n").slice(1)) {
    const said = example.slice(0, example.indexOf("\n\n======END EXAMPLE======")).split("\n\nAssistant: ");
    const [answer, last] = [said.at(-1)!, said.at(-2)!];
    const { hash, number, request } = readQuestion(last.slice(last.lastIndexOf("User: ") + "User: ".length));
    const shown = said.slice(1, -1).map((each) => each.slice(0, each.lastIndexOf("\n\nUser: ")));
    const asked = said.slice(0, -2).map((each) => each.slice(each.lastIndexOf("User: ") + "User: ".length));
    if (asked.some((each) => each !== request)) throw unsolvable(`its example must ask for "${request}" alone`);
    if (hash + shown[number - 1] !== answer) throw unsolvable("its example must be answered as its own text says");
    if (texts.includes(shown[number - 1]!)) throw unsolvable("its example must have texts of its own");
  }
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solveMrcr,
  further: [
    ...MRCR_GRAMMAR.tasks.map((name) => MRCR_GRAMMAR.task(name, { parts: "3" })),
    MRCR_GRAMMAR.make({ needles: 1, examples: 0 }),
    MRCR_GRAMMAR.make({ needles: 3, asked: 3, examples: 3 }),
    MRCR_GRAMMAR.make({ needles: 5, asked: 1, parts: "3", examples: 0 }),
    MRCR_GRAMMAR.make({ needles: 4, ending: "needle" }),
    MRCR_GRAMMAR.make({ needles: 4, questions: 4, parts: "3", scorer: "openai" }),
  ],
  traits: ({ ending, asked }) => ({ hasTurns: true, isSpread: asked === undefined && ending !== "needle" }),
};
