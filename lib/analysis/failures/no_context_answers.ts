import type { RunRecord, ScoredReply } from "@/lib/runs/mod.ts";
import type { ScoredRun } from "./scored_run.ts";

/**
 * Finds what a model says to questions without any document, in a run that asks them so: a question-answering task with
 * `documents` set to 0.
 *
 * A seed asks the same questions in the same order with documents and without, at every length.
 *
 * @param run The run; it can be the one whose failures are explained, or another of the same model and seed.
 * @returns A function that gives the answer without documents to the question of a reply; `undefined` where there is none,
 *   and for the answers without documents themselves.
 *
 * @example A run that asks nothing without documents
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { ScoredReply } from "@/lib/runs/mod.ts";
 *
 * const reply = { record: { task: "qa_1", seed: "42", index: 0, references: ["Paris"] } } as unknown as ScoredReply;
 * equal(noContextAnswers({ manifest: { tasks: {} } as never, replies: [reply] })(reply), undefined);
 * ```
 */
export function noContextAnswers(run: ScoredRun): (reply: ScoredReply) => string | undefined {
  const { manifest: { tasks }, replies } = run;
  const isAlone = ({ task }: RunRecord): boolean => tasks[task]?.options["documents"] === 0;
  const answers = new Map<string, string>();
  for (const { record } of replies) {
    if (isAlone(record) && record.reply.kind === "answer") answers.set(questionOf(record), record.reply.text);
  }
  return ({ record }) => isAlone(record) ? undefined : answers.get(questionOf(record));
}

function questionOf({ seed, index, references }: RunRecord): string {
  return JSON.stringify([seed, index, references]);
}
