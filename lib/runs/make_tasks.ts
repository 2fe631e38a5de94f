import { RULER_TASK_NAMES, type Task } from "@/lib/generators/mod.ts";
import { nearestNames } from "./_nearest_names.ts";
import { FAMILIES, type Family, familyOf, type Knobs } from "./_families.ts";
import type { Study, TaskChoice } from "./study.ts";

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
