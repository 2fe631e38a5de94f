import { type BenchmarkOptions, type OpenStudy, openStudy, remakeSample } from "./open_study.ts";
import type { RecordedRun } from "./read_run.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { RunRecord, ScoredReply } from "@/lib/models/mod.ts";
import {
  classifyFailure,
  type ExplainedReply,
  explainFailedCall,
  FAILURE_CLASSES,
  type FailureClass,
  type Origin,
} from "@/lib/statistics/mod.ts";
import { lengthText, quoteText } from "@/lib/text/mod.ts";

/** A reply of a run with the ways in which it failed. */
export interface ExplainedRecord extends ScoredReply, ExplainedReply {}

/** Options for {@linkcode explainRun}. */
export interface ExplainRunOptions {
  /** The tasks and materials of the run; opened from its manifest unless given. */
  readonly opened?: Pick<OpenStudy, "tasks" | "materials">;
  /** Gives what the model says to the question of a reply without any context; looked for in the run itself unless given. */
  readonly closedBookAnswer?: (reply: ScoredReply) => string | undefined;
  /**
   * The share of the prompt's tokens that the server may count fewer before a prompt counts as cut. Range: [0, 1).
   *
   * @default {0.3}
   */
  readonly cutTolerance?: number;
}

/** A run with its failures explained. */
export interface ExplainedRun {
  /** The replies in their order, right ones included. */
  readonly replies: readonly ExplainedRecord[];
  /** What the user should be told: which failures could not be explained, and why. */
  readonly notes: readonly string[];
}

/**
 * Tells in which ways the replies of a run failed. The samples of wrong replies are made again from their records, one by one.
 *
 * @param run The run, from `runStudy`, or from `readRun` and `scoreRecords`.
 * @param options What it was made of, where that is open already, and what the model says without context.
 * @returns Every reply, with its ways of failing; a reply whose sample is not the text that was asked has none, and a note.
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example A reader that says nothing
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const { replies } = await explainRun(run);
 * deepEqual(replies.map(({ modes }) => modes[0]?.class), ["empty", "empty"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function explainRun(run: ScoredRun, options: ExplainRunOptions = {}): Promise<ExplainedRun> {
  const { manifest, replies } = run;
  const { closedBookAnswer = closedBookAnswers(run), cutTolerance } = options;
  const { tasks, materials } = options.opened ?? await openStudy(manifest.study, run);
  const changed = new Map<string, number>();
  const explain = (reply: ScoredReply): ExplainedRecord => {
    const { record, value } = reply;
    if (record.reply.kind === "failure") return { ...reply, modes: [explainFailedCall(record.reply)] };
    if (value === null || value === 1) return { ...reply, modes: [] };
    const answer = closedBookAnswer(reply);
    const outcome = {
      reply: record.reply,
      value,
      scoring: record.scoring,
      ...(answer === undefined ? {} : { closedBookAnswer: answer }),
      ...(cutTolerance === undefined ? {} : { cutTolerance }),
    };
    const { sample, isSame, why } = remakeSample(record, { tasks, materials, template: manifest.template });
    if (isSame) return { ...reply, modes: classifyFailure(sample, outcome) };
    changed.set(why, (changed.get(why) ?? 0) + 1);
    return { ...reply, modes: [] };
  };
  const explained = replies.map(explain);
  const notes = Array.from(changed, ([why, count]) => `${count} failures cannot be explained as ${why}`);
  return { replies: explained, notes };
}

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
 * import { ScoredReply } from "@/lib/models/mod.ts";
 *
 * const reply = { record: { task: "qa_1", seed: "42", index: 0, references: ["Paris"] } } as unknown as ScoredReply;
 * equal(closedBookAnswers({ manifest: { tasks: {} } as never, replies: [reply] })(reply), undefined);
 * ```
 */
