import { type Table, table } from "@/lib/figures/mod.ts";
import type { FailureKind, ScoredPart, ScoredReply } from "@/lib/models/mod.ts";
import { type Origin, summarise } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Counts of cut replies of one task at one length, with the score. */
export interface CutRow {
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** Samples asked. */
  readonly asked: number;
  /** The mean score, in percent; `null` where nothing could be scored. */
  readonly score: number | null;
  /** The mean score of the whole replies, where the score is of first answers; otherwise `null`. */
  readonly wholeScore: number | null;
  /** Calls that gave no reply. */
  readonly failed: number;
  /** Those calls by the kind of failure, such as `context_length`, most first. */
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>;
  /** Prompts of which the server read only a part. */
  readonly promptCut: number;
  /** Replies that the output budget ended. */
  readonly atBudget: number;
  /** Those of them that ended before an answer was complete: nothing follows it, and it is not right. */
  readonly unfinished: number;
  /** Replies that the provider's content filter stopped. */
  readonly filtered: number;
  /** Replies that went on after their first answer. */
  readonly wentOn: number;
  /** Those of them that score far more as a whole: the answer can be in the part that is not scored. */
  readonly answerCut: number;
  /** Text after the first answers, in percent of all text. */
  readonly restShare: number;
}

/**
 * Counts what was cut, by task and length: prompts by the server, replies by the output budget or a content filter, and what
 * base models write after their answer.
 *
 * @returns Tasks in order of first appearance, lengths rising.
 *
 * @example A reply that its budget ended within a number
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 * import { scoreRecords } from "@/lib/records/mod.ts";
 *
 * const reply = { kind: "answer", text: "It is 123", finishReason: "length", latencyMs: 9, attempts: 1 };
 * const record = { task: "vt", length: 4096, references: ["1234567"], scoring: "all", promptTokens: 4000, reply };
 * equal(cutRows(scoreRecords([record as unknown as RunRecord]))[0]?.unfinished, 1);
 * ```
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
    const count = (is: (reply: ScoredReply) => boolean): number => ofCell.filter(is).length;
    const isFirst = ofCell.some(({ scored }) => scored === "first");
    return {
      ...{ task, length, asked: ofCell.length, score },
      wholeScore: isFirst ? wholes[place]!.score : null,
      failed: count(({ failed }) => failed),
      failures: failureKinds(ofCell),
      promptCut: count(({ promptCut }) => promptCut !== undefined),
      atBudget: count(isAtBudget),
      unfinished: count(isUnfinished),
      filtered: count(isFiltered),
      wentOn: count(wentOn),
      answerCut: count(isAnswerCut),
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

/** Failures by kind, such as `context length 12, timeout 1`; `null` for none. */
function kindsText(failures: CutRow["failures"]): string | null {
  const kinds = Object.entries(failures).map(([kind, count]) => `${kind.replaceAll("_", " ")} ${count}`);
  return kinds.length === 0 ? null : kinds.join(", ");
}

/** Whether the output budget ended a reply. */
export function isAtBudget({ record: { reply } }: ScoredReply): boolean {
  return reply.kind === "answer" && reply.finishReason === "length";
}

/** Whether the output budget ended a reply before its answer was complete. */
export function isUnfinished(reply: ScoredReply): boolean {
  return isAtBudget(reply) && !wentOn(reply) && reply.value !== 1;
}

/** Whether the provider's content filter stopped a reply. */
export function isFiltered({ record: { reply } }: ScoredReply): boolean {
  return reply.kind === "answer" && reply.finishReason === "content_filter";
}

/** Whether a reply went on after its first answer. */
export function wentOn({ first }: ScoredReply): boolean {
  return first !== undefined && first.rest.trim() !== "";
}

/** How much more a whole reply scores than its first answer where the answer is likely in the rest. */
const FAR_MORE = 0.5;

/** Whether a reply scores far more as a whole than by its first answer, as where its last line is "Final Answer: …". */
export function isAnswerCut(reply: ScoredReply): boolean {
  return wentOn(reply) && (reply.whole?.value ?? 0) - (reply.value ?? 0) >= FAR_MORE;
}

