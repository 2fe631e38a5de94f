import { defined, lengthText, quoteText } from "@/lib/base/mod.ts";
import { drawnFrom } from "./native_lengths.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { type OpenedOptions, openStudy, remakeSample } from "@/lib/studies/mod.ts";
import { isFiltered, type RunRecord, scoredAnswer, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import { failureChart, type Figure, type Table, table } from "@/lib/figures/mod.ts";
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
} from "@/lib/statistics/failures/mod.ts";

/**
 * Returns the failures of a run: a stacked bar for each length, and examples of each failure class.
 *
 * @throws {RangeError} If the run has no reply, or its study or one of its files has changed.
 */
export async function failureFigure(run: ScoredRun, options: RunFailuresOptions & {
  /** The unit of a bar of the figure. Default: "length". */
  readonly by?: "length" | "task";
} = {}): Promise<
  RunFailures & {
    readonly figure: Figure;
    /** Examples of each failure class; one line if no reply failed. */
    readonly table: Table;
  }
> {
  const { by = "length", ...explaining } = options;
  const failures = await runFailures(run, explaining);
  const { rows, shown } = failures;
  const drawn = drawnFrom(run);
  const examples = shown.map(({ task, length, index, ...reply }) => (
    { ...reply, sample: `${task}, ${lengthText(length)}, ${index}` }
  ));
  const none = { class: "none", sample: "", wanted: "", reply: "", why: "" };
  return {
    ...failures,
    figure: failureChart(rows, { ...drawn, by }),
    table: table(examples.length === 0 ? [none] : examples, {
      title: examples.length === 0 ? "No reply failed" : "Examples of failed replies",
      caption: "Examples of each failure class. Long texts lose their middle; line breaks are written as \\n.",
      n: failureFinding(rows),
      ...drawn,
      columns: { class: "Failure", sample: "Task, length, sample", wanted: "Wanted", reply: "Reply", why: "Evidence" },
    }),
  };
}

/** Options for {@linkcode runFailures}. */
export interface RunFailuresOptions extends OpenedOptions {
  /** Returns the model's answer to a question without context; by default from the run itself. */
  readonly closedBookAnswer?: (reply: ScoredReply) => string | undefined;
  /** Examples of each failure class. Range: 1 up. Default: 2. */
  readonly each?: number;
}

/** The failures of a run. */
export interface RunFailures {
  /** All replies in their order, with their failure classes. */
  readonly replies: readonly ExplainedRecord[];
  /** Failures that could not be explained, with the reason. */
  readonly notes: readonly string[];
  readonly rows: readonly FailureRow[];
  readonly shown: readonly FailedReply[];
}

/**
 * Classifies the failures of a run, counts them and picks examples. The samples of wrong replies are rebuilt one by one; replies whose
 * rebuilt sample is not the recorded text stay unexplained, with a note.
 *
 * @throws {RangeError} If the run's study or one of its files has changed.
 */
export async function runFailures(run: ScoredRun, options: RunFailuresOptions = {}): Promise<RunFailures> {
  const { each = 2, closedBookAnswer, opened = await openStudy(run.manifest.study, run) } = options;
  const { explain, notes } = openExplainer(run, { opened, ...defined({ closedBookAnswer }) });
  const replies: ExplainedRecord[] = [];
  for (const reply of run.replies) {
    replies.push(explain(reply));
    // Runs of one study that are explained at the same time take turns, so that a sample that several got wrong is made once.
    await Promise.resolve();
  }
  return { rows: failureRows(replies), shown: failedReplies(replies, each), replies, notes: notes() };
}

/** A reply with its failure classes. */
export interface ExplainedRecord extends ScoredReply, ExplainedReply {}

/** Classifies failures one reply at a time, as {@linkcode runFailures} does. */
export interface Explainer {
  /** Returns a reply with its failure classes. */
  explain(reply: ScoredReply): ExplainedRecord;
  /** Returns the failures that could not be explained so far, with the reason. */
  notes(): readonly string[];
}

