import { integer } from "@/lib/random/mod.ts";
import { recallRubric } from "@/lib/scorers/mod.ts";
import type { Reading, TaskReader } from "../reading.ts";

const PROMPT =
  /\[Ground truth\]\n([^\n]+)\nBegin your evaluation[\s\S]*?\n\[Question\]\n([^\n]+)\n\n\[The Start of Assistant's Answer\]\n([\s\S]*)\n\[The End of Assistant's Answer\]\s*$/;

/** Judges a reply as the prompt-dependence paper's judge is asked to, by the rules of the rubric. */
export const RECALL_JUDGE_READER: TaskReader = {
  name: "recall judge",
  recognise(prompt): Reading | null {
    const [, needle, question, reply] = PROMPT.exec(prompt) ?? [];
    if (needle === undefined || question === undefined || reply === undefined) return null;
    const { grade, why } = recallRubric(reply, needle, { question });
    return {
      category: "retrieval",
      wanted: [{ key: "grade", value: `${grade}`, depth: null }],
      rivals: [],
      example: [],
      invent: (draw) => `${integer(draw, { low: 6, high: 9 })}`,
      write: ([said = ""]) => said === "" ? "" : `The rubric ${why}.\nRating: [[${said}]]`,
    };
  },
};
