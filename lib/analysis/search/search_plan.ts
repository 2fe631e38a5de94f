import type { Plan } from "@/lib/runs/mod.ts";
import { checkDesign, type SearchDesign } from "./search_design.ts";

/** What a search looks for; the rest of its design is the plan's. */
export type SearchAim = Pick<SearchDesign, "threshold" | "rule" | "errorChance">;

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
 * import { BASE_FRAME } from "@/lib/generators/mod.ts";
 * import { checkStudy, openStudy, planStudy } from "@/lib/runs/mod.ts";
 *
 * const study = checkStudy({ tasks: ["vt", "cwe"], lengths: [4096, 8192], samples: 500 });
 * const plan = planStudy(await openStudy(study), { frame: BASE_FRAME });
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
