import { THREADING_CHOICES } from "./_threading_settings.ts";
import { type ThreadingKind, type ThreadingOptions, threadingTask } from "./threading.ts";
import type { Task } from "../task.ts";

/** The name of one of the tasks of Needle Threading. */
export type ThreadingTaskName = `threading_${ThreadingKind}`;

/** The tasks of Needle Threading, in the order of the paper's section 3. */
export const THREADING_TASK_NAMES: readonly ThreadingTaskName[] = THREADING_CHOICES.kind.map((kind) =>
  `threading_${kind}` as const
);

/** What the knobs of {@linkcode threadingTask} that take words take; `character` takes others too. */
export const THREADING_KNOBS: Readonly<Record<"kind" | "placement" | "direction" | "character", readonly string[]>> = {
  ...THREADING_CHOICES,
  character: ["*", "&", "#", "@", "+", "!"],
};

/**
 * Makes one of the tasks of Needle Threading by its name.
 *
 * @param name One of {@linkcode THREADING_TASK_NAMES}.
 * @param options Knobs that are to be other than the task's own.
 * @returns The task; it is called `name`.
 * @throws {RangeError} If there is no such task, or the task has no such knob, or it is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedThreadingTask("threading_single_thread", { direction: "backward" }).options["steps"], 5);
 * ```
 */
export function namedThreadingTask(
  name: ThreadingTaskName,
  options: Omit<ThreadingOptions, "name" | "kind"> = {},
): Task {
  const kind = THREADING_CHOICES.kind.find((each) => name === `threading_${each}`);
  if (kind === undefined) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${THREADING_TASK_NAMES.join(", ")}: current value is "${name}"`,
    );
  }
  if ("kind" in options && options.kind !== kind) {
    throw new RangeError(`Cannot make task ${name} as its kind must be ${kind}: current value is "${options.kind}"`);
  }
  return threadingTask({ ...options, name, kind });
}
