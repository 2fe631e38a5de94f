import { sum } from "@/lib/base/mod.ts";
import type { FailureKind } from "@/lib/models/mod.ts";
import { isAnswerCut, isAtBudget, isFiltered, isUnfinished, type ScoredReply, wentOn } from "@/lib/records/mod.ts";
import { summarise } from "@/lib/statistics/mod.ts";

const CUTS = {
  failed: ({ failed }) => failed,
  promptCut: ({ promptCut }) => promptCut !== undefined,
  filtered: isFiltered,
  atBudget: isAtBudget,
  unfinished: isUnfinished,
  wentOn,
  answerCut: isAnswerCut,
} as const satisfies Readonly<Record<string, (reply: ScoredReply) => boolean>>;

/** Numbers of replies by the way they were cut. */
export type CutCounts = Readonly<Record<keyof typeof CUTS, number>>;

function countCuts(replies: readonly ScoredReply[]): CutCounts {
  const counts = Object.entries(CUTS).map(([name, isOne]) => [name, replies.filter(isOne).length]);
  return Object.fromEntries(counts);
}

/** Counts of cut replies of one task at one length, with the score. */
export interface CutRow extends CutCounts {
  readonly task: string;
  readonly length: number;
  readonly asked: number;
  /** The mean score, in percent; `null` if nothing could be scored. */
  readonly score: number | null;
  /** The mean score of the whole replies, if first answers are scored; otherwise `null`. */
  readonly wholeScore: number | null;
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>;
  /** Text after the first answers, in percent of all text. */
  readonly restShare: number;
}

/**
 * Counts what was cut, by task and length: prompts by the server, replies by the output budget or a content filter, and what
 * base models write after their answer.
 *
 * @returns Tasks in order of first appearance, lengths rising.
 */
export function cutRows(replies: readonly ScoredReply[]): readonly CutRow[] {
  const cells = Map.groupBy(replies, ({ task, length }) => `${length} ${task}`);
  const wholes = summarise(replies.map((reply) => ({
    ...reply,
    value: reply.whole?.value ?? reply.value,
    noAnswer: reply.whole === undefined ? reply.noAnswer : reply.whole.answer === "",
  })));
  return summarise(replies).map(({ task, length, score }, place): CutRow => {
    const ofCell = cells.get(`${length} ${task}`)!;
    const isFirst = ofCell.some(({ scored }) => scored === "first");
    return {
      task,
      length,
      asked: ofCell.length,
      score,
      wholeScore: isFirst ? wholes[place]!.score : null,
      ...countCuts(ofCell),
      failures: failureKinds(ofCell),
      restShare: restShare(ofCell),
    };
  });
}

function failureKinds(replies: readonly ScoredReply[]): CutRow["failures"] {
  const kinds = replies.flatMap(({ record: { reply } }) => reply.kind === "failure" ? [reply.failure] : []);
  return Object.fromEntries(
    [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => [kind, length] as const)
      .toSorted(([, left], [, right]) => right - left),
  );
}

function restShare(replies: readonly ScoredReply[]): number {
  const written = sum(replies, ({ record: { reply } }) => reply.kind === "answer" ? reply.text.length : 0);
  return written === 0 ? 0 : 100 * sum(replies, ({ first }) => first?.rest.length ?? 0) / written;
}
