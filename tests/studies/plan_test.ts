import { deepEqual, equal, match, throws } from "node:assert/strict";
import { type PlanParts, planTasks, smallPlan, sumTask } from "../asking/_fakes.ts";
import { budgetNotes } from "@/lib/studies/mod.ts";
import { listSamples, repeatNotes } from "@/lib/studies/plan.ts";

const options = { tasks: [sumTask()], lengths: [512], samples: 2 };

Deno.test("planStudy() asks the shortest first, then task by task, then sample by sample", () => {
  const plan = smallPlan({ lengths: [1024, 512], samples: 2 });
  deepEqual(
    [...listSamples(plan)].map(({ task, length, index }) => [length, task.name, index]),
    [
      ...[[512, "sum", 0], [512, "sum", 1], [512, "other", 0], [512, "other", 1]],
      ...[[1024, "sum", 0], [1024, "sum", 1], [1024, "other", 0], [1024, "other", 1]],
    ],
  );
  equal(plan.questions, 8);
});

Deno.test("planStudy() names the lengths that are too short for a task and leaves them out", () => {
  const tasks = [sumTask(), sumTask({ name: "large", least: 600 })];
  const plan = planTasks({ ...options, tasks, lengths: [512, 1024] });
  deepEqual(plan.tooShort.map(({ task, length, least }) => [task.name, length, least]), [["large", 512, 600]]);
  deepEqual(planTasks({ ...options, tasks, lengths: [599, 600] }).tooShort.map(({ length }) => length), [599]);
  equal(plan.questions, 6);
  equal([...listSamples(plan)].length, plan.questions);
});

Deno.test.each(
  [
    [
      "a server at temperature 0",
      "measured",
      { temperature: 0 },
      3,
      /^each sample is asked 3 times at temperature 0: /,
    ],
    [
      "the simulated reader",
      "simulated",
      {},
      2,
      /^each sample is asked 2 times, and the simulated reader gives the same/,
    ],
    ["one time", "measured", { temperature: 0 }, 1, /^$/],
  ] as [string, "measured" | "simulated", Record<string, number>, number, RegExp][],
)("repeatNotes() warns where repeats can hardly differ: %s", (_name, origin, settings, repeats, wanted) => {
  match(repeatNotes({ repeats }, { origin, settings }).join(), wanted);
});

Deno.test.each(
  [
    ["no task", { tasks: [] }, "Cannot plan the run as tasks must be at least one: current value is 0"],
    [
      "a task twice",
      { tasks: [sumTask(), sumTask()] },
      'Cannot plan the run as each task must have a name of its own: current value is "sum" twice',
    ],
    ["lengths that no task fits", {
      tasks: [sumTask({ name: "large", least: 900 }), sumTask({ least: 600 })],
      lengths: [256, 512],
    }, "Cannot plan the run as a length must be at least 600 tokens, the least of sum: current value is 256, 512"],
  ] as [string, Partial<PlanParts>, string][],
)("planStudy() refuses %s", (_name, changes, message) => {
  throws(() => planTasks({ ...options, ...changes }), { name: "RangeError", message });
});

Deno.test("budgetNotes() states how far an output budget above the answer room passes the length, and else nothing", () => {
  deepEqual(budgetNotes(smallPlan(), { maxTokens: 100 }), [
    "an answer may have 100 tokens and samples leave as few as 16 for it: prompt and answer together can be up to 84 tokens above a length",
  ]);
  for (const settings of [{ maxTokens: 16 }, { maxTokens: "answer room" }, {}]) {
    deepEqual(budgetNotes(smallPlan(), settings), []);
  }
});

Deno.test("planStudy() asks fewer samples at the lengths with fewer, the same as it would ask first", () => {
  const parts = { tasks: [sumTask(), sumTask({ name: "other" })], lengths: [512, 1024], samples: 3 };
  const plan = planTasks({ ...parts, first: 5, samplesAt: { 1024: 1 } });
  equal(plan.questions, 8);
  deepEqual(
    [...listSamples(plan)].filter(({ length }) => length === 1024).map(({ task, index }) => [task.name, index]),
    [["sum", 5], ["other", 5]],
  );
});
