import { type CountingStarsOptions, countingStarsTask } from "./counting_stars.ts";
import type { Task } from "../task.ts";

/** What a task of Counting-Stars is, the middle of its name. */
export type CountingStarsKind = "search" | "shuffled" | "reasoning" | "sum" | "miscount" | "linked";

const KINDS: Readonly<Record<CountingStarsKind, CountingStarsOptions>> = {
  "search": {},
  "shuffled": { order: "shuffled" },
  "reasoning": { order: "shuffled", sentence: "corrected" },
  "sum": { ask: "list_and_sum" },
  "miscount": { sentence: "miscounted" },
  "linked": { sentence: "linked" },
};

/** The name of one of the tasks of Counting-Stars. */
export type CountingStarsTaskName = `counting_stars_${CountingStarsKind}_${"en" | "zh"}`;

/**
 * The tasks of Counting-Stars, in English and in Chinese: search (the reference's acquisition) with increasing and with
 * shuffled counts, reasoning, and three of the next version: list and sum, counts to be worked out, and linked counts.
 */
export const COUNTING_STARS_TASK_NAMES: readonly CountingStarsTaskName[] = (["en", "zh"] as const).flatMap((language) =>
  (Object.keys(KINDS) as CountingStarsKind[]).map((kind) => `counting_stars_${kind}_${language}` as const)
);

/**
 * Makes one of the tasks of Counting-Stars by its name.
 *
 * @param name One of {@linkcode COUNTING_STARS_TASK_NAMES}.
 * @param options Knobs that are to be other than the task's own.
 * @returns The task; it is called `name`.
 * @throws {RangeError} If there is no such task, or a knob is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedCountingStarsTask("counting_stars_reasoning_zh").options["sentence"], "corrected");
 * equal(namedCountingStarsTask("counting_stars_search_en", { stars: 64 }).options["stars"], 64);
 * ```
 */
export function namedCountingStarsTask(
  name: CountingStarsTaskName,
  options: Omit<CountingStarsOptions, "name"> = {},
): Task {
  if (!COUNTING_STARS_TASK_NAMES.includes(name)) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${
        COUNTING_STARS_TASK_NAMES.join(", ")
      }: current value is "${name}"`,
    );
  }
  const [kind, language] = name.replace("counting_stars_", "").split("_") as [CountingStarsKind, "en" | "zh"];
  return countingStarsTask({ name, language, ...KINDS[kind], ...options });
}
