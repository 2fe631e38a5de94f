import { pick, stream } from "@/lib/random/mod.ts";
import type { Reading, TaskReader } from "../reading.ts";
import { FAMOUS_ANSWERS } from "./_invented.ts";
import { continueWith } from "./_wording.ts";

const QUESTION =
  /Answer the question\. Only give me the answer and do not output any other words\.\n\nQuestion: ([^\n]+?)(?: Answer:| \[\/INST\]|<\||\n|$)/;

/**
 * Answers questions that come without any document from what everybody knows: it has read no book, so it says a famous name
 * or number, always the same to one question. It is hardly ever right, and never about the synthetic world.
 */
export const QUESTION_READER: TaskReader = {
  name: "questions",
  recognise(prompt): Reading | null {
    const question = QUESTION.exec(prompt)?.[1]?.trim();
    if (question === undefined) return null;
    const isYesOrNo = /^(?:is|are|was|were|do|does|did|has|have|can)\b/i.test(question);
    const guess = isYesOrNo ? "no" : pick(stream("questions without documents", question), FAMOUS_ANSWERS);
    return {
      category: "question answering",
      wanted: [{ key: question, value: guess, depth: null }],
      rivals: [],
      example: [],
      isGuess: true,
      invent: (draw) => pick(draw, FAMOUS_ANSWERS),
      write: (said) => continueWith(prompt, "Answer:")(said.join(" ")),
    };
  },
};
