import type { ChooseSamples, StudyRun } from "@/lib/runs/mod.ts";
import { adaptiveSearch, type SearchStep } from "./adaptive_search.ts";
import { type SearchAim, searchPlan } from "./search_plan.ts";

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
 * import { searchRun } from "@/lib/analysis/mod.ts";
 * import { simulatedModel } from "@/lib/models/mod.ts";
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
