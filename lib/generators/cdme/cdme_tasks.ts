import { type CdmeOptions, cdmeTask } from "./cdme.ts";
import type { Task } from "../task.ts";

/** The name of one of CDME's tasks. */
export type CdmeTaskName =
  | `cdme_${"" | "multi_" | "multi2_" | "varied_"}${"zh" | "en"}`
  | "cdme_original"
  | "cdme_original_multi";

/** The knobs that set each task apart. */
const TASKS: Readonly<Record<CdmeTaskName, CdmeOptions>> = {
  "cdme_zh": { language: "zh" },
  "cdme_en": { language: "en" },
  "cdme_multi_zh": { language: "zh", item: "cot3_italy" },
  "cdme_multi_en": { language: "en", item: "cot3_italy" },
  "cdme_multi2_zh": { language: "zh", item: "cot2_italy" },
  "cdme_multi2_en": { language: "en", item: "cot2_italy" },
  "cdme_varied_zh": { language: "zh", item: "varied" },
  "cdme_varied_en": { language: "en", item: "varied" },
  "cdme_original": { language: "zh", edition: "original" },
  "cdme_original_multi": { language: "zh", edition: "original", item: "cot3_italy" },
};

/**
 * The names of CDME's tasks: one needle in Chinese and in English, three needles, two needles, a needle that varies, and
 * OpenCompass's own samples with one needle and with three.
 */
export const CDME_TASK_NAMES: readonly CdmeTaskName[] = Object.keys(TASKS) as CdmeTaskName[];

/**
 * Makes a task of CDME by its name.
 *
 * @param name One of {@linkcode CDME_TASK_NAMES}.
 * @param options Knobs that are changed.
 * @returns The task.
 * @throws {RangeError} If there is no such task, or a knob is outside its range.
 *
 * @example Three needles
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedCdmeTask("cdme_multi_zh").options["item"], "cot3_italy");
 * equal(namedCdmeTask("cdme_zh", { depth: 0.5 }).options["depth"], 0.5);
 * ```
 */
export function namedCdmeTask(name: CdmeTaskName, options: Omit<CdmeOptions, "name"> = {}): Task {
  if (!Object.hasOwn(TASKS, name)) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${CDME_TASK_NAMES.join(", ")}: current value is "${name}"`,
    );
  }
  return cdmeTask({ ...TASKS[name], ...options, name });
}
