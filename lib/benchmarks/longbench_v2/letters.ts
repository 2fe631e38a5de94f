import PROMPTS from "./prompts.json" with { type: "json" };
import type { Regrader } from "@/lib/benchmarks/benchmark.ts";
import { userPrompt } from "@/lib/generators/mod.ts";
import { type Grading, type Scorer, stripText } from "@/lib/scorers/mod.ts";

/** Returns the letter of a reply as `extract_answer` of pred.py, which removes asterisks first; `null` if it has none. */
function findLetter(reply: string): string | null {
  const bare = reply.replaceAll("*", "");
  const [, letter] = /The correct answer is \(([A-D])\)/.exec(bare) ?? /The correct answer is ([A-D])/.exec(bare) ?? [];
  return letter ?? null;
}

function gradeLetter(reply: string, [right]: readonly string[], scoring: string): Grading {
  const letter = findLetter(reply);
  const answer = letter ?? stripText(reply);
  const value = letter === null && scoring.endsWith("compensated") ? 0.25 : Number(letter === right);
  const why = letter === null ? "no letter in the form asked for" : `answers ${letter}; right is ${right}`;
  const score = { value, answer, why };
  return { score, penalised: score, unparsable: letter === null };
}

/** The scorers of replies and of chains of thought, without and with 0.25 for a reply without a letter. */
export const SCORERS = ["", " compensated", " cot", " cot compensated"].map((way): Scorer => ({
  name: `longbench_v2${way}`,
  about: "1 for the right letter, else 0" +
    (way.includes("compensated") ? "; 0.25 without a letter" : "") +
    (way.includes("cot") ? "; `regrade` asks again" : ""),
  shape: { name: "letter", pattern: /The correct answer is \(?[A-D]/ },
  normalise: (answer) => /answer is \(?([a-d])/.exec(answer)?.[1] ?? answer,
  grade: (reply, { references }) => gradeLetter(reply, references, way),
})) as unknown as readonly [Scorer, ...Scorer[]];

/** The authors' second question after a chain of thought, in which the text is left out. */
export const SECOND_QUESTION: Regrader = {
  name: "extractor",
  scorers: SCORERS.slice(2),
  caption: "Chains of thought, scored by the letter in them and by the answer to the authors' second question.",
  prompt: (thoughts, { question = "" }) =>
    userPrompt(PROMPTS.second.replace("$QUESTION$", () => question).replace("$THOUGHTS$", () => stripText(thoughts))),
  answerRoom: () => 128,
  grade: (answer, { record: { scoring, references } }) => gradeLetter(answer, references, scoring),
  wanted: "an answer",
  otherwise: "unscored",
  isAlike: (byRules, byModel) => byRules === byModel,
  agree: (thoughts) => `The correct answer is (${findLetter(thoughts) ?? "unknown"})`,
};
