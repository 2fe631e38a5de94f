import { drawnFrom } from "./native_lengths.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { type OpenedOptions, openStudy, remakeSample } from "@/lib/studies/mod.ts";
import { isFiltered, type ScoredRun } from "@/lib/records/mod.ts";
import { failureChart, type Figure, type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import { type RunRecord, scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import {
  classifyFailure,
  type ExplainedReply,
  explainFailedCall,
  explainFiltered,
  FAILURE_CLASSES,
  type FailureClass,
  failureFinding,
  type FailureRow,
  failureRows,
} from "@/lib/statistics/mod.ts";
import { lengthText, quoteText } from "@/lib/text/mod.ts";

/** Options for {@linkcode failureFigure}. */
export interface FailureFigureOptions extends RunFailuresOptions {
  /**
   * The meaning of a bar.
   *
   * @default {"length"}
   */
  readonly by?: "length" | "task";
}

/** How the replies of a run failed, as parts that a notebook can show. */
export interface FailureFigure extends RunFailures {
  /** The failures as stacked bars. */
  readonly figure: Figure;
  /** Example replies for each failure class; one line if no reply failed. */
  readonly table: Table;
}

/**
 * Shows how the replies of a run failed: a stacked bar for each length, and example replies for each failure class.
 *
 * @throws {RangeError} If the run has no reply, or its study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const { figure } = await failureFigure(run);
 * equal(figure.title, "2 of 2 replies failed wholly or in part, most of them by empty (2)");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function failureFigure(run: ScoredRun, options: FailureFigureOptions = {}): Promise<FailureFigure> {
  const { by = "length", ...explaining } = options;
  const failures = await runFailures(run, explaining);
  const { rows, shown } = failures;
  const drawn = drawnFrom(run);
  const n = failureFinding(rows);
  const replyTable = shown.length === 0 ? noneTable({ n, ...drawn }) : shownTable(shown, { n, ...drawn });
  return { ...failures, figure: failureChart(rows, { ...drawn, by }), table: replyTable };
}

/** Options for {@linkcode runFailures}. */
export interface RunFailuresOptions extends ExplainRunOptions {
  /**
   * The number of example replies for each failure class. Range: 1 up.
   *
   * @default {2}
   */
  readonly each?: number;
}

/** How the replies of a run failed. */
export interface RunFailures extends ExplainedRun {
  /** The counts by task and length. */
  readonly rows: readonly FailureRow[];
  /** Example replies for each failure class. */
  readonly shown: readonly FailedReply[];
}

/** Counts how the replies of a run failed and picks examples: the numbers behind {@linkcode failureFigure}. */
export async function runFailures(run: ScoredRun, options: RunFailuresOptions = {}): Promise<RunFailures> {
  const { each = 2, ...explaining } = options;
  const { replies, notes } = await explainRun(run, explaining);
  return { rows: failureRows(replies), shown: failedReplies(replies, each), replies, notes };
}

/** A reply of a run with the ways in which it failed. */
export interface ExplainedRecord extends ScoredReply, ExplainedReply {}

/** Options for {@linkcode explainRun}. */
export interface ExplainRunOptions extends OpenedOptions {
  /** Returns the model's answer to a question without any context; by default from the run itself. */
  readonly closedBookAnswer?: (reply: ScoredReply) => string | undefined;
}

/** A run with its failures explained. */
export interface ExplainedRun {
  /** The replies in their order, right ones included. */
  readonly replies: readonly ExplainedRecord[];
  /** Which failures could not be explained, and why. */
  readonly notes: readonly string[];
}

/**
 * Explains how the replies of a run failed; the samples of wrong replies are made again for it, one by one.
 *
 * A reply whose sample is no longer the text that was asked is not explained, with a note.
 *
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example A reader that gives no answer
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const { replies } = await explainRun(await runStudy(study, { name: "try", model: simulatedModel("mute"), folder }));
 * deepEqual(replies.map(({ modes }) => modes[0]?.class), ["empty", "empty"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function explainRun(run: ScoredRun, options: ExplainRunOptions = {}): Promise<ExplainedRun> {
  const { explain, notes } = openExplainer(run, {
    ...options,
    opened: options.opened ?? await openStudy(run.manifest.study, run),
  });
  return { replies: run.replies.map(explain), notes: notes() };
}

/** Explains the replies of a run one at a time, as {@linkcode explainRun} does. */
export interface Explainer {
  /** Classifies the failure of a reply, if it failed. */
  explain(reply: ScoredReply): ExplainedRecord;
  /** Which failures so far could not be explained, and why. */
  notes(): readonly string[];
}

/** Makes an {@linkcode Explainer} of a run, its study being open. */
export function openExplainer(
  run: ScoredRun,
  options: ExplainRunOptions & Required<Pick<OpenedOptions, "opened">>,
): Explainer {
  const { closedBookAnswer = closedBookAnswers(run), opened: { tasks, materials } } = options;
  const { manifest: { template }, benchmarks } = run;
  const changed = new Map<string, number>();
  return {
    explain(reply): ExplainedRecord {
      const { record, value, promptCut } = reply;
      if (record.reply.kind === "failure") return { ...reply, modes: [explainFailedCall(record.reply)] };
      if (isFiltered(reply)) return { ...reply, modes: [explainFiltered()] };
      if (value === null || value === 1) return { ...reply, modes: [] };
      const answer = closedBookAnswer(reply);
      const outcome = {
        reply: record.reply,
        value,
        rule: findScorer(record.scoring, benchmarks),
        promptCut,
        ...(answer === undefined ? {} : { closedBookAnswer: answer }),
      };
      const { sample, isSame, why } = remakeSample(record, { tasks, materials, template });
      if (isSame) return { ...reply, modes: classifyFailure(sample, outcome) };
      changed.set(why, (changed.get(why) ?? 0) + 1);
      return { ...reply, modes: [] };
    },
    notes: () => Array.from(changed, ([why, count]) => `${count} failures cannot be explained as ${why}`),
  };
}

/**
 * Returns the answers of a model to questions without any document, from a run of question answering with `documents` set to 0,
 * or of prompt dependence with `document` set to none. The run can be the one to explain, or another of the same model and seed.
 *
 * A seed asks the same questions in the same order with documents and without, at every length.
 *
 * @returns A function from a reply to the closed-book answer to its question; `undefined` where there is none, and for the
 *   closed-book replies themselves.
 */
export function closedBookAnswers(run: ScoredRun): (reply: ScoredReply) => string | undefined {
  const { manifest: { tasks }, replies } = run;
  const isAlone = ({ task }: RunRecord): boolean =>
    tasks[task]?.options["documents"] === 0 || tasks[task]?.options["document"] === "none";
  const answers = new Map<string, string>();
  for (const reply of replies) {
    const { record } = reply;
    if (isAlone(record) && record.reply.kind === "answer") answers.set(questionOf(record), scoredAnswer(reply));
  }
  return ({ record }) => isAlone(record) ? undefined : answers.get(questionOf(record));
}

/** Identifies the question of a record: prompt dependence asks one in all samples, other suites one per index. */
function questionOf({ suite, seed, index, references }: RunRecord): string {
  return JSON.stringify(suite.startsWith("prompt-recall-") ? references : [seed, index, references]);
}

/** A failed reply as an example; its texts are cut, with control characters escaped. */
export interface FailedReply {
  /** The primary failure class. */
  readonly class: FailureClass;
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The number of the sample. */
  readonly index: number;
  /** The references. */
  readonly wanted: string;
  /** The reply; for a failed call, the message of the provider. */
  readonly reply: string;
  /** The evidence. */
  readonly why: string;
}

const MAX_CHARS = 160;

/** Picks example replies for each failure class, spread over tasks and lengths. */
function failedReplies(replies: readonly ExplainedRecord[], each: number): FailedReply[] {
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
        wanted: quoteText(references.join(", "), MAX_CHARS),
        reply: quoteText(text, MAX_CHARS),
        why: quoteText(modes[0]!.why, MAX_CHARS),
      };
    });
  });
}

