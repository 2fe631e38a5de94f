import {
  CDME_KNOBS,
  CDME_TASK_NAMES,
  cdmeTask,
  type CdmeTaskName,
  COUNTING_STARS_KNOBS,
  COUNTING_STARS_TASK_NAMES,
  countingStarsTask,
  type CountingStarsTaskName,
  cweTask,
  fweTask,
  namedCdmeTask,
  namedCountingStarsTask,
  namedPromptRecallTask,
  namedThreadingTask,
  niahTask,
  PROMPT_RECALL_KNOBS,
  PROMPT_RECALL_TASK_NAMES,
  promptRecallTask,
  type PromptRecallTaskName,
  qaTask,
  RULER_STUDY_TASK_NAMES,
  rulerTask,
  type RulerTaskName,
  type Task,
  THREADING_KNOBS,
  THREADING_TASK_NAMES,
  threadingTask,
  type ThreadingTaskName,
  VARIANTS,
  vtTask,
} from "@/lib/generators/mod.ts";

/** The values of knobs, by name. */
export type Knobs = Readonly<Record<string, string | number>>;

/** A family of tasks. */
export interface Family {
  /** Makes a task with these knobs; they were checked by name and kind. */
  make(options: Knobs & { readonly name: string }): Task;
  /** What each knob takes: a number, any text, or one of some words. A family with the knob `variant` has a study's variant. */
  readonly knobs: Readonly<Record<string, "a number" | "a text" | readonly string[]>>;
  /** The benchmark's own tasks of the family; their names begin with the family's. */
  readonly tasks: readonly string[];
  /** Makes one of them, with these knobs changed. */
  makeNamed(name: string, knobs: Knobs): Task;
}

const NEEDLE_TYPES = ["words", "numbers", "uuids"];

/** Every family of tasks, by its name. */
export const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
  rulerFamily("niah", niahTask, {
    haystack: ["noise", "essay", "needle"],
    keyType: NEEDLE_TYPES,
    valueType: NEEDLE_TYPES,
    ...numbers("keys", "values", "queries", "depth"),
  }),
  rulerFamily("vt", vtTask, numbers("chains", "hops")),
  rulerFamily("cwe", cweTask, numbers("common", "asked", "commonFrequency", "uncommonFrequency")),
  rulerFamily("fwe", fweTask, numbers("alpha", "vocabulary", "wordLength")),
  rulerFamily("qa", qaTask as Family["make"], numbers("hops", "documents")),
  ["counting_stars", {
    make: countingStarsTask,
    knobs: { ...numbers("stars"), ...COUNTING_STARS_KNOBS },
    tasks: COUNTING_STARS_TASK_NAMES,
    makeNamed: (name, knobs) => namedCountingStarsTask(name as CountingStarsTaskName, knobs),
  }],
  ["threading", {
    make: threadingTask,
    knobs: {
      ...THREADING_KNOBS,
      ...numbers("needles", "steps", "threads", "branching", "depth", "pairs", "characters"),
    },
    tasks: THREADING_TASK_NAMES,
    makeNamed: (name, knobs) => namedThreadingTask(name as ThreadingTaskName, knobs),
  }],
  ["cdme", {
    make: cdmeTask,
    knobs: {
      ...CDME_KNOBS,
      ...numbers("points", "depth", "diff", "lengthBuffer"),
      ...texts("needle", "needles", "question", "answer", "keyword"),
    },
    tasks: CDME_TASK_NAMES,
    makeNamed: (name, knobs) => namedCdmeTask(name as CdmeTaskName, knobs),
  }],
  ["prompt_recall", {
    make: promptRecallTask,
    knobs: { ...PROMPT_RECALL_KNOBS, ...numbers("points", "depth"), ...texts("needle", "question") },
    tasks: PROMPT_RECALL_TASK_NAMES,
    makeNamed: (name, knobs) => namedPromptRecallTask(name as PromptRecallTaskName, knobs),
  }],
]);

/**
 * Names the family that a task is of.
 *
 * @param task A family's name, or that of one of its tasks.
 * @returns The family's name; `undefined` where there is no such family or task.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(familyOf("niah_single_2"), "niah");
 * equal(familyOf("niah_single_9"), undefined);
 * ```
 */
export function familyOf(task: string): string | undefined {
  for (const [name, { tasks }] of FAMILIES) if (name === task || tasks.includes(task)) return name;
  return undefined;
}

function rulerFamily(name: string, make: Family["make"], knobs: Family["knobs"]): [string, Family] {
  return [name, {
    make,
    knobs: { variant: VARIANTS, ...knobs },
    tasks: RULER_STUDY_TASK_NAMES.filter((task) => task === name || task.startsWith(`${name}_`)),
    makeNamed: (task, changes) => rulerTask(task as RulerTaskName, changes),
  }];
}

function numbers(...names: readonly string[]): Family["knobs"] {
  return Object.fromEntries(names.map((name) => [name, "a number" as const]));
}

function texts(...names: readonly string[]): Family["knobs"] {
  return Object.fromEntries(names.map((name) => [name, "a text" as const]));
}
