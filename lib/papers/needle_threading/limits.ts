import { tokenizerFamilies } from "./tokenizer_families.ts";
import {
  type ContextLimit,
  type ContextLimitOptions,
  contextLimits,
  knobCells,
  type KnobCellsOptions,
  type KnobReply,
} from "@/lib/statistics/mod.ts";

/** An effective context limit in one task, as in the paper's Table 2. */
export interface TaskLimit extends ContextLimit {
  readonly task: string;
  /** The knob and its value, such as `steps = 5`. */
  readonly at: string;
  /** The greatest size tested, in the unit of sizes. */
  readonly tested: number;
  /** The limit as a share of that, in percent. */
  readonly percent: number;
  /** The limit as a share of the model's window, in percent, where that is known. */
  readonly ofWindow?: number;
  /** The limit in thousand characters, where sizes are in tokens and a token of the haystack is known in characters. */
  readonly thousandCharacters?: number;
}

/** Options for {@linkcode taskLimit}. */
export interface TaskLimitOptions extends Omit<KnobLimitsOptions, "series" | "name"> {
  readonly name: string;
  /**
   * The knob's value; the hardest that was asked where that is less, as short texts have no room for more. `worst` for the value with the least limit, as Table 2 has it of single needles by
   * depth.
   */
  readonly at: number | "worst";
  /** The context window of the model, in the unit of sizes: then the limit is also given as a share of it, as in Table 2. */
  readonly window?: number;
}

/**
 * Computes the effective context limit of a task at one value of a knob, as in the paper's Table 2.
 *
 * @throws {RangeError} If no reply has the knob and a score, or the value is below those asked.
 *
 * @example Right at 4,096 tokens and wrong at 16,384: accuracy falls through 75% in between
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
  const { tasks, knob, unit, at, name, window, ...limits } = options;
  const cells = knobCells(replies, { tasks, knob, ...(unit === undefined ? {} : { unit }) });
  const hardest = Math.max(...cells.map(({ difficulty }) => difficulty));
  const value = at === "worst" ? at : Math.min(at, hardest);
  const found = contextLimits(cells, value === "worst" ? limits : { ...limits, difficulties: [value] });
  const limit = found.toSorted((left, right) => left.limit - right.limit)[0]!;
  const tested = Math.max(...cells.map(({ size }) => size));
  const place = at === "worst" ? `worst ${knob} (${limit.difficulty})` : `${knob} = ${value}`;
  const ofWindow = window === undefined ? {} : { ofWindow: 100 * limit.limit / window };
  return { ...limit, task: name, at: place, tested, percent: 100 * limit.limit / tested, ...ofWindow };
}

/**
 * Characters of a haystack of random UUIDs in one token, for a tokenizer that was counted; `null` for another.
 *
 * @param tokenizer Its name in a run's materials, such as `o200k_base`.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(pairCharactersPerToken("o200k_base")?.toFixed(2), "1.62");
 * equal(pairCharactersPerToken("a tokenizer of mine"), null);
 * ```
 */
export function pairCharactersPerToken(tokenizer: string): number | null {
  const cost = tokenizerFamilies().find(({ text, folder }) => text === "UUID pairs" && folder === tokenizer);
  return cost?.charactersPerToken ?? null;
}

/** Options for {@linkcode knobLimits}. */
export interface KnobLimitsOptions extends KnobCellsOptions, Omit<ContextLimitOptions, "difficulties"> {
  /** A second knob, such as `direction`: each of its values has limits of its own. */
  readonly series?: string;
  /**
   * What the limits are called without a second knob.
   *
   * @default {the knob's name}
   */
  readonly name?: string;
}

/** An effective context limit at one value of a knob. */
export interface KnobLimit extends ContextLimit {
  /** The value of the second knob, or the name of all. */
  readonly series: string;
}

/**
 * Computes effective context limits by a knob's value: the contours of accuracy at one level in the paper's figures. Replies
 * of tasks without the knob are left out.
 *
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
