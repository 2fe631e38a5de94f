import { charactersPerToken, curvesOf } from "./claims.ts";
import type { PublishedThreadingTask, ThreadingPublished } from "./published.ts";
import {
  type ContextLimit,
  type ContextLimitOptions,
  contextLimits,
  knobCells,
  type KnobCellsOptions,
  type KnobReply,
} from "@/lib/statistics/mod.ts";

/** How a run limits a model in one task, in the form of the paper's Table 2. */
export interface TaskLimit extends ContextLimit {
  /** The task. */
  readonly task: string;
  /** What makes it harder, and its value, such as `steps = 5`. */
  readonly at: string;
  /** The greatest size tested, in the unit of sizes. */
  readonly tested: number;
  /** The limit as a share of that, in percent. */
  readonly percent: number;
}

/** Options for {@linkcode taskLimit}. */
export interface TaskLimitOptions extends Omit<KnobLimitsOptions, "series" | "name"> {
  /** What the task is called. */
  readonly name: string;
  /** The value of the knob, within those asked. */
  readonly at: number;
}

/**
 * Gives the effective context limit of a task at one value of a knob, as the paper's Table 2 does.
 *
 * @param replies Scored replies of the task at several lengths and values of the knob.
 * @param options The tasks, the knob and its value, the task's name, the unit of sizes, the level.
 * @returns The limit with its interval, also as a share of the greatest size tested.
 * @throws {RangeError} If no reply has the knob and a score, or the value is not within those asked.
 *
 * @example Right at 4,096 tokens and wrong at 16,384: the level of 75% is crossed between
 * ```ts
 * import { equal, ok } from "node:assert/strict";
 *
 * const asked = { task: "a", failed: false, noAnswer: false, record: {} };
 * const replies = [{ ...asked, length: 4096, value: 1 }, { ...asked, length: 16_384, value: 0 }];
 * const limit = taskLimit(replies, { tasks: { a: { options: { steps: 5 } } }, knob: "steps", at: 5, name: "one thread" });
 * ok(limit.limit > 4096 && limit.limit < 8192 && limit.percent < 50);
 * equal(limit.at, "steps = 5");
 * ```
 */
export function taskLimit(replies: readonly KnobReply[], options: TaskLimitOptions): TaskLimit {
  const { tasks, knob, unit, at, name, ...limits } = options;
  const cells = knobCells(replies, { tasks, knob, ...(unit === undefined ? {} : { unit }) });
  const [limit] = contextLimits(cells, { ...limits, difficulties: [at] });
  const tested = Math.max(...cells.map(({ size }) => size));
  return { ...limit!, task: name, at: `${knob} = ${at}`, tested, percent: 100 * limit!.limit / tested };
}

/** Options for {@linkcode knobLimits}. */
export interface KnobLimitsOptions extends KnobCellsOptions, Omit<ContextLimitOptions, "difficulties"> {
  /** A knob that parts the replies, such as `direction`, with limits for each of its values. */
  readonly series?: string;
  /**
   * What the limits are called where no knob parts the replies.
   *
   * @default {the knob's name}
   */
  readonly name?: string;
}

/** An effective context limit of one value of a knob. */
export interface KnobLimit extends ContextLimit {
  /** The value of the parting knob, or the name of all. */
  readonly series: string;
}

/**
 * Gives effective context limits by a knob's value, which are the contours of accuracy at one level in the paper's figures.
 *
 * @param replies Scored replies of tasks that have the knob; others are left out.
 * @param options The tasks, the knob, the unit of sizes, what parts the replies, and the level.
 * @returns A limit for each value of the parting knob and of the knob, both in order.
 * @throws {RangeError} If the level or the number of replicates is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const tasks = { up: { options: { steps: 5, direction: "backward" } } };
 * const reply = { task: "up", length: 4096, value: 1, failed: false, noAnswer: false, record: {} };
 * const [limit] = knobLimits([reply], { tasks, knob: "steps", series: "direction", unit: 2 });
 * deepEqual([limit?.series, limit?.difficulty, limit?.limit, limit?.isBeyond], ["backward", 5, 8192, true]);
 * ```
 */
export function knobLimits(replies: readonly KnobReply[], options: KnobLimitsOptions): KnobLimit[] {
  const { tasks, knob, unit, series, name = knob, ...limits } = options;
  const valueOf = ({ task }: KnobReply): string =>
    series === undefined ? name : String(tasks[task]?.options[series] ?? name);
  return [...Map.groupBy(replies, valueOf)].flatMap(([value, same]) => {
    const cells = knobCells(same, { tasks, knob, ...(unit === undefined ? {} : { unit }) });
    if (cells.length === 0) return [];
    return contextLimits(cells, limits).map((limit) => ({ ...limit, series: value }));
  });
}

/** A limit of Table 2 beside the one that the scores of Tables 3 to 7 give. */
export interface TableLimit {
  /** The model as the tables name it. */
  readonly model: string;
  /** The task. */
  readonly task: PublishedThreadingTask;
  /** The limit printed, in thousand characters. */
  readonly printed: number;
  /** Where the mean score of all difficulties falls through the level, in thousand characters. */
  readonly computed: number;
}

/** LLaMA 3.1, by whose tokens sizes are named, and its limit in them. */
const [NAMING_MODEL, NAMING_LIMIT] = ["LLaMA 3.1 8b", 128_000] as const;

/**
 * Gives, for each limit of Table 2, the size at which the printed scores fall through a level.
 *
 * The paper draws contours for one depth or number of needles, of which no numbers were published; the scores of Tables 3 to
 * 7 are means over them. So the two agree where difficulty matters little, and at the level that the paper took.
 *
 * @param published What the paper printed.
 * @param options The level, in (0, 1].
 * @returns A row for each of Table 2's.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/benchmarks/needle_threading/mod.ts";
 *
 * const limits = tableLimits(await openThreadingPublished(), { level: 0.75 });
 * const pro = limits.find(({ model, task }) => model === "Gemini 1.5 Pro" && task === "multiple_needles");
 * equal(pro!.printed, 430);
 * equal(Math.round(pro!.computed), 430);
 * ```
 */
export function tableLimits(published: ThreadingPublished, options: { readonly level: number }): readonly TableLimit[] {
  const thousandCharacters = charactersPerToken(published, NAMING_MODEL, NAMING_LIMIT) / 1000;
  return published.limits.map(({ model, task, effective }): TableLimit => {
    const cells = curvesOf(published, task).get(model)!.map(({ length, score }) => ({
      size: length * thousandCharacters,
      difficulty: 0,
      scores: [score / 100],
    }));
    const [found] = contextLimits(cells, { ...options, replicates: 0 });
    return { model, task, printed: effective, computed: found!.limit };
  });
}
