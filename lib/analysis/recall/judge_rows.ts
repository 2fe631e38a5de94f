import { raterAgreement } from "../comparison/rater_agreement.ts";
import { recallPercent } from "./recall_percent.ts";

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
