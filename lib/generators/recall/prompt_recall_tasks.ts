import { type PromptRecallOptions, promptRecallTask } from "./prompt_recall.ts";
import type { Task } from "../task.ts";

/** The paper's tests by name, with the knob that sets each apart. */
const TASKS: Readonly<Record<PromptRecallTaskName, PromptRecallOptions>> = {
  "recall_pistachio": { test: "pistachio" },
  "recall_san_francisco": { test: "san_francisco" },
  "recall_thornfield": { test: "thornfield" },
};

/** The name of one of the prompt-dependence tests. */
export type PromptRecallTaskName = "recall_pistachio" | "recall_san_francisco" | "recall_thornfield";

/** The names of the three tests of "LLM In-Context Recall is Prompt Dependent". */
export const PROMPT_RECALL_TASK_NAMES: readonly PromptRecallTaskName[] = Object.keys(
  TASKS,
) as PromptRecallTaskName[];

/**
 * Makes one of the prompt-dependence tests by its name.
 *
 * @param name One of {@linkcode PROMPT_RECALL_TASK_NAMES}.
 * @param options Knobs that are changed.
 * @returns The task.
 * @throws {RangeError} If there is no such task, or a knob is outside its range.
 *
 * @example The test in Llama's template
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedPromptRecallTask("recall_thornfield", { template: "llama" }).options["test"], "thornfield");
 * ```
 */
export function namedPromptRecallTask(
  name: PromptRecallTaskName,
  options: Omit<PromptRecallOptions, "name" | "test" | "needle" | "question"> = {},
): Task {
  if (!Object.hasOwn(TASKS, name)) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${
        PROMPT_RECALL_TASK_NAMES.join(", ")
      }: current value is "${name}"`,
    );
  }
  return promptRecallTask({ ...TASKS[name], ...options, name });
}
