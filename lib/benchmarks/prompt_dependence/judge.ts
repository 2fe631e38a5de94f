import { createHash } from "node:crypto";
import { recallPercent } from "./published.ts";
import { type RecallGrade, recallRubric } from "./rubric.ts";
import { type Reading, type Sample, type TaskReader } from "@/lib/generators/mod.ts";
import { type Model, replyOrigin } from "@/lib/models/mod.ts";
import { integer } from "@/lib/random/mod.ts";
import { raterAgreement } from "@/lib/statistics/mod.ts";

/** What a judge made of a reply. */
export interface RecallVerdict {
  /** From 1 to 5; `null` where the judge gave no grade that could be read, twice. */
  readonly grade: RecallGrade | null;
  /** What the judge wrote last; empty where its call failed. */
  readonly text: string;
  /** How often it was asked, 1 or 2. */
  readonly asked: number;
  /** Why there is no grade; `null` where there is one. */
  readonly unscored: string | null;
  /** Whether a real model judged or the simulated reader, as far as its last answer tells. */
  readonly origin: Model["origin"];
}

/** Tokens that the judge may write: a short explanation and the grade. */
const ANSWER_ROOM = 300;
const MOST_ASKED = 2;

/**
 * Asks a model to grade a reply from 1 to 5, as the paper's judge does.
 *
 * A verdict that cannot be read, or a call that fails, is asked for once more; then the reply stays unscored, which is no grade.
 *
 * @param judge Who grades.
 * @param options The reply, the needle that was planted, and the question about it.
 * @param signal Ends the call early.
 * @returns The verdict. Nothing the judge does makes the promise reject.
 *
 * @example A judge that never gives a grade
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 *
 * const verdict = await judgeRecall(simulatedModel("mute"), { reply: "A patent.", needle: "It got a patent.", question: "What?" });
 * equal(verdict.grade, null);
 * equal(verdict.asked, 2);
 * ```
 */
export async function judgeRecall(
  judge: Model,
  options: { readonly reply: string; readonly needle: string; readonly question: string },
  signal?: AbortSignal,
): Promise<RecallVerdict> {
  const { reply, needle, question } = options;
  const prompt = judgePrompt(reply, needle, { question });
  const sha256 = createHash("sha256").update(`${prompt.system}\0${prompt.user}`).digest("hex");
  // A judge's prompt is fitted to no length: tokens are not counted.
  const sample: Sample = {
    id: `recall judge/${sha256}`,
    suite: "recall judge",
    task: "recall_judge",
    index: 0,
    length: 0,
    promptTokens: 0,
    answerRoom: ANSWER_ROOM,
    prompt,
    references: [],
    facts: [],
    sha256,
  };
  let [text, unscored] = ["", ""];
  let { origin } = judge;
  for (let asked = 1; asked <= MOST_ASKED; asked++) {
    const answer = await judge.ask(sample, signal);
    const isAnswer = answer.kind === "answer";
    origin = replyOrigin(judge, answer);
    text = isAnswer ? answer.text : "";
    const grade = parseVerdict(text);
    if (grade !== null) return { grade, text, asked, unscored: null, origin };
    unscored = isAnswer ? "the verdict holds no grade from 1 to 5 in double brackets" : answer.message;
  }
  return { grade: null, text, asked: MOST_ASKED, unscored, origin };
}

/** What a judging model is sent. */
interface JudgePrompt {
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

/** A reply with a grade over 5. */
export interface RatedReply {
  /** The task's name. */
  readonly task: string;
  /** The grade over 5, in [0.2, 1]; `null` where there is none. */
  readonly value: number | null;
  /** Whether the call failed, so that there was nothing to grade. */
  readonly failed: boolean;
}

/** How a judge and the rubric grade the replies of a task. */
export interface JudgeRow {
  /** The task's name, or `all`. */
  readonly task: string;
  /** Replies that there were to grade. */
  readonly replies: number;
  /** Those that the judge gave no grade that could be read. */
  readonly unscored: number;
  /** Calls of the model under test that failed; they are not in `replies`. */
  readonly failed: number;
  /** Recall by the rubric, in percent, of the replies that both graded; `null` where there are none. */
  readonly byRubric: number | null;
  /** Recall by the judge, in percent, of the same replies; `null` without a judge, as what follows is. */
  readonly byJudge: number | null;
  /** Replies that both accept (4 and above) or both reject, in percent of those. */
  readonly accepted: number | null;
  /** Cohen's kappa with squared weights; `null` where both give one grade only. */
  readonly kappa: number | null;
}

/** From this grade on an answer is accepted: it aligns with the needle. */
const ACCEPTED = 4;

/**
 * Compares a judging model with the rubric on the same replies, task by task and over all.
 *
 * @param byRubric The replies, graded by the rubric.
 * @param byJudge The same replies in the same order, graded by the judge; without it there is the rubric alone.
 * @returns A row for each task in the order asked, then one for all.
 * @throws {RangeError} If the lists are not of the same replies.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const reply = { task: "a", failed: false };
 * const [row] = judgeRows([{ ...reply, value: 1 }, { ...reply, value: 0.2 }], [{ ...reply, value: 1 }, { ...reply, value: null }]);
 * deepEqual([row?.byRubric, row?.byJudge, row?.unscored], [100, 100, 1]);
 * ```
 */
export function judgeRows(byRubric: readonly RatedReply[], byJudge?: readonly RatedReply[]): readonly JudgeRow[] {
  const rated = byJudge ?? byRubric;
  if (rated.length !== byRubric.length || byRubric.some(({ task }, at) => task !== rated[at]!.task)) {
    throw new RangeError(
      `Cannot compare judge and rubric as both must have graded the same replies: current value is ${byRubric.length} and ${rated.length}`,
    );
  }
  if (byJudge === undefined) {
    return judgeRows(byRubric, byRubric).map((row) => ({ ...row, byJudge: null, accepted: null, kappa: null }));
  }
  const pairs = byRubric.map((rubric, at): Pair => ({ rubric, judge: byJudge[at]! }));
  const tasks = [...Map.groupBy(pairs, ({ rubric }) => rubric.task)];
  return [...tasks.map(([task, own]) => rowOf(task, own)), ...(tasks.length > 1 ? [rowOf("all", pairs)] : [])];
}

interface Pair {
  readonly rubric: RatedReply;
  readonly judge: RatedReply;
}

function rowOf(task: string, pairs: readonly Pair[]): JudgeRow {
  const replied = pairs.filter(({ rubric }) => !rubric.failed);
  const grades = replied.flatMap(({ rubric, judge }): [number, number][] =>
    rubric.value === null || judge.value === null ? [] : [[gradeOf(rubric.value), gradeOf(judge.value)]]
  );
  const recall = (rater: 0 | 1): number | null =>
    grades.length === 0
      ? null
      : recallPercent(grades.reduce((sum, pair) => sum + pair[rater], 0), grades.length).recall;
  const alike = grades.filter(([first, second]) => first >= ACCEPTED === second >= ACCEPTED).length;
  return {
    task,
    replies: replied.length,
    unscored: replied.filter(({ judge }) => judge.value === null).length,
    failed: pairs.length - replied.length,
    byRubric: recall(0),
    byJudge: recall(1),
    accepted: grades.length === 0 ? null : 100 * alike / grades.length,
    kappa: grades.length === 0 ? null : raterAgreement(grades, { grades: 5 }).kappa,
  };
}

function gradeOf(value: number): number {
  return Math.round(5 * value);
}
