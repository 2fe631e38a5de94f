import { deepEqual, equal, ok } from "node:assert/strict";
import { makeSample } from "../models/_ruler.ts";
import { expectedTaskScore, simulatedScore, typicalPrompts } from "./_expected_score.ts";
import { RULER_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import { type PromptFeatures, readAsked, recallOf } from "@/lib/simulated/recall.ts";
import { stream } from "@/lib/random/mod.ts";

function meanExpected(prompts: readonly PromptFeatures[], profile: string): number {
  const opened = openProfile(profile);
  return prompts.reduce((sum, features) => sum + recallOf(features, opened).expected, 0) / prompts.length;
}

Deno.test("typicalPrompts() have the difficulty of the samples of each task, within 0.06 of the score", () => {
  for (const name of RULER_TASK_NAMES) {
    const task = rulerTask(name);
    for (const length of [4096, 16_384] as const) {
      const read = Array.from({ length: 4 }, (_, index) => readAsked(makeSample(task, length, index)).features);
      for (const profile of ["gpt-4", "mistral", "lwm"]) {
        const typical = meanExpected(typicalPrompts(name, length), profile);
        const real = meanExpected(read, profile);
        ok(Math.abs(typical - real) < 0.06, `${profile} ${name} ${length}: ${typical} beside ${real}`);
      }
    }
  }
});

Deno.test("simulatedScore() has the mean of expectedTaskScore(), within four standard errors of 4,000 draws", () => {
  for (const task of RULER_TASK_NAMES) {
    const options = { task, length: 65_536 };
    const score = simulatedScore(openProfile("gpt-4"), options);
    const draw = stream("mean", task);
    const scores = Array.from({ length: 4000 }, () => score(draw));
    const mean = scores.reduce((sum, value) => sum + value, 0) / scores.length;
    const square = scores.reduce((sum, value) => sum + (value - mean) ** 2, 0) / scores.length;
    const miss = Math.abs(mean - expectedTaskScore(openProfile("gpt-4"), options) / 100);
    ok(miss <= 4 * Math.sqrt(square / 4000) + 1e-3, `${task}: ${miss}`);
  }
});

Deno.test("simulatedScore() gives shares of the facts of a sample", () => {
  const valuesOf = (task: string): readonly number[] => {
    const score = simulatedScore(openProfile("lwm"), { task, length: 131_072 });
    const draw = stream("values", task);
    return [...new Set(Array.from({ length: 2000 }, () => score(draw)))].sort((left, right) => left - right);
  };
  deepEqual(valuesOf("qa_1"), [0, 1]);
  deepEqual(valuesOf("niah_multiquery"), [0, 0.25, 0.5, 0.75, 1]);
  // Variables of a chain: the first 0, 1, … of five.
  deepEqual(valuesOf("vt"), [0, 0.2, 0.4, 0.6, 0.8, 1]);
});

Deno.test("simulatedScore() is 1 for the ideal reader, 0 for the mute one and beyond the window", () => {
  const drawn = (profile: string, length: number): number =>
    simulatedScore(openProfile(profile), { task: "vt", length })(stream("s"));
  equal(drawn("ideal", 131_072), 1);
  equal(drawn("mute", 4096), 0);
  equal(drawn("llama2-7b", 131_072), 0);
});
