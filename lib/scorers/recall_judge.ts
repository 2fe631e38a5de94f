import type { RecallGrade } from "./recall_rubric.ts";

/** What a judging model is sent. */
export interface JudgePrompt {
  /** Its system message. */
  readonly system: string;
  /** Its one user message. */
  readonly user: string;
}

const CRITERIA = `accuracy:
 Score 1: The answer is completely unrelated to the reference.
 Score 2: The answer has minor relevance but does not align with the reference.
 Score 3: The answer has moderate relevance but contains inaccuracies.
 Score 4: The answer aligns with the reference but has minor omissions.
 Score 5: The answer is completely accurate and aligns perfectly with the reference.
 Only respond with a numerical score`;

/**
 * Words what the judge is asked about a reply.
 *
 * Machlab and Battle (arXiv 2404.08865v1), section 3.3 and appendix: LangChain's prompt for labelled scores, on a scale from 1 to 5.
 *
 * @param reply What a model wrote.
 * @param needle The sentence that was planted; the judge's ground truth.
 * @param options The question that was asked about it.
 * @returns System message and user message.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const { user } = judgePrompt("A patent.", "It received a patent.", { question: "What did it receive?" });
 * match(user, /\[Ground truth\]\nIt received a patent\.\n/);
 * ```
 */
export function judgePrompt(reply: string, needle: string, options: { readonly question: string }): JudgePrompt {
  return {
    system: "You are a helpful assistant.",
    user:
      "[Instruction]\nPlease act as an impartial judge and evaluate the quality of the response provided by an AI assistant " +
      "to the user question displayed below. For this evaluation, you should primarily consider the following criteria:\n\n" +
      `${CRITERIA}\n[Ground truth]\n${needle}\n` +
      "Begin your evaluation by providing a short explanation. Be as objective as possible. After providing your explanation, " +
      'you must rate the response on a scale of 1 to 5 by strictly following this format: "[[rating]]", for example: ' +
      `"Rating: [[5]]".\n\n[Question]\n${options.question}\n\n` +
      `[The Start of Assistant's Answer]\n${reply}\n[The End of Assistant's Answer]`,
  };
}

/**
 * Reads a judge's verdict strictly, as LangChain's parser does: the first pair of double brackets must hold a plain grade.
 *
 * @param text What the judge wrote.
 * @returns The grade; `null` where there is no such pair, or it holds anything but 1 to 5.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(parseVerdict("It aligns. Rating: [[4]]"), 4);
 * equal(parseVerdict("Rating: [[4/5]]"), null);
 * equal(parseVerdict("Rating: 4"), null);
 * ```
 */
export function parseVerdict(text: string): RecallGrade | null {
  const inside = /\[\[(.*?)\]\]/.exec(text)?.[1] ?? "";
  return /^[1-5]$/.test(inside) ? Number(inside) as RecallGrade : null;
}
