import { listReaders } from "@/lib/benchmarks/mod.ts";
import { deepEqual, ok, throws } from "node:assert/strict";
import { makeSample } from "../../models/_ruler.ts";
import { typicalOutlines } from "@/lib/benchmarks/ruler/expected_score.ts";
import { RULER_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_TASKS } from "@/lib/benchmarks/ruler/ruler.ts";
import { joinPrompt, openProfile, type Outline, recallOf } from "@/lib/models/mod.ts";
import { outlineReading } from "@/lib/models/reading.ts";

Deno.test("RULER_TASKS are the thirteen tasks", () => {
  deepEqual(Object.values(RULER_TASKS).flat().toSorted(), [...RULER_TASK_NAMES].toSorted());
});

function meanExpected(outlines: readonly Outline[], profile: string): number {
  const opened = openProfile(profile);
  return outlines.reduce((sum, outline) => sum + recallOf(outline, opened).expected, 0) / outlines.length;
}

Deno.test("typicalOutlines() are as hard as the samples of each task, give or take 0.06 of the score", () => {
  for (const name of RULER_TASK_NAMES) {
    const task = rulerTask(name);
    for (const length of [4096, 16_384] as const) {
      const read = Array.from({ length: 4 }, (_, index) => {
        const prompt = joinPrompt(makeSample(task, length, index).prompt);
        const reading = listReaders().map(({ recognise }) => recognise(prompt)).find((found) => found !== null)!;
        return outlineReading(reading, length);
      });
      for (const profile of ["gpt-4", "mistral", "lwm"]) {
        const typical = meanExpected(typicalOutlines(name, length), profile);
        const real = meanExpected(read, profile);
        ok(Math.abs(typical - real) < 0.06, `${profile} ${name} ${length}: ${typical} beside ${real}`);
      }
    }
  }
});

Deno.test("typicalOutlines() refuses a task that RULER has not", () => {
  throws(() => typicalOutlines("niah", 4096), {
    name: "RangeError",
    message: /^Cannot outline the task as its name must be one of niah_single_1, .*: current value is "niah"$/,
  });
});
