import type { Plan } from "@/lib/studies/mod.ts";
import type { ChooseSamples } from "./run_chosen.ts";
import type { StudyRun } from "./run_study.ts";
import {
  adaptiveSearch,
  checkDesign,
  type SearchAim,
  type SearchDesign,
  type SearchStep,
} from "@/lib/statistics/mod.ts";

/**
 * Returns a chooser for `runStudy` that lets an adaptive search choose the samples.
 *
 * @throws {RangeError} When called with a plan that cannot be searched.
 *
 * @example A perfect reader is asked at the longest length alone
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
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
 * Returns the state of an adaptive search from the replies of a run.
 *
 * @throws {RangeError} If the plan cannot be searched, or the aim is outside its range.
 */
export function searchRun(run: Pick<StudyRun, "plan" | "replies">, aim: SearchAim): SearchStep {
  const scores = run.replies.map(({ task, length, value, cluster, record }) => ({
    ...{ task, length, value, cluster },
    index: record.index,
  }));
  return adaptiveSearch(scores, searchPlan(run.plan, aim));
}

/**
 * Designs an adaptive search of a plan: its tasks, its lengths, and the limit of samples of each.
 *
 * Every task must fit every length, since a mean over fewer tasks is another quantity.
 */
function searchPlan(plan: Plan, aim: SearchAim): SearchDesign {
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
