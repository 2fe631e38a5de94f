import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/pairs.ts";
import type { PublishedContextLimit, PublishedThreadingTask, ThreadingTableScore } from "./published.ts";
import {
  type ContextLimit,
  contextLimits,
  knobCells,
  lengthMeans,
  mean,
  meanOfRepeats,
  type RunEvidence,
  type RunReply,
  type ScoreRow,
  summarise,
  type SummaryRow,
} from "@/lib/statistics/mod.ts";

/** The names of task kinds in the paper's tables, which have none for threads that branch. */
const TABLE_TASKS: Readonly<Partial<Record<ThreadingKind, PublishedThreadingTask>>> = {
  "single_needle": "single_needle",
  "multi_needle": "multiple_needles",
  "conditional_needle": "conditional_needles",
  "single_thread": "threading",
  "multi_thread": "multi_threading",
};

/** The part of a run that comparisons of models read. */
export interface ThreadingRun {
  readonly manifest: { readonly model: string; readonly tasks: RunEvidence["tasks"] };
  readonly replies: readonly RunReply[];
}

/** The score of one model on one task at one size, with its interval. */
export interface ModelThreadingScore extends Pick<ScoreRow, "score" | "low" | "high" | "n"> {
  readonly model: string;
  readonly task: ThreadingTableScore["task"];
  /** In tokens. */
  readonly length: number;
}

/**
 * Returns the scores of runs in the form of Tables 1 to 7: a row for each model, task and size. Sizes with all five tasks also
 * have their mean, as `overall`.
 */
export function modelThreadingScores(runs: readonly ThreadingRun[]): readonly ModelThreadingScore[] {
  const group = { name: "overall", tasks: Object.values(TABLE_TASKS) };
  return runs.flatMap((run) => {
    const rows = summarise(inTableTasks(run));
    const means = lengthMeans(rows, { groups: [group] }).filter(({ score }) => score !== null);
    return [...means, ...rows].map(({ task, length, score, low, high, n }): ModelThreadingScore => (
      { model: run.manifest.model, task: task as ThreadingTableScore["task"], length, score, low, high, n }
    ));
  });
}

/** Returns the replies to tasks of the paper's tables, under their names there. */
function inTableTasks({ manifest: { tasks }, replies }: ThreadingRun): readonly RunReply[] {
  return replies.flatMap((reply): RunReply[] => {
    const task = TABLE_TASKS[tasks[reply.task]?.options["kind"] as ThreadingKind];
    return task === undefined ? [] : [{ ...reply, task }];
  });
}

/** An effective context limit of a run, in the form of Table 2; its interval is in thousand characters. */
export interface ModelContextLimit
  extends PublishedContextLimit, Pick<ContextLimit, "low" | "high" | "isBeyond" | "units"> {
  /** The limit in tokens. */
  readonly tokens: number;
}

/**
 * Computes the effective context limits of runs in the form of Table 2: in thousand characters, and as a share of the longest
 * size asked, which is taken as the supported context.
 *
 * @param options `level` is the accuracy that counts as effective, in (0, 1].
 * @throws {RangeError} If the level is outside its range.
 */
export function modelContextLimits(
  runs: readonly ThreadingRun[],
  { level, charactersPerToken }: { readonly level: number; readonly charactersPerToken: number },
): readonly ModelContextLimit[] {
  const thousands = charactersPerToken / 1000;
  return runs.flatMap((run) => {
    const scored = meanOfRepeats(inTableTasks(run)).filter(({ value }) => value !== null);
    return Array.from(Map.groupBy(scored, ({ task }) => task), ([task, ofTask]): ModelContextLimit => {
      const cells = knobCells(ofTask);
      const [{ limit, low, high, isBeyond, units }] = contextLimits(cells, { level }) as [ContextLimit];
      const tested = Math.max(...cells.map(({ size }) => size));
      return {
        model: run.manifest.model,
        task: task as PublishedThreadingTask,
        isBeyond,
        tokens: limit,
        supported: tested * thousands,
        effective: limit * thousands,
        percent: 100 * limit / tested,
        low: low * thousands,
        high: high * thousands,
        units,
      };
    });
  });
}

/** Returns the part of a run whose tasks have the given knob values, such as `{ kind: "multi_needle", placement: "random" }`. */
export function threadingPart<Run extends ThreadingRun>(
  run: Run,
  wanted: Readonly<Record<string, string | number>>,
): Run {
  const { manifest: { tasks }, replies } = run;
  const has = (task: string): boolean =>
    Object.entries(wanted).every(([knob, value]) => tasks[task]?.options[knob] === value);
  return { ...run, replies: replies.filter(({ task }) => has(task)) };
}

/**
 * Averages the replies of runs by task and length, for figures by a knob. The knobs of each row include its `model` and
 * `length`.
 *
 * @param wanted Knob values that a task must have; `length` picks one context length.
 */
export function threadingRows(
  runs: readonly ThreadingRun[],
  wanted: Readonly<Record<string, string | number>>,
): readonly (SummaryRow & { readonly knobs: Readonly<Record<string, string | number>> })[] {
  const { length: wantedLength, ...knobs } = wanted;
  return runs.flatMap((run) => {
    const { manifest: { model, tasks }, replies } = threadingPart(run, knobs);
    return summarise(replies.filter(({ length }) => wantedLength === undefined || length === wantedLength))
      .map((row) => ({ ...row, knobs: { ...tasks[row.task]?.options, model, length: row.length } }));
  });
}

/**
 * Averages score and partial credit, in percent, for each task that has both.
 *
 * @param replies `value`: the benchmark's own score in [0, 1]. `partial`: the score with partial credit for each step.
 * @returns Tasks in order of first appearance; `n` counts the replies with both scores.
 */
export function partialRows(
  replies: readonly {
    readonly task: string;
    readonly value: number | null;
    readonly partial?: { readonly value: number | null };
  }[],
): readonly { readonly task: string; readonly n: number; readonly whole: number; readonly partial: number }[] {
  const both = replies.flatMap(({ task, value, partial }) =>
    value === null || typeof partial?.value !== "number" ? [] : [{ task, whole: value, partial: partial.value }]
  );
  return [...Map.groupBy(both, ({ task }) => task)].map(([task, ofTask]) => ({
    task,
    n: ofTask.length,
    whole: 100 * mean(ofTask.map(({ whole }) => whole)),
    partial: 100 * mean(ofTask.map(({ partial }) => partial)),
  }));
}
