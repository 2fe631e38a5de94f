import type { RunManifest } from "./manifest.ts";
import type { Study } from "./study.ts";
import { CDME_KNOBS, CDME_TASK_NAMES, cdmeTask, type CdmeTaskName, namedCdmeTask } from "@/lib/benchmarks/cdme/mod.ts";
import {
  COUNTING_STARS_KNOBS,
  COUNTING_STARS_TASK_NAMES,
  countingStarsTask,
  type CountingStarsTaskName,
  namedCountingStarsTask,
} from "@/lib/benchmarks/counting_stars/mod.ts";
import {
  namedThreadingTask,
  THREADING_KNOBS,
  THREADING_TASK_NAMES,
  threadingTask,
  type ThreadingTaskName,
} from "@/lib/benchmarks/needle_threading/mod.ts";
import {
  namedPromptRecallTask,
  PROMPT_RECALL_KNOBS,
  PROMPT_RECALL_TASK_NAMES,
  promptRecallTask,
  type PromptRecallTaskName,
} from "@/lib/benchmarks/prompt_dependence/mod.ts";
import {
  cweTask,
  fweTask,
  niahTask,
  qaTask,
  RULER_STUDY_TASK_NAMES,
  RULER_TASK_NAMES,
  rulerTask,
  type RulerTaskName,
  VARIANTS,
  vtTask,
} from "@/lib/benchmarks/ruler/mod.ts";
import type { Task, TaskChoice } from "@/lib/generators/mod.ts";

/** The values of knobs, by name. */
type Knobs = Readonly<Record<string, string | number>>;

/** A family of tasks. */
interface Family {
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
const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
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

/** The names of the families that a study can set the knobs of. */
export const FAMILY_NAMES: readonly string[] = [...FAMILIES.keys()];

/** The names of all tasks of all benchmarks. */
export const TASK_NAMES: readonly string[] = [...FAMILIES.values()].flatMap(({ tasks }) => tasks);

/**
 * Makes the tasks of a study.
 *
 * @param study Its tasks, by name or by knobs, and the variant of their wording.
 * @returns The tasks, in the study's order, none twice; `all` stands for RULER's thirteen.
 * @throws {RangeError} If a task or a knob is unknown, or a knob's value is not one it takes.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * equal(makeTasks(checkStudy({ tasks: "all" })).length, 13);
 * equal(makeTasks(checkStudy({ tasks: [{ task: "niah", keys: 8 }] }))[0]?.options["keys"], 8);
 * ```
 */
export function makeTasks(study: Pick<Study, "tasks" | "variant">): Task[] {
  const all = RULER_TASK_NAMES.map((task): TaskChoice => ({ task }));
  const choices = study.tasks.flatMap((choice) => choice.task === "all" ? all : [choice]);
  const tasks = choices.map((choice) => makeTask(choice, study.variant));
  // The same task twice, as in "all, vt", is asked once; two tasks of one name are not the same and are refused in a plan.
  const identify = ({ name, options }: Task): string => JSON.stringify([name, options]);
  return [...new Map(tasks.map((task) => [identify(task), task])).values()];
}

function makeTask(choice: TaskChoice, variant: Study["variant"]): Task {
  const { task, name = task, knobs = {} } = choice;
  const family = FAMILIES.get(familyOf(task) ?? "");
  if (family === undefined) {
    const near = nearestNames(task, [...TASK_NAMES, ...FAMILY_NAMES]);
    const such = near.length === 0 ? "" : ` such as ${[...new Set(near)].join(", ")}`;
    throw new RangeError(
      `Cannot make the tasks as each must be all, a family (${
        FAMILY_NAMES.join(", ")
      }), or a task that \`fathom tasks\` lists${such}: current value is "${task}"`,
    );
  }
  for (const [knob, value] of Object.entries(knobs)) checkKnob({ knob, value, task }, family.knobs);
  const settings = "variant" in family.knobs ? { variant, ...knobs } : knobs;
  if (FAMILIES.has(task)) return family.make({ name, ...settings });
  if (name !== task) {
    throw new RangeError(
      `Cannot make task ${task} as only a family (${
        FAMILY_NAMES.join(", ")
      }) can be given a name: current value is "${name}"`,
    );
  }
  return family.makeNamed(task, settings);
}

function checkKnob(
  given: { readonly knob: string; readonly value: Knobs[string]; readonly task: string },
  wanted: Family["knobs"],
): void {
  const { knob, value, task } = given;
  if (!Object.hasOwn(wanted, knob)) {
    throw new RangeError(
      `Cannot make task ${task} as each knob must be one of ${
        Object.keys(wanted).join(", ")
      }: current value is "${knob}"`,
    );
  }
  const values = wanted[knob]!;
  const isOfKind = typeof values === "string" ? IS_OF_KIND[values] : undefined;
  const isTaken = isOfKind === undefined ? values.includes(String(value)) : isOfKind(value);
  if (!isTaken) {
    throw new RangeError(
      `Cannot make task ${task} as ${knob} must be ${
        isOfKind === undefined ? `one of ${(values as readonly string[]).join(", ")}` : values
      }: current value is ${JSON.stringify(value)}`,
    );
  }
}

const IS_OF_KIND = {
  "a number": (value: Knobs[string]): boolean => typeof value === "number",
  "a text": (value: Knobs[string]): boolean => typeof value === "string",
};

/** The most names that are offered. */
const MOST_OFFERED = 4;

/** Gives the names that begin most like one that was not found, the likest first; none where none begins like it. */
function nearestNames(name: string, names: readonly string[]): readonly string[] {
  const alike = names.map((candidate) => ({ candidate, shared: countShared(candidate, name) }));
  const most = Math.max(0, ...alike.map(({ shared }) => shared));
  if (most < 2) return [];
  return alike.filter(({ shared }) => shared === most).map(({ candidate }) => candidate).slice(0, MOST_OFFERED);
}

/** Counts the characters at the start that two names have in common. */
function countShared(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count]?.toLowerCase() === right[count]?.toLowerCase()) count++;
  return count;
}

/**
 * Names what the scores of a run are scores of: the suites of its tasks with their versions, and whose wording the prompts
 * follow where the tasks have several.
 *
 * @param manifest The run's manifest, or its tasks.
 * @returns The names, such as `ruler-2, variant 2026`.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const vt = { suite: "ruler-2", scoring: "all", options: { variant: "paper", hops: 4 } } as const;
 * equal(suiteText({ tasks: { vt } }), "ruler-2, variant paper");
 * ```
 */
export function suiteText({ tasks }: Pick<RunManifest, "tasks">): string {
  const headers = Object.values(tasks);
  const suites = [...new Set(headers.map(({ suite }) => suite))];
  const variants = [...new Set(headers.flatMap(({ options }) => options["variant"] ?? []))];
  return [...suites, ...(variants.length === 0 ? [] : [`variant ${variants.join(" and ")}`])].join(", ");
}
