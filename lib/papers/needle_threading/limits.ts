import { tokenizerFamilies } from "./tokenizer_families.ts";
import type { LimitPoint } from "./contours.ts";
import {
  type ContextLimit,
  type ContextLimitOptions,
  contextLimits,
  knobCells,
  type ScoredRecord,
} from "@/lib/statistics/mod.ts";

/** The effective context limit in one task, as in the paper's Table 2. */
export interface TaskLimit extends ContextLimit {
  readonly task: string;
  /** The knob and its value, such as `steps = 5`. */
  readonly at: string;
  /** The largest size tested, in the unit of sizes. */
  readonly tested: number;
  /** The limit as a share of `tested`, in percent. */
  readonly percent: number;
  /** The limit as a share of the model's window, in percent, if the window is known. */
  readonly ofWindow?: number;
  /** The limit in thousand characters, if sizes are in tokens and the tokenizer was counted. */
  readonly thousandCharacters?: number;
}

/** Options for {@linkcode taskLimit}. */
export interface TaskLimitOptions extends Omit<KnobLimitsOptions, "series" | "name"> {
  readonly name: string;
  /**
   * The knob's value, or the hardest value asked if that is lower. `worst` takes the value with the lowest limit, as Table 2
   * does for single needles by depth.
   */
  readonly at: number | "worst";
  /** The model's context window, in the unit of sizes. */
  readonly window?: number;
}

/**
 * Computes the effective context limit of a task at one value of a knob, as in the paper's Table 2.
 *
 * @throws {RangeError} If no reply has the knob and a score, or the value is below those asked.
 */
export function taskLimit(replies: readonly ScoredRecord[], options: TaskLimitOptions): TaskLimit {
  const { knob, at, name, window } = options;
  const cells = knobCells(replies, options);
  const hardest = Math.max(...cells.map(({ difficulty }) => difficulty));
  const value = at === "worst" ? at : Math.min(at, hardest);
  const found = contextLimits(cells, value === "worst" ? options : { ...options, difficulties: [value] });
  const limit = found.toSorted((left, right) => left.limit - right.limit)[0]!;
  const tested = Math.max(...cells.map(({ size }) => size));
  return {
    ...{ ...limit, task: name, tested, percent: 100 * limit.limit / tested },
    at: at === "worst" ? `worst ${knob} (${limit.difficulty})` : `${knob} = ${value}`,
    ...(window === undefined ? {} : { ofWindow: 100 * limit.limit / window }),
  };
}

/**
 * Returns the characters per token of a haystack of random UUIDs; `null` for a tokenizer that was not counted.
 *
 * @param tokenizer Its name in a run's materials, such as `o200k_base`.
 */
export function pairCharactersPerToken(tokenizer: string): number | null {
  const cost = tokenizerFamilies().find(({ text, folder }) => text === "UUID pairs" && folder === tokenizer);
  return cost?.charactersPerToken ?? null;
}

/** Options for {@linkcode knobLimits}. */
export type KnobLimitsOptions = Parameters<typeof knobCells>[1] & Omit<ContextLimitOptions, "difficulties"> & {
  /** A second knob, such as `direction`; each of its values has its own limits. */
  readonly series?: string;
  /**
   * The series' name without a second knob.
   *
   * @default {the knob's name}
   */
  readonly name?: string;
};

/**
 * Computes effective context limits by a knob's value: the contours of accuracy at one level in the paper's figures. Replies
 * of tasks without the knob are left out.
 *
 * @throws {RangeError} If the level or the number of replicates is outside its range.
 */
export function knobLimits(replies: readonly ScoredRecord[], options: KnobLimitsOptions): LimitPoint[] {
  const { tasks, knob, series, name = knob } = options;
  const valueOf = ({ task }: ScoredRecord): string =>
    series === undefined ? name : String(tasks[task]?.options[series] ?? name);
  return [...Map.groupBy(replies, valueOf)].flatMap(([value, same]) => {
    const cells = knobCells(same, options);
    return cells.length === 0 ? [] : contextLimits(cells, options).map((limit) => ({ ...limit, series: value }));
  });
}
