import { answerWorldQuestion, readWorldFacts, readWorldQuestion, type WorldFact } from "@/lib/generators/mod.ts";
import { pick } from "@/lib/random/mod.ts";
import type { Finding, Reading, TaskReader } from "../reading.ts";
import { readDocumentPrompt } from "./_documents.ts";
import { FAMOUS_ANSWERS } from "./_invented.ts";
import { continueWith } from "./_wording.ts";

/** Reads questions about the synthetic world: each has one answer, found by following statements in the documents. */
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
    const alike = facts.filter(({ relation }) => relation === last);
    const find = (fact: WorldFact): Finding => ({
      key: parts.question,
      value: fact.object,
      depth: fact.at / prompt.length,
      links: asked.path.length,
    });
    return {
      category: "question answering",
      wanted: alike.filter(({ object }) => object === answer).slice(0, 1).map(find),
      rivals: alike.filter(({ object }) => object !== answer).map(find),
      example: [],
      invent: (draw) => pick(draw, FAMOUS_ANSWERS),
      write: (said) => continueWith(prompt, "Answer:")(said.join(" ")),
    };
  },
};
