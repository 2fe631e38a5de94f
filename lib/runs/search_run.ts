import type { Plan } from "./plan.ts";
import type { ChooseSamples, StudyRun } from "./run_study.ts";
import {
  adaptiveSearch,
  checkDesign,
  type SearchAim,
  type SearchDesign,
  type SearchStep,
} from "@/lib/statistics/mod.ts";

/**
 * Lets an adaptive search choose what a study asks: pass it to `runStudy` as `choose`.
 *
 * @param aim What is looked for.
 * @returns A function that names the next samples from the scores so far; it throws a RangeError where the plan cannot
 * be searched.
 *
 * @example A perfect reader is asked at the longest length alone
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { searchRun } from "@/lib/runs/mod.ts";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512, 1024], samples: 80 });
 * const options = { name: "try", model: simulatedModel("ideal"), folder };
 * const run = await runStudy(study, { ...options, choose: chooseBySearch({ threshold: 85.6 }) });
 * deepEqual([...new Set(run.replies.map(({ length }) => length))], [1024]);
 * equal(searchRun(run, { threshold: 85.6 }).answer?.text, ">1K");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function chooseBySearch(aim: SearchAim): ChooseSamples {
  return (asked, plan) => adaptiveSearch(asked, searchPlan(plan, aim)).next;
}

/**
 * Tells what a search has found in a run.
 *
 * @param run The run, its plan and replies.
 * @param aim What is looked for.
 * @returns Where the search stands.
 * @throws {RangeError} If the plan cannot be searched, or the aim is outside its range.
 */
export function searchRun(run: Pick<StudyRun, "plan" | "replies">, aim: SearchAim): SearchStep {
  const scores = run.replies.map(({ task, length, value, record }) => ({ task, length, index: record.index, value }));
  return adaptiveSearch(scores, searchPlan(run.plan, aim));
}

/**
 * Designs an adaptive search among the samples of a plan: its tasks, its lengths, and at most as many samples of each.
 *
 * @param plan The plan of everything that may be asked.
 * @param aim What is looked for.
 * @returns The design.
 * @throws {RangeError} If a task does not fit one of the lengths, since a mean over fewer tasks is another quantity, or
 * an option is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
 * import { checkStudy, openStudy, planStudy } from "@/lib/runs/mod.ts";
 *
 * const study = checkStudy({ tasks: ["vt", "cwe"], lengths: [4096, 8192], samples: 500 });
 * const plan = planStudy(await openStudy(study), { template: PLAIN_TEMPLATE });
 * const { tasks, lengths, samples } = searchPlan(plan, { threshold: 85.6 });
 * deepEqual([tasks, lengths, samples], [["vt", "cwe"], [4096, 8192], 500]);
 * ```
 */
export function searchPlan(
  plan: Pick<Plan, "cells" | "tooShort" | "samples" | "first">,
  aim: SearchAim,
): SearchDesign {
  const [misfit] = plan.tooShort;
  if (misfit !== undefined) {
    throw new RangeError(
      `Cannot search for the effective length as every task must fit every length, and ${misfit.task.name} needs ` +
        `${misfit.least} tokens: current value is ${misfit.length}`,
    );
  }
  const tasks = [...new Set(plan.cells.map(({ task }) => task.name))];
  const design = {
    ...aim,
    tasks,
    lengths: plan.cells.map(({ length }) => length),
    samples: plan.samples,
    first: plan.first,
  };
  return { ...design, lengths: checkDesign(design) };
}