/** Warns where the answers of replies are likely in the part that is not scored; empty where none is. */
export function answerCutNotes(replies: readonly ScoredReply[]): readonly string[] {
  const count = replies.filter(isAnswerCut).length;
  if (count === 0) return [];
  return [
    `Warning: ${count} of ${replies.length} ${
      plural(replies.length, "reply")
    } score far more as a whole than by the first answer, so the answer can be in the part that is not scored; compare with --scored whole`,
  ];
}

function restShare(replies: readonly ScoredReply[]): number {
  const sum = (lengthOf: (reply: ScoredReply) => number): number =>
    replies.reduce((total, reply) => total + lengthOf(reply), 0);
  const written = sum(({ record: { reply } }) => reply.kind === "answer" ? reply.text.length : 0);
  return written === 0 ? 0 : 100 * sum(({ first }) => first?.rest.length ?? 0) / written;
}

/** Which part of its replies the scores of a run are of; `null` where some are of one part and some of the other. */
export function scoredPart(replies: readonly ScoredReply[]): ScoredPart | null {
  const parts = new Set(replies.flatMap(({ scored }) => scored ?? []));
  return parts.size > 1 ? null : [...parts][0] ?? "whole";
}

/**
 * Says in one line what was cut in a run and what to do about it.
 *
 * @returns `null` where nothing was cut, every call was answered, and whole replies are scored.
 */
export function cutFinding(replies: readonly ScoredReply[]): string | null {
  const rows = cutRows(replies);
  const sum = (
    field: "failed" | "promptCut" | "atBudget" | "unfinished" | "filtered" | "wentOn" | "answerCut",
  ): number => rows.reduce((total, row) => total + row[field], 0);
  const of = (count: number, noun: string): string => `${count} of ${replies.length} ${plural(replies.length, noun)}`;
  const [failed, promptCut, filtered, unfinished] = [
    sum("failed"),
    sum("promptCut"),
    sum("filtered"),
    sum("unfinished"),
  ];
  const parts = [
    ...(failed > 0 ? [`${of(failed, "call")} failed (run the same line again)`] : []),
    ...(promptCut > 0
      ? [`the server cut ${of(promptCut, "prompt")} (give it a larger window, or ask shorter lengths)`]
      : []),
    ...(filtered > 0 ? [`a content filter stopped ${of(filtered, "reply")}, in no score`] : []),
    ...(unfinished > 0
      ? [
        `the output budget ended ${
          of(sum("atBudget"), "reply")
        }, ${unfinished} of them before an answer was complete (--max-tokens raises it)`,
      ]
      : []),
    ...(scoredPart(replies) === "whole" ? [] : [
      `${of(sum("wentOn"), "reply")} went on after the answer, with ${
        restShare(replies).toFixed(0)
      }% of all that was written; the first answer is scored (--scored whole: all of it, as RULER's code does)`,
    ]),
    ...(sum("answerCut") === 0 ? [] : [
      `${of(sum("answerCut"), "reply")} score far more as a whole: the answer can be in the part that is not scored`,
    ]),
  ];
  return parts.length === 0 ? null : `${capitalise(parts.join("; "))}.`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Makes a table of what was cut in each cell, beside its score; cells that lost nothing are left out.
 *
 * @returns `null` where no cell lost anything.
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
  const counts = [
    { field: "failed", label: "Failed calls" },
    { field: "promptCut", label: "Prompt cut" },
    { field: "filtered", label: "Filtered" },
    { field: "atBudget", label: "At the budget" },
    { field: "unfinished", label: "before an answer" },
    { field: "wentOn", label: "Went on" },
    { field: "answerCut", label: "Answer cut?" },
  ] as const;
  const shown = counts.filter(({ field }) => rows.some((row) => row[field] > 0) && (field !== "wentOn" || isFirst));
  const hasFailures = rows.some(({ failed }) => failed > 0);
  return table(rows.map((row) => ({ ...row, why: kindsText(row.failures) })), {
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
      ...shown.map((column) => ({ ...column, digits: 0 })),
      ...(hasFailures ? [{ field: "why", label: "Calls failed by" } as const] : []),
      ...(isFirst ? [{ field: "restShare", label: "After the answer (%)", digits: 0 } as const] : []),
    ],
  });
}