/** Returns an {@linkcode Explainer} for a run whose study is open. */
export function openExplainer(
  run: ScoredRun,
  options: Pick<RunFailuresOptions, "closedBookAnswer"> & Required<OpenedOptions>,
): Explainer {
  const { closedBookAnswer = closedBookAnswers(run), opened: { tasks, materials } } = options;
  const { manifest: { template }, benchmarks } = run;
  const changed = new Map<string, number>();
  return {
    explain(reply): ExplainedRecord {
      const { record, value } = reply;
      if (record.reply.kind === "failure") return { ...reply, modes: [explainFailedCall(record.reply)] };
      if (isFiltered(reply)) return { ...reply, modes: [explainFiltered()] };
      if (value === null || value === 1) return { ...reply, modes: [] };
      const outcome = {
        reply: record.reply,
        value,
        rule: findScorer(record.scoring, benchmarks),
        ...defined({ closedBookAnswer: closedBookAnswer(reply) }),
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
 * Finds a model's answers to questions without documents, in a run of a question-answering task with `documents` set to 0, or of
 * prompt dependence with `document` set to none. The run has the model and seed of the explained run, or is the same run: a seed gives
 * the same questions in the same order with and without documents, at every length.
 *
 * @returns A function from a reply to the closed-book answer to its question; `undefined` if there is none, and for closed-book
 *   replies.
 */
export function closedBookAnswers(run: ScoredRun): (reply: ScoredReply) => string | undefined {
  const { manifest: { tasks }, replies } = run;
  const isClosedBook = ({ task }: RunRecord): boolean =>
    tasks[task]?.options["documents"] === 0 || tasks[task]?.options["document"] === "none";
  const answers = new Map<string, string>();
  for (const reply of replies) {
    const { record } = reply;
    if (isClosedBook(record) && record.reply.kind === "answer") answers.set(questionOf(record), scoredAnswer(reply));
  }
  return ({ record }) => isClosedBook(record) ? undefined : answers.get(questionOf(record));
}

/** Identifies a question: by its references in prompt dependence, which has one, otherwise by the sample's number. */
function questionOf({ suite, seed, index, references }: RunRecord): string {
  return JSON.stringify(suite.startsWith("prompt-recall-") ? references : [seed, index, references]);
}

/** An example of a failure; its texts are shortened. The reply of a failed call is the provider's error. */
export type FailedReply =
  & Pick<RunRecord, "task" | "length" | "index">
  & Readonly<Record<"wanted" | "reply" | "why", string>>
  & { readonly class: FailureClass };

const MAX_TEXT_CHARS = 160;

/** Picks examples of each failure class, from different tasks and lengths if possible. */
function failedReplies(replies: readonly ExplainedRecord[], each: number): readonly FailedReply[] {
  return FAILURE_CLASSES.flatMap((name) => {
    const ofClass = replies.filter(({ modes }) => modes[0]?.class === name);
    const cells = [...Map.groupBy(ofClass, ({ task, length }) => `${task}/${length}`).values()];
    const ranked = cells.flatMap((cell) => cell.map((reply, rank) => ({ reply, rank })));
    const first = ranked.toSorted((left, right) => left.rank - right.rank).slice(0, each);
    return first.map(({ reply: { modes, ...reply } }): FailedReply => {
      const { task, length, index, references } = reply.record;
      const short = (text: string): string => quoteText(text, MAX_TEXT_CHARS);
      const wanted = short(references.join(", "));
      return { class: name, task, length, index, wanted, reply: short(textOf(reply)), why: short(modes[0]!.why) };
    });
  });
}

/** Returns the text of a reply, or the message of a failed call. */
export function textOf({ record: { reply } }: ScoredReply): string {
  return reply.kind === "failure" ? reply.message : reply.text;
}
