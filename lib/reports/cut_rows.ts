import { plural, sum } from "@/lib/base/mod.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { FailureKind } from "@/lib/models/mod.ts";
import {
  isAnswerCut,
  isAtBudget,
  isFiltered,
  isUnfinished,
  scoredPart,
  type ScoredReply,
  wentOn,
} from "@/lib/records/mod.ts";
import { type Origin, summarise } from "@/lib/statistics/mod.ts";

const CUTS = {
  failed: { label: "Failed calls", is: ({ failed }) => failed },
  promptCut: { label: "Prompt cut", is: ({ promptCut }) => promptCut !== undefined },
  filtered: { label: "Filtered", is: isFiltered },
  atBudget: { label: "At the budget", is: isAtBudget },
  unfinished: { label: "before an answer", is: isUnfinished },
  wentOn: { label: "Went on", is: wentOn },
  answerCut: { label: "Answer cut?", is: isAnswerCut },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly is: (reply: ScoredReply) => boolean }>
>;

/** Numbers of replies by the way they were cut. */
export type CutCounts = Readonly<Record<keyof typeof CUTS, number>>;

function countCuts(replies: readonly ScoredReply[]): CutCounts {
  const counts = Object.entries(CUTS).map(([name, { is }]) => [name, replies.filter(is).length]);
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

/**
 * Summarises in one line what was cut in a run and what to do about it.
 *
 * @returns `null` if nothing was cut, every call was answered, and whole replies are scored.
 */
export function cutFinding(replies: readonly ScoredReply[]): string | null {
  const counts = countCuts(replies);
  const of = (count: number, noun: string): string => `${count} of ${replies.length} ${plural(replies.length, noun)}`;
  const found: readonly (readonly [isFound: boolean, text: string])[] = [
    [counts.failed > 0, `${of(counts.failed, "call")} failed (run the same line again)`],
    [
      counts.promptCut > 0,
      `the server cut ${of(counts.promptCut, "prompt")} (give it a larger window, or ask shorter lengths)`,
    ],
    [counts.filtered > 0, `a content filter stopped ${of(counts.filtered, "reply")}, in no score`],
    [
      counts.unfinished > 0,
      `the output budget ended ${
        of(counts.atBudget, "reply")
      }, ${counts.unfinished} of them before an answer was complete (--max-tokens raises it)`,
    ],
    [
      scoredPart(replies) !== "whole",
      `${of(counts.wentOn, "reply")} went on after the answer, with ${
        restShare(replies).toFixed(0)
      }% of all that was written; the first answer is scored (--scored whole: all of it, as RULER's code does)`,
    ],
    [
      counts.answerCut > 0,
      `${of(counts.answerCut, "reply")} score far more as a whole: the answer can be in the part that is not scored`,
    ],
  ];
  const text = found.filter(([isFound]) => isFound).map(([, text]) => text).join("; ");
  return text === "" ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/**
 * Makes a table of the cut replies of each cell, with its score; cells without any are left out.
 *
 * @returns `null` if no cell lost anything.
 */
export function cutTable(
  replies: readonly ScoredReply[],
  { model, ...drawn }: { readonly model: string; readonly origin: Origin; readonly warning?: string | undefined },
): Table | null {
  const isFirst = scoredPart(replies) !== "whole";
  const rows = cutRows(replies).filter(({ failed, promptCut, atBudget, filtered, wentOn }) =>
    failed + promptCut + atBudget + filtered > 0 || isFirst && wentOn > 0
  );
  if (rows.length === 0) return null;
  const shown = (Object.keys(CUTS) as (keyof CutCounts)[])
    .filter((field) => rows.some((row) => row[field] > 0) && (field !== "wentOn" || isFirst))
    .map((field) => ({ field, label: CUTS[field].label, digits: 0 }));
  const why = (failures: CutRow["failures"]): string | null =>
    Object.entries(failures).map(([kind, count]) => `${kind.replaceAll("_", " ")} ${count}`).join(", ") || null;
  return table(rows.map((row) => ({ ...row, why: why(row.failures) })), {
    title: `${model}: what was cut, beside the score`,
    caption: `${
      cutFinding(replies) ?? "Every answer was complete before its budget ended."
    } A cell that is not listed lost nothing.`,
    ...drawn,
    n: `${replies.length} ${plural(replies.length, "sample")}`,
    columns: [
      { field: "task", label: "Task" },
      { field: "length", label: "Length", digits: 0 },
      { field: "asked", label: "Asked", digits: 0 },
      { field: "score", label: isFirst ? "First answer (%)" : "Score (%)", digits: 1 },
      ...(isFirst ? [{ field: "wholeScore", label: "Whole reply (%)", digits: 1 } as const] : []),
      ...shown,
      ...(rows.some(({ failed }) => failed > 0) ? [{ field: "why", label: "Calls failed by" } as const] : []),
      ...(isFirst ? [{ field: "restShare", label: "After the answer (%)", digits: 0 } as const] : []),
    ],
  });
}
