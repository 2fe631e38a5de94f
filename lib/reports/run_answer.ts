import { lengthText, plural, shownText, sum } from "@/lib/base/mod.ts";
import { runFailures, type RunFailuresOptions } from "./failures.ts";
import { boardOf, groupsOf, OWN_SHARE } from "./run_report.ts";
import { intervalText } from "@/lib/figures/mod.ts";
import { modelName, type ScoredRun } from "@/lib/records/mod.ts";
import {
  type BoardRow,
  differenceInterval,
  lengthMeans,
  RULER_THRESHOLD,
  type ScoreRow,
  type ScoreWithInterval,
  summarise,
  unitsText,
} from "@/lib/statistics/mod.ts";
import { failureFinding, type FailureRow, failureRows } from "@/lib/statistics/failures/mod.ts";

/** The answer of a run: effective length, change with length, failures. */
export interface RunAnswer {
  /** Three lines, each with a short label and a whole sentence. */
  readonly lines: readonly { readonly label: string; readonly text: string }[];
  /** The scored means by rising length that the first two lines are about. */
  readonly means: readonly (ScoreRow & ScoreWithInterval)[];
}

type ScoredMean = RunAnswer["means"][number];

/**
 * Returns the answer of a run in three lines, the same in the shell, in notebooks and on a page; that of a simulated reader says that
 * it is a control. The lines on lengths are about the first group of tasks of the run's report.
 *
 * @param options `failures`: the counts of {@linkcode runFailures}, if they are known; otherwise its options.
 */
export async function runAnswer(
  run: ScoredRun,
  { failures, ...options }: RunFailuresOptions & { readonly failures?: readonly FailureRow[] } = {},
): Promise<RunAnswer> {
  const { length, change, means } = readFinding(run);
  const { model, origin } = run.manifest;
  const subject = origin === "simulated"
    ? `${shownText(model)}, a simulated control,`
    : shownText(modelName(run.manifest));
  const failed = failures === undefined ? await classifySome(run, options) : failureFinding(failures);
  return {
    lines: [
      { label: "Effective length", text: `${subject} ${length}.` },
      { label: "Shortest to longest", text: `${change.replaceAll(/(?<=[ [])-(?=\d)/g, "−")}.` },
      { label: "Failures", text: `${failed}.` },
    ],
    means,
  };
}

/** Returns the first two lines of {@linkcode runAnswer} as one phrase without the model. */
export function runHeadline(run: ScoredRun): string {
  const { length, change } = readFinding(run);
  return `${length}. ${change}`;
}

function readFinding(
  run: ScoredRun,
): Pick<RunAnswer, "means"> & { readonly length: string; readonly change: string } {
  const tasks = summarise(run.replies);
  const [group = { name: tasks[0]?.task ?? "no task", tasks: [tasks[0]?.task ?? ""] }] = groupsOf(run, tasks);
  const means = lengthMeans(tasks, { groups: [group] }).filter(({ score }) => score !== null) as readonly ScoredMean[];
  const size = run.replies.filter(({ task }) => group.tasks.includes(task)).length;
  const of = `(${group.name}, ${size} ${plural(size, "sample")})`;
  const [first, last] = [means[0], means.at(-1)];
  if (first === undefined || last === undefined) {
    const lack = `no length has a score${group.tasks.length === 1 ? "" : " in all tasks"}`;
    return { length: `has no effective length, as ${lack}`, change: `There is no score to compare ${of}`, means };
  }
  if (first === last) {
    const score = `It scores ${first.score.toFixed(1)}%${certaintyText(first)} at ${lengthText(first.length)}`;
    return { length: "has no effective length, as only one length has a score", change: `${score} ${of}`, means };
  }
  const [board] = boardOf(means, { groups: [group], manifest: run.manifest });
  return { length: lengthFinding(board!, [first, last]), change: `${changeText(first, last)} ${of}`, means };
}

function lengthFinding(
  { found, range, threshold, isSettled, lengths }: BoardRow,
  [shortest, longest]: readonly [ScoreRow, ScoreRow],
): string {
  if (lengths.length === 0) return `has no effective length, as ${found}`;
  const bar = threshold === RULER_THRESHOLD ? `RULER's ${RULER_THRESHOLD}` : `${100 * OWN_SHARE}% of its own score`;
  const open = isSettled ? "" : ` (not excluded: ${range})`;
  if (found.startsWith("<")) {
    return `misses ${bar} even at ${lengthText(shortest.length)}, so it has no effective length${open}`;
  }
  if (found.startsWith(">")) return `reaches ${bar} up to ${lengthText(longest.length)}, the longest asked${open}`;
  return `has an effective length of ${found} by ${bar}${open}`;
}

function changeText(first: ScoredMean, last: ScoredMean): string {
  const [less, more, change] = last.score > first.score ? [first, last, "gains"] : [last, first, "loses"];
  const [{ units = more.n }, { units: others = less.n }] = [more, less];
  const between = { ...differenceInterval(more, less), units: Math.min(units, others) };
  const lengths = `from ${lengthText(first.length)} to ${lengthText(last.length)}`;
  const points = `${between.score.toFixed(1)} points`;
  const isOpen = between.low <= 0 && intervalText(between) !== "";
  if (isOpen) return `No change is shown ${lengths}: it ${change} ${points}${intervalText(between)}`;
  return `It ${change} ${points}${certaintyText(between)} ${lengths}`;
}

function certaintyText(row: ScoreWithInterval & { readonly units?: number }): string {
  return intervalText(row) || `, ${unitsText([row])},`;
}

/** Tokens of the failed replies' prompts, all together, up to which each is rebuilt and classified: some seconds. */
const MOST_TOKENS = 60_000_000;

/** Describes the failures of a run; of more tokens than the limit, those among evenly spread replies. */
async function classifySome(run: ScoredRun, options: RunFailuresOptions): Promise<string> {
  const step = Math.ceil(sum(run.replies, ({ value, length }) => value === 1 ? 0 : length) / MOST_TOKENS) || 1;
  const replies = run.replies.filter((_, at) => at % step === 0);
  const among = step > 1 ? ` (one of every ${step} replies)` : "";
  try {
    return failureFinding((await runFailures({ ...run, replies }, options)).rows) + among;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    // A file of the study has changed, or is on another machine.
    const rows = failureRows(replies.map((reply) => ({ ...reply, modes: [] })));
    return `${failureFinding(rows)}${among}; no class is known: ${shownText(error.message, 200)}`;
  }
}
