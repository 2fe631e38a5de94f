import { type Benchmark, BENCHMARKS, listFamilies } from "@/lib/benchmarks/mod.ts";
import type { Variant } from "@/lib/benchmarks/ruler/mod.ts";
import type { Family, Task, TaskChoice } from "@/lib/generators/mod.ts";

/**
 * Finds the family that a task is of.
 *
 * @param task A family's name, or that of one of its tasks.
 * @param benchmarks Where to look; the benchmarks that come with Fathom unless given.
 * @returns The family; `undefined` where there is no such family or task.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(findFamily("niah_single_2")?.name, "niah");
 * equal(findFamily("niah_single_9"), undefined);
 * ```
 */
export function findFamily(task: string, benchmarks: readonly Benchmark[] = BENCHMARKS): Family | undefined {
  return listFamilies(benchmarks).find(({ name, tasks }) => name === task || tasks.includes(task));
}

/**
 * Makes the tasks of a study.
 *
 * @param study Its tasks, by name or by knobs, and the variant of their wording.
 * @param benchmarks Whose tasks there are, the first being the one that `all` stands for; those that come with Fathom, of
 *   which RULER is the first, unless given.
 * @returns The tasks, in the study's order, none twice.
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
export function makeTasks(
  study: { readonly tasks: readonly TaskChoice[]; readonly variant: Variant },
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): Task[] {
  const all = (benchmarks[0]?.tasks ?? []).map((task): TaskChoice => ({ task }));
  const choices = study.tasks.flatMap((choice) => choice.task === "all" ? all : [choice]);
  const tasks = choices.map((choice) => makeTask(choice, study.variant, benchmarks));
  // The same task twice, as in "all, vt", is asked once; two tasks of one name are not the same and are refused in a plan.
  const identify = ({ name, options }: Task): string => JSON.stringify([name, options]);
  return [...new Map(tasks.map((task) => [identify(task), task])).values()];
}

function makeTask(choice: TaskChoice, variant: Variant, benchmarks: readonly Benchmark[]): Task {
  const { task, name = task, knobs = {} } = choice;
  const family = findFamily(task, benchmarks);
  const families = listFamilies(benchmarks);
  const familyNames = families.map((each) => each.name);
  if (family === undefined) {
    const near = nearestNames(task, [...families.flatMap(({ tasks }) => tasks), ...familyNames]);
    const such = near.length === 0 ? "" : ` such as ${[...new Set(near)].join(", ")}`;
    throw new RangeError(
      `Cannot make the tasks as each must be all, a family (${
        familyNames.join(", ")
      }), or a task that \`fathom tasks\` lists${such}: current value is "${task}"`,
    );
  }
  const settings = "variant" in family.knobs ? { variant, ...knobs } : knobs;
  if (!family.tasks.includes(task) || name !== task && family.name === task) return family.make({ name, ...settings });
  if (name !== task) {
    throw new RangeError(
      `Cannot make task ${task} as only a family (${
        familyNames.join(", ")
      }) can be given a name: current value is "${name}"`,
    );
  }
  return family.task(task, settings);
}

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
