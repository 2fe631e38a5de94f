import { type RecallGrade, recallRubric, recallRubricScorer } from "./rubric.ts";
import type { Regrader } from "@/lib/benchmarks/benchmark.ts";
import type { Reading, TaskReader } from "@/lib/generators/mod.ts";
import { integer } from "@/lib/random/mod.ts";
import type { Grading } from "@/lib/scorers/mod.ts";

/** Tokens for a short explanation and the grade. */
const ANSWER_ROOM = 300;
/** The lowest grade that accepts an answer: it aligns with the needle. */
const ACCEPTED = 4;

/** What the grades from 1 to 5 mean (Table 4). */
export const RECALL_GRADES = [
  "The answer is completely unrelated to the reference.",
  "The answer has minor relevance but does not align with the reference.",
  "The answer has moderate relevance but contains inaccuracies.",
  "The answer aligns with the reference but has minor omissions.",
  "The answer is completely accurate and aligns perfectly with the reference.",
] as const;

const CRITERIA = [
  "accuracy:",
  ...RECALL_GRADES.map((meaning, at) => ` Score ${at + 1}: ${meaning}`),
  " Only respond with a numerical score",
].join("\n");

const PROMPT =
  /\[Ground truth\]\n([^\n]+)\nBegin your evaluation[\s\S]*?\n\[Question\]\n([^\n]+)\n\n\[The Start of Assistant's Answer\]\n([\s\S]*)\n\[The End of Assistant's Answer\]\s*$/;

/** Judges by the rubric. */
const JUDGE_READER: TaskReader = {
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
      isGraded: true,
      invent: (draw) => `${integer(draw, { low: 6, high: 9 })}`,
      write: ([said = ""]) => said === "" ? "" : `The rubric ${why}.\nRating: [[${said}]]`,
    };
  },
};

/**
 * Has a model grade a reply from 1 to 5, as the paper does with GPT-4 Turbo.
 *
 * Machlab and Battle (arXiv 2404.08865v1), section 3.3 and appendix: LangChain's prompt for labelled scores, with the needle as
 * ground truth. Empty replies are graded too.
 */
export const RECALL_JUDGE: Regrader = {
  name: "judge",
  scorers: [recallRubricScorer],
  caption:
    "Recall = sum of grades / (5 x replies), so that a model that finds nothing has 20%. With a judge, of the replies " +
    "that both graded. Alike: both accept (4 and above) or both reject. Kappa has squared weights. No answer: the judge " +
    "gave no grade that can be read, twice, and the reply stays unscored.",
  prompt: (reply, { references: [needle = "", question = ""] }) => ({
    system: "You are a helpful assistant.",
    user:
      "[Instruction]\nPlease act as an impartial judge and evaluate the quality of the response provided by an AI assistant " +
      "to the user question displayed below. For this evaluation, you should primarily consider the following criteria:\n\n" +
      `${CRITERIA}\n[Ground truth]\n${needle}\n` +
      "Begin your evaluation by providing a short explanation. Be as objective as possible. After providing your explanation, " +
      'you must rate the response on a scale of 1 to 5 by strictly following this format: "[[rating]]", for example: ' +
      `"Rating: [[5]]".\n\n[Question]\n${question}\n\n` +
      `[The Start of Assistant's Answer]\n${reply}\n[The End of Assistant's Answer]`,
  }),
  answerRoom: () => ANSWER_ROOM,
  grade(said, { score }): Grading | null {
    const grade = readGrade(said);
    if (grade === null) return null;
    const rest = { answer: score?.answer ?? "", why: said };
    return { score: { value: grade / 5, ...rest }, penalised: { value: (grade - 1) / 4, ...rest } };
  },
  wanted: "a grade from 1 to 5 in double brackets",
  otherwise: "unscored",
  isAlike: (byRubric, byJudge) => 5 * byRubric >= ACCEPTED === 5 * byJudge >= ACCEPTED,
  grades: 5,
  reader: JUDGE_READER,
};

/** Reads a grade strictly, as LangChain's parser does: the first pair of double brackets must hold a plain one. */
function readGrade(text: string): RecallGrade | null {
  const inside = /\[\[(.*?)\]\]/.exec(text)?.[1] ?? "";
  return /^[1-5]$/.test(inside) ? Number(inside) as RecallGrade : null;
}