export function closedBookAnswers(run: ScoredRun): (reply: ScoredReply) => string | undefined {
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

/** A run that was read back or has just ended, with its scores. */
export interface ScoredRun extends Pick<RecordedRun, "manifest">, BenchmarkOptions {
  /** The replies with their scores. */
  readonly replies: readonly ScoredReply[];
}

/** A failed reply to look at. */
export interface FailedReply {
  /** The primary way in which it failed. */
  readonly class: FailureClass;
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The number of the sample in its task and length. */
  readonly index: number;
  /** What was wanted, cut and with its control characters written out. */
  readonly wanted: string;
  /** What came, cut and with its control characters written out; for a failed call, what the provider said. */
  readonly reply: string;
  /** The evidence, cut as well. */
  readonly why: string;
}

/** Options for {@linkcode failedReplies}. */
export interface FailedRepliesOptions {
  /**
   * How many replies to give for each way of failing. Range: 1 up.
   *
   * @default {2}
   */
  readonly each?: number;
  /**
   * The most characters of a text. Range: 20 up.
   *
   * @default {160}
   */
  readonly characters?: number;
}

/**
 * Picks replies of a run to look at: some for each way of failing, of as many tasks and lengths as there are.
 *
 * @param replies The run's replies, from `explainRun`.
 * @param options How many, and how much of each.
 * @returns The replies in the order of `FAILURE_CLASSES`; the same ones for the same run.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(failedReplies([]), []);
 * ```
 */
export function failedReplies(replies: readonly ExplainedRecord[], options: FailedRepliesOptions = {}): FailedReply[] {
  const { each = 2, characters = 160 } = options;
  return FAILURE_CLASSES.flatMap((name) => {
    const ofClass = replies.filter(({ modes }) => modes[0]?.class === name);
    return pickApart(ofClass, each).map(({ record, modes }): FailedReply => {
      const { task, length, index, references, reply } = record;
      const text = reply.kind === "failure" ? reply.message : reply.text;
      return {
        class: name,
        task,
        length,
        index,
        wanted: quoteText(references.join(", "), characters),
        reply: quoteText(text, characters),
        why: quoteText(modes[0]!.why, characters),
      };
    });
  });
}

/** Picks so many, each of another task and length as far as there are such. */
function pickApart(replies: readonly ExplainedRecord[], count: number): ExplainedRecord[] {
  const ranked = [...Map.groupBy(replies, ({ task, length }) => `${task}/${length}`).values()]
    .flatMap((ofCell) => ofCell.map((reply, rank) => ({ reply, rank })))
    .sort((left, right) => left.rank - right.rank);
  return ranked.slice(0, count).map(({ reply }) => reply);
}

/** Options for {@linkcode failedReplyTable}. */
export interface FailedReplyTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the replies come from. */
  readonly origin: Origin;
  /** Replies that they were picked from. */
  readonly n: number | string;
}

/**
 * Makes a table of failed replies: how each failed, where, what was wanted, what came, and the evidence.
 *
 * @param replies At least one reply, from `failedReplies`; its texts are cut already.
 * @param options The title, the origin and the number of replies.
 * @returns The table; everything from a reply is escaped.
 * @throws {RangeError} If there is no reply.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const reply = { class: "loop", task: "vt", length: 4096, index: 0, wanted: "ABCDE", reply: "<b> <b>", why: "twice" } as const;
 * match(failedReplyTable([reply], { title: "One loops", origin: "measured", n: 1 }).html, /&lt;b&gt;/);
 * ```
 */
export function failedReplyTable(replies: readonly FailedReply[], options: FailedReplyTableOptions): Table {
  const rows = replies.map((reply) => ({
    ...reply,
    sample: `${reply.task}, ${lengthText(reply.length)}, ${reply.index}`,
  }));
  return table(rows, {
    ...options,
    caption: "Replies for each way of failing. Long texts have lost their middle; line breaks are written out.",
    columns: [
      { field: "class", label: "Failure" },
      { field: "sample", label: "Task, length, sample" },
      { field: "wanted", label: "Wanted" },
      { field: "reply", label: "Reply" },
      { field: "why", label: "Evidence" },
    ],
  });
}
