import { equal, ok } from "node:assert/strict";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import * as p50k from "gpt-tokenizer/encoding/p50k_base";
import * as r50k from "gpt-tokenizer/encoding/r50k_base";
import { openTestMaterials } from "../../generators/_materials.ts";
import { rulerTask, type RulerTaskName, type Variant } from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Materials, Sample } from "@/lib/generators/mod.ts";
import type { EncodingName } from "@/lib/text/mod.ts";

const TASKS: readonly RulerTaskName[] = RULER_TASK_NAMES.slice(0, 11);

/** A tokenizer that shares no code and no data with the one in use. */
interface Independent {
  readonly countTokens: (text: string) => number;
  readonly clearMergeCache: () => void;
}

const ENCODINGS: readonly (readonly [EncodingName, Independent, Variant])[] = [
  ["cl100k_base", cl100k, "2026"],
  ["o200k_base", o200k, "2024"],
  ["p50k_base", p50k, "paper"],
  ["r50k_base", r50k, "2026"],
];

/** Checks a sample's length; from 4,096 tokens up at least 99% of it are used. */
function checkLength(
  { prompt, promptTokens, answerRoom, task, index }: Sample,
  { length, independent }: { readonly length: number; readonly independent: Independent },
): void {
  // Its cache slows it down once it is full.
  independent.clearMergeCache();
  const counted = independent.countTokens(prompt.user + prompt.answerPrefix);
  const name = `sample ${index} of ${task} at ${length}`;
  equal(promptTokens, counted, name);
  ok(counted + answerRoom <= length, name);
  if (length >= 4096) ok(counted + answerRoom >= 0.99 * length, `${name} has ${counted} tokens`);
}

for (const [encoding, independent, variant] of ENCODINGS) {
  Deno.test(`rulerTask() ${variant} fills lengths up to 32,768 to the token, counted by another ${encoding}`, async () => {
    const materials = await openTestMaterials(encoding);
    for (const name of TASKS) {
      const task = rulerTask(name, { variant });
      const least = task.leastLength(materials);
      for (const [length, samples] of [[512, 4], [1024, 4], [4096, 4], [32_768, 1]] as const) {
        if (length < least) continue;
        for (let index = 0; index < samples; index++) {
          const sample = task.sample({ length, seed: `length ${index}`, index, materials });
          checkLength(sample, { length, independent });
        }
      }
    }
  });
}

for (
  const [length, encoding, independent] of [
    [131_072, "cl100k_base", cl100k],
    [131_072, "o200k_base", o200k],
    [1_000_000, "cl100k_base", cl100k],
  ] as const
) {
  Deno.test(`rulerTask() fills ${length} tokens to the token, counted by another ${encoding}`, async () => {
    const materials = await openTestMaterials(encoding);
    for (const name of TASKS) {
      checkLength(rulerTask(name).sample({ length, seed: "long", index: 5, materials }), { length, independent });
    }
  });
}

Deno.test("rulerTask() fits 512 tokens for all tasks but those with a worked example", async () => {
  const materials: Materials = await openTestMaterials("cl100k_base");
  const tooLong = TASKS.filter((name) => rulerTask(name).leastLength(materials) > 512);
  equal(tooLong.join(), "vt,cwe");
  ok(TASKS.every((name) => rulerTask(name).leastLength(materials) <= 1024));
});
