import { listReaders } from "@/lib/benchmarks/registry.ts";
import { deepEqual, ok, throws } from "node:assert/strict";
import { makeSample } from "../../models/_ruler.ts";
import { typicalPrompts } from "@/lib/benchmarks/ruler/expected_score.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_TASK_NAMES, RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import { joinPrompt, openProfile, type PromptFeatures, recallOf } from "@/lib/models/mod.ts";
import { readingFeatures } from "@/lib/models/reading.ts";

Deno.test("RULER_TASKS are the thirteen tasks", () => {
  deepEqual(Object.values(RULER_TASKS).flat().toSorted(), [...RULER_TASK_NAMES].toSorted());
});

function meanExpected(prompts: readonly PromptFeatures[], profile: string): number {
  const opened = openProfile(profile);
  return prompts.reduce((sum, features) => sum + recallOf(features, opened).expected, 0) / prompts.length;
}

Deno.test("typicalPrompts() are as hard as the samples of each task, give or take 0.06 of the score", () => {
  for (const name of RULER_TASK_NAMES) {
    const task = rulerTask(name);
    for (const length of [4096, 16_384] as const) {
      const read = Array.from({ length: 4 }, (_, index) => {
        const prompt = joinPrompt(makeSample(task, length, index).prompt);
        const reading = listReaders().map(({ recognise }) => recognise(prompt)).find((found) => found !== null)!;
        return readingFeatures(reading, length);
      });
      for (const profile of ["gpt-4", "mistral", "lwm"]) {
        const typical = meanExpected(typicalPrompts(name, length), profile);
        const real = meanExpected(read, profile);
        ok(Math.abs(typical - real) < 0.06, `${profile} ${name} ${length}: ${typical} beside ${real}`);
      }
    }
  }
});

Deno.test("typicalPrompts() refuses a task that RULER has not", () => {
  throws(() => typicalPrompts("niah", 4096), {
    name: "RangeError",
    message: /^Cannot describe the task as its name must be one of niah_single_1, .*: current value is "niah"$/,
  });
});
