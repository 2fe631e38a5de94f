import { ok } from "node:assert/strict";
import { trueClasses } from "./_mistakes.ts";
import { BAD_READERS } from "./_readers.ts";
import { classesOf, materials } from "./_samples.ts";
import { readSimulated } from "@/lib/benchmarks/mod.ts";
import { THREADING, type ThreadingKind } from "@/lib/benchmarks/needle_threading/mod.ts";
import { joinPrompt, type RunRecord } from "@/lib/models/mod.ts";
import { scoreRecords } from "@/lib/runs/mod.ts";
import { classifyFailure } from "@/lib/statistics/mod.ts";

const KINDS: readonly ThreadingKind[] = [
  "single_needle",
  "multi_needle",
  "conditional_needle",
  "single_thread",
  "multi_thread",
  "branched_thread",
];

Deno.test("classifyFailure() tells all ways of at least 95% of failed replies to Needle Threading, a suite it knows nothing of", () => {
  let [wrong, told] = [0, 0];
  for (const kind of KINDS) {
    const task = THREADING.make({ kind });
    for (let index = 0; index < 4; index++) {
      const sample = task.sample({ length: task.leastLength(materials) + 2000, seed: "failures", index, materials });
      for (const reader of BAD_READERS) {
        const { text, mistakes } = readSimulated(joinPrompt(sample.prompt), reader);
        const reply = { kind: "answer", text, finishReason: "stop", latencyMs: 0, attempts: 1 } as const;
        const { references } = sample;
        const [scored] = scoreRecords([{ references, scoring: task.scorer.name, reply } as unknown as RunRecord]);
        const value = scored!.value!;
        if (value === 1) continue;
        wrong++;
        const classes = classesOf(classifyFailure(sample, { reply, value, scoring: task.scorer.name }));
        // An empty list is as good as nothing.
        const truth = text === "[]" ? ["empty"] : trueClasses(mistakes, task);
        if (classes.join() === truth.join()) told++;
      }
    }
  }
  ok(wrong >= 100);
  ok(told >= 0.95 * wrong, `${told} of ${wrong}`);
});
