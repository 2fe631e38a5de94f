import { readValueReply, valuesInAnyOrder, valuesInOrder } from "./scorer.ts";
import type { Regrader } from "@/lib/benchmarks/benchmark.ts";
import { type Reading, type TaskReader, userPrompt } from "@/lib/generators/mod.ts";
import { inventLike } from "@/lib/models/mod.ts";
import type { Grading, Scorer } from "@/lib/scorers/mod.ts";

/** The request, in Fathom's wording, as the paper's is not public. */
const REQUEST =
  "Rewrite the answer below as a JSON list of the values that it gives, in the order in which it gives them, " +
  "and write nothing else. Leave out keys, explanations, and values that it only passes on the way. " +
  "If it gives no value, write [].";

const SCORERS: readonly Scorer[] = [valuesInOrder, valuesInAnyOrder];

/** Reads a reply by the scorer's own rules. */
const EXTRACTOR_READER: TaskReader = {
  name: "extractor",
  recognise(prompt): Reading | null {
    const start = prompt.indexOf(REQUEST);
    const from = prompt.indexOf("Answer:\n", start);
    if (start < 0 || from < 0) return null;
    const { values } = readValueReply(prompt.slice(from + "Answer:\n".length));
    return {
      category: "retrieval",
      wanted: values.map((value) => ({ key: "value", value, depth: null })),
      rivals: [],
      example: [],
      isGraded: true,
      invent: (draw) => inventLike(values[0] ?? "", draw),
      write: (values) => JSON.stringify(values).replaceAll('","', '", "'),
    };
  },
};

/**
 * Rewrites a reply as a list of values by a model before they are matched, as the paper does with Gemini 1.5 Flash.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, "Evaluation". The reply comes last in the request, so that its instructions can
 * change its own values only. There is room for twice the expected values.
 */
export const VALUE_EXTRACTOR: Regrader = {
  name: "extractor",
  scorers: SCORERS,
  caption:
    "Mean scores of the replies as the rules read them, and as a model rewrote them. Alike: both score the same. " +
    "No answer: the model's call failed, and the reply is scored by the rules.",
  prompt: (reply) => reply.trim() === "" ? null : userPrompt(`${REQUEST}\n\nAnswer:\n${reply}`),
  answerRoom: ({ references }) => answerRoom(2 * references.length),
  grade: (answer, { record }): Grading => SCORERS.find(({ name }) => name === record.scoring)!.grade(answer, record),
  wanted: "a list of values",
  otherwise: "by the rules",
  isAlike: (byRules, byModel) => byRules === byModel,
  reader: EXTRACTOR_READER,
};

/** Returns the tokens for an answer of some values: 100 for one, as in the paper's code. */
export function answerRoom(values: number): number {
  return 60 + 40 * values;
}
