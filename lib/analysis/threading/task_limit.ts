import { knobCells, type KnobReply } from "../knob_rows.ts";
import { type ContextLimit, contextLimits } from "../lengths/context_limit.ts";
import type { KnobLimitsOptions } from "./knob_limits.ts";

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
