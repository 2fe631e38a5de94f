import { SENTENCE, type Solution, unsolvable } from "./_solution.ts";

const PROMPT = /^(?<opening>(?:You are a helpful AI .+\n)?)(?<document>[^]*)\n(?<question>What are .+)$/;

/** Solves a prompt with several needles of Kamradt's test: names every ingredient that a sentence of the text says. */
export function solveSeveralNeedles(prompt: string): Solution {
  const parts = PROMPT.exec(prompt)?.groups;
  if (parts === undefined) throw unsolvable("it must have a document and a question");
  const { opening, document } = parts as Record<"opening" | "document", string>;
  const said = [...document.matchAll(/([A-Z][a-z]+(?: [a-z]+)?) (?:is|are) one of the secret ingredients/g)];
  if (said.length !== document.split("secret ingredients").length - 1) {
    throw unsolvable("each ingredient must be named");
  }
  return {
    answers: said.map(([, ingredient]) => ingredient!),
    context: [opening.length, opening.length + document.length],
    planted: said.length,
    unit: SENTENCE.en,
  };
}
