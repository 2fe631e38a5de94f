import type { Task } from "@/lib/generators/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { makeTasks } from "./make_tasks.ts";
import type { RunHeader } from "./manifest.ts";
import { type OpenMaterials, openMaterials } from "./open_materials.ts";
import { type Plan, planRun } from "./plan.ts";
import type { Study } from "./study.ts";

/** A study with its tasks made and its materials opened. */
export interface OpenStudy {
  /** What was opened. */
  readonly study: Study;
  /** The tasks, in the study's order. */
  readonly tasks: readonly Task[];
  /** What the samples are made of. */
  readonly materials: OpenMaterials;
}

/**
 * Opens a study: makes its tasks and opens its materials, so that whatever is wrong shows before anything is asked.
 *
 * @param study The study.
 * @returns Its tasks and materials.
 * @throws {RangeError} If a task, a knob, a tokenizer or a file is not what it should be.
 * @throws {SyntaxError} If a file holds something else.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const { tasks, materials } = await openStudy(checkStudy({ tasks: ["vt"] }));
 * equal(tasks[0]?.name, "vt");
 * equal(materials.tokenizer.name, "cl100k_base");
 * ```
 */
export async function openStudy(study: Study): Promise<OpenStudy> {
  const tasks = makeTasks(study);
  return { study, tasks, materials: await openMaterials(study) };
}

/**
 * Plans a study for a model.
 *
 * @param opened The opened study.
 * @param model Who will be asked; samples are fitted to what it puts round a prompt.
 * @returns The plan.
 * @throws {RangeError} If a length, a count or a task name is not what it should be, or no task fits any length.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { BASE_FRAME } from "@/lib/generators/mod.ts";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const opened = await openStudy(checkStudy({ tasks: ["vt"], lengths: [1024, 4096], samples: 5 }));
 * equal(planStudy(opened, { frame: BASE_FRAME }).questions, 10);
 * ```
 */
export function planStudy({ study, tasks, materials }: OpenStudy, model: Pick<Model, "frame">): Plan {
  const { lengths, samples, first, seed } = study;
  return planRun({ tasks, lengths, samples, first, seed, frame: model.frame }, materials);
}

/**
 * Gathers what decides the samples and answers of a run.
 *
 * @param opened The opened study.
 * @param model Who is asked.
 * @returns The header of the run's manifest.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const header = describeRun(await openStudy(checkStudy({ tasks: ["vt"] })), simulatedModel("ideal"));
 * equal(header.model, "sim:ideal");
 * equal(header.tasks["vt"]?.options["hops"], 4);
 * ```
 */
export function describeRun({ study, tasks, materials }: OpenStudy, model: Model): RunHeader {
  const { name, origin, settings, frame } = model;
  return {
    study,
    tasks: Object.fromEntries(
      tasks.map(({ name: task, suite, scoring, options }) => [task, { suite, scoring, options }]),
    ),
    materials: materials.names,
    model: name,
    origin,
    settings,
    frame,
  };
}
