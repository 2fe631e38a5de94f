import { createHash } from "node:crypto";
import type { Sample } from "@/lib/generators/mod.ts";
import { judgePrompt, parseVerdict, type RecallGrade } from "@/lib/scorers/mod.ts";
import type { Model } from "./model.ts";
import { replyOrigin } from "./reply_origin.ts";

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
 * import { simulatedModel } from "@/lib/models/mod.ts";
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
