import { knobCells, type KnobCellsOptions, type KnobReply } from "../knob_rows.ts";
import { type ContextLimit, type ContextLimitOptions, contextLimits } from "../lengths/context_limit.ts";

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
