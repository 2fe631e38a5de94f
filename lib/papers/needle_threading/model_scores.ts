import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/mod.ts";
import type { PublishedContextLimit, PublishedThreadingTask, ThreadingTableScore } from "./published.ts";
import { type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import {
  type ContextLimit,
  contextLimits,
  type KnobRow,
  knobRows,
  type KnobValues,
  lengthMeans,
  meanOfRepeats,
  type RunReply,
  type ScoreRow,
  summarise,
  type TaskKnobs,
} from "@/lib/statistics/mod.ts";

/** What the paper's tables call each kind of task; it has none for threads that branch. */
const TABLE_TASKS: Readonly<Partial<Record<ThreadingKind, PublishedThreadingTask>>> = {
  "single_needle": "single_needle",
  "multi_needle": "multiple_needles",
  "conditional_needle": "conditional_needles",
  "single_thread": "threading",
  "multi_thread": "multi_threading",
};

/** What is needed of a run to compare models. */
export interface ThreadingRun {
  readonly manifest: { readonly model: string; readonly tasks: TaskKnobs };
  readonly replies: readonly RunReply[];
}

/** The score of one model on one task at one size, as the paper's tables have it, with its interval. */
export interface ModelThreadingScore extends Pick<ScoreRow, "score" | "low" | "high" | "n"> {
  readonly model: string;
  readonly task: ThreadingTableScore["task"];
  /** In tokens. */
  readonly length: number;
}

/**
 * Gives the scores of runs in the form of Tables 1 to 7: a row for each model, task and size, and the mean of all five tasks as
 * `overall` where a size has all of them.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const tasks = { one: { options: { kind: "single_needle" } } };
 * const reply = { task: "one", length: 2500, value: 1, failed: false, noAnswer: false, record: { index: 0, seed: "1" } };
 * const [row, ...others] = modelThreadingScores([{ manifest: { model: "a", tasks }, replies: [reply] }]);
 * deepEqual([row?.task, row?.length, row?.score, others.length], ["single_needle", 2500, 100, 0]);
 * ```
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

/** The replies to tasks that the paper's tables have, under their names there. */
function inTableTasks({ manifest: { tasks }, replies }: ThreadingRun): readonly RunReply[] {
  return replies.flatMap((reply): RunReply[] => {
    const task = TABLE_TASKS[tasks[reply.task]?.options["kind"] as ThreadingKind];
    return task === undefined ? [] : [{ ...reply, task }];
  });
}

/** An effective context limit of a run, in the form of Table 2. */
export interface ModelContextLimit extends PublishedContextLimit, Pick<ContextLimit, "low" | "high" | "isBeyond"> {
  /** The limit in tokens. */
  readonly tokens: number;
}

/** Options for {@linkcode modelContextLimits}. */
export interface ModelContextLimitOptions {
  /** The accuracy that counts as effective, in (0, 1]. */
  readonly level: number;
  /** Characters of a haystack in a token. */
  readonly charactersPerToken: number;
}

/**
 * Gives the effective context limits of runs in the form of Table 2: in thousand characters, and as a share of the longest size
 * asked, which stands for the context supported.
 *
 * @throws {RangeError} If the level is outside its range.
 *
 * @example Right at 2,500 tokens and wrong at 5,000
 * ```ts
 * import { deepEqual, ok } from "node:assert/strict";
 *
 * const tasks = { one: { options: { kind: "single_needle" } } };
 * const of = (length: number, value: number) =>
 *   ({ task: "one", length, value, failed: false, noAnswer: false, record: { index: 0, seed: "1" } });
 * const run = { manifest: { model: "a", tasks }, replies: [of(2500, 1), of(5000, 0)] };
 * const [limit] = modelContextLimits([run], { level: 0.5, charactersPerToken: 1.6 });
 * deepEqual([limit?.task, limit?.supported, limit?.isBeyond], ["single_needle", 8, false]);
 * ok(limit!.effective > 4 && limit!.effective < 8 && limit!.low <= limit!.effective);
 * ```
 */
export function modelContextLimits(
  runs: readonly ThreadingRun[],
  { level, charactersPerToken }: ModelContextLimitOptions,
): readonly ModelContextLimit[] {
  const thousands = charactersPerToken / 1000;
  return runs.flatMap((run) => {
    const scored = meanOfRepeats(inTableTasks(run)).filter(({ value }) => value !== null);
    return Array.from(Map.groupBy(scored, ({ task }) => task), ([task, ofTask]): ModelContextLimit => {
      const sizes = Map.groupBy(ofTask, ({ length }) => length);
      const cells = Array.from(sizes, ([size, same]) => (
        { size, difficulty: 0, scores: same.map(({ value }) => value!) }
      ));
      const [{ limit, low, high, isBeyond }] = contextLimits(cells, { level, seed: task }) as [ContextLimit];
      const tested = Math.max(...sizes.keys());
      return {
        ...{ model: run.manifest.model, task: task as PublishedThreadingTask, isBeyond, tokens: limit },
        ...{ supported: tested * thousands, effective: limit * thousands, percent: 100 * limit / tested },
        ...{ low: low * thousands, high: high * thousands },
      };
    });
  });
}

/**
 * Shows effective context limits of runs, a row for each model and a column for each task: thousand characters, interval and tokens.
 *
 * @param limits From {@linkcode modelContextLimits}; at least one.
 * @param options `level` is the accuracy in percent.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const limit = { supported: 80, effective: 20, percent: 25, low: 10, high: 30, isBeyond: false, tokens: 12_000 };
 * const options = { title: "Limits", n: 3, origin: "measured", level: 75 } as const;
 * match(modelLimitTable([{ ...limit, model: "a", task: "threading" }], options).text, /a +20\.0 \[10\.0, 30\.0\], 12,000/);
 * ```
 */
export function modelLimitTable(
  limits: readonly ModelContextLimit[],
  options: Pick<FigureOptions, "title" | "n" | "origin" | "warning"> & { readonly level: number },
): Table {
  const { level, ...rest } = options;
  const rows = Array.from(
    Map.groupBy(limits, ({ model }) => model),
    ([model, ofModel]): Readonly<Record<string, string>> => (
      { model, ...Object.fromEntries(ofModel.map((limit) => [limit.task, limitText(limit)])) }
    ),
  );
  const tasks = [...new Set(limits.map(({ task }) => task))];
  return table(rows, {
    ...rest,
    caption:
      `Where accuracy falls through ${level}%: thousand characters with their interval, then tokens; 0 where it never gets ` +
      "there. With ≥ it is still above at the longest size asked.",
    interval: "95% interval in brackets (Bayesian bootstrap over samples)",
    columns: [
      { field: "model", label: "Model" },
      ...tasks.map((task) => ({ field: task, label: task.replaceAll("_", " "), align: "right" as const })),
    ],
  });
}

function limitText({ effective, low, high, isBeyond, tokens }: ModelContextLimit): string {
  const interval = `[${low.toFixed(1)}, ${high.toFixed(1)}]`;
  return `${isBeyond ? "≥ " : ""}${effective.toFixed(1)} ${interval}, ${Math.round(tokens).toLocaleString("en")}`;
}

/**
 * Gives the part of a run whose tasks have some knobs at some values.
 *
 * @param wanted Such as `{ kind: "multi_needle", placement: "random" }`.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const tasks = { few: { options: { needles: 2 } }, many: { options: { needles: 25 } } };
 * const of = (task: string) => ({ task, length: 4096, value: 1, failed: false, noAnswer: false, record: { index: 0, seed: "1" } });
 * const run = { manifest: { model: "a", tasks }, replies: [of("few"), of("many")] };
 * equal(threadingPart(run, { needles: 25 }).replies.length, 1);
 * ```
 */
export function threadingPart<Run extends ThreadingRun>(run: Run, wanted: KnobValues): Run {
  const { manifest: { tasks }, replies } = run;
  const has = (task: string): boolean =>
    Object.entries(wanted).every(([knob, value]) => tasks[task]?.options[knob] === value);
  return { ...run, replies: replies.filter(({ task }) => has(task)) };
}

/**
 * Averages the replies of several runs by task and length, for figures by a knob: the knobs of each row also have its `model` and
 * its `length`.
 *
 * @param wanted Knobs that the tasks must have, `length` among them if you like.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const tasks = { few: { options: { needles: 2 } } };
 * const reply = { task: "few", length: 4096, value: 1, failed: false, noAnswer: false, record: { index: 0, seed: "1" } };
 * const [row] = threadingRows([{ manifest: { model: "a", tasks }, replies: [reply] }], { needles: 2, length: 4096 });
 * deepEqual([row?.score, row?.knobs], [100, { needles: 2, model: "a", length: 4096 }]);
 * ```
 */
export function threadingRows(runs: readonly ThreadingRun[], wanted: KnobValues): readonly KnobRow[] {
  const { length: wantedLength, ...knobs } = wanted;
  return runs.flatMap((run) => {
    const { manifest: { model, tasks }, replies } = threadingPart(run, knobs);
    return knobRows(replies.filter(({ length }) => wantedLength === undefined || length === wantedLength), tasks)
      .map((row) => ({ ...row, knobs: { ...row.knobs, model, length: row.length } }));
  });
}
