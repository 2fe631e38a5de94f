import { deepEqual, equal, throws } from "node:assert/strict";
import { smallPlan } from "./_fakes.ts";
import { listSamples } from "@/lib/runs/plan.ts";
import { pickSamples } from "@/lib/runs/run_study.ts";

Deno.test("pickSamples() leaves the samples that were named, in their order, and counts them", () => {
  const picked = pickSamples(smallPlan(), [
    { task: "other", length: 1024, index: 2 },
    { task: "sum", length: 512, index: 0 },
  ]);
  deepEqual([...listSamples(picked)].map(({ task, length, index }) => [task.name, length, index]), [
    ["other", 1024, 2],
    ["sum", 512, 0],
  ]);
  equal(picked.questions, 2);
  equal([...listSamples(pickSamples(smallPlan(), []))].length, 0);
});

Deno.test.each([
  [{ task: "nope", length: 512, index: 0 }, "nope, 512 tokens, number 0"],
  [{ task: "sum", length: 2048, index: 0 }, "sum, 2048 tokens, number 0"],
  [{ task: "sum", length: 512, index: 3 }, "sum, 512 tokens, number 3"],
])("pickSamples() refuses %j, which the plan does not have", (name, value) => {
  throws(() => pickSamples(smallPlan(), [name]), {
    name: "RangeError",
    message: `Cannot pick the sample as it must be one of the plan: current value is ${value}`,
  });
});
