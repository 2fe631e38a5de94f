import { deepEqual, throws } from "node:assert/strict";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { checkStudy, openStudy, type Plan, planStudy } from "@/lib/runs/mod.ts";
import { searchPlan } from "@/lib/runs/search_run.ts";

async function plan(lengths: readonly number[]): Promise<Plan> {
  const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths, samples: 40, first: 10 });
  return planStudy(await openStudy(study), { template: PLAIN_TEMPLATE });
}

Deno.test("searchPlan() takes tasks, lengths and samples from the plan, and the aim as given", async () => {
  const aim = { threshold: { share: 0.85 }, rule: "contiguous", errorChance: 0.1 } as const;
  deepEqual(searchPlan(await plan([2048, 1024]), aim), {
    ...aim,
    tasks: ["niah_single_1", "vt"],
    lengths: [1024, 2048],
    samples: 40,
    first: 10,
  });
});

Deno.test("searchPlan() refuses a length that one of the tasks does not fit", async () => {
  const short = await plan([512, 1024]);
  throws(() => searchPlan(short, { threshold: 85.6 }), {
    name: "RangeError",
    message:
      /^Cannot search for the effective length as every task must fit every length, and vt needs \d+ tokens: current value is 512$/,
  });
});

Deno.test("searchPlan() refuses a threshold outside its range", async () => {
  const two = await plan([1024, 2048]);
  throws(() => searchPlan(two, { threshold: 0.856e3 }), {
    name: "RangeError",
    message: "Cannot search for the effective length as threshold must be in (0, 100): current value is 856",
  });
});
