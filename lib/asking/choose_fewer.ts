import type { ChooseSamples } from "./run_chosen.ts";

/**
 * Returns a chooser for `runStudy` that asks fewer samples of some tasks, such as tasks whose texts take long to make. These tasks are
 * asked first.
 *
 * @param tasks Matches the names of these tasks.
 * @param samples Samples of each of them at each length, up to those of the plan. Range: 1 up.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["vt", "cwe"], lengths: [1024], samples: 3 });
 * const options = { name: "try", model: simulatedModel("ideal"), folder };
 * const { replies } = await runStudy(study, { ...options, choose: chooseFewer(/^cwe$/, 1) });
 * equal(replies.map(({ task }) => task).toSorted().join(), "cwe,vt,vt,vt");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function chooseFewer(tasks: RegExp, samples: number): ChooseSamples {
  return (_asked, plan) => {
    const isFew = plan.cells.map(({ task }) => tasks.test(task.name));
    const cells = [...plan.cells.filter((_, at) => isFew[at]), ...plan.cells.filter((_, at) => !isFew[at])];
    return cells.flatMap(({ task, length }) => {
      const count = tasks.test(task.name) ? Math.min(samples, plan.samples) : plan.samples;
      return Array.from({ length: count }, (_, at) => ({ task: task.name, length, index: plan.first + at }));
    });
  };
}