/** Picks `count` replies, of different tasks and lengths as far as possible. */
function pickApart(replies: readonly ExplainedRecord[], count: number): ExplainedRecord[] {
  const ranked = [...Map.groupBy(replies, ({ task, length }) => `${task}/${length}`).values()]
    .flatMap((ofCell) => ofCell.map((reply, rank) => ({ reply, rank })))
    .sort((left, right) => left.rank - right.rank);
  return ranked.slice(0, count).map(({ reply }) => reply);
}

type DrawnFailures = Pick<FigureOptions, "n" | "origin" | "warning">;

function shownTable(shown: readonly FailedReply[], drawn: DrawnFailures): Table {
  const rows = shown.map((reply) => ({
    ...reply,
    sample: `${reply.task}, ${lengthText(reply.length)}, ${reply.index}`,
  }));
  return table(rows, {
    title: "What came instead of an answer",
    caption: "Replies for each way of failing. Long texts have lost their middle; line breaks are written out.",
    ...drawn,
    columns: [
      { field: "class", label: "Failure" },
      { field: "sample", label: "Task, length, sample" },
      { field: "wanted", label: "Wanted" },
      { field: "reply", label: "Reply" },
      { field: "why", label: "Evidence" },
    ],
  });
}

function noneTable(drawn: DrawnFailures): Table {
  return table([{ replies: `${drawn.n}` }], {
    title: "There is no failed reply to look at",
    caption: "With more samples, or at longer contexts, there may be.",
    ...drawn,
    columns: [{ field: "replies", label: "Replies" }],
  });
}
