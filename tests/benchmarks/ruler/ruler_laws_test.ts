import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { openTestMaterials } from "../../generators/_materials.ts";
import { rulerTask, type RulerTaskName, VARIANTS } from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Materials } from "@/lib/generators/mod.ts";

const TASKS: readonly RulerTaskName[] = RULER_TASK_NAMES.slice(0, 11);
const materials = await openTestMaterials("cl100k_base");

Deno.test("rulerTask() makes a sample alike alone, after others and from freshly opened materials", async () => {
  const fresh = await openTestMaterials("cl100k_base");
  for (const name of TASKS) {
    const [task, length] = [rulerTask(name), 2048];
    const make = (index: number, from: Materials): string =>
      JSON.stringify(task.sample({ length, seed: "alike", index, materials: from }));
    const upwards = [0, 1, 2, 3].map((index) => make(index, materials));
    const downwards = [3, 2, 1, 0].map((index) => make(index, fresh)).toReversed();
    deepEqual(upwards, downwards);
    equal(new Set(upwards).size, 4);
  }
});

Deno.test("rulerTask() makes other samples for other seeds, lengths and variants", () => {
  for (const name of TASKS) {
    const hashes = [
      ["a", 2048, "2026"],
      ["b", 2048, "2026"],
      ["a", 2047, "2026"],
      ["a", 2048, "2024"],
      ["a", 2048, "paper"],
    ].map(([seed, length, variant]) =>
      rulerTask(name, { variant: variant as "2026" }).sample({
        length: length as number,
        seed: seed as string,
        index: 0,
        materials,
      })
    );
    equal(new Set(hashes.map(({ id }) => id)).size, 5);
    equal(new Set(hashes.map(({ sha256 }) => sha256)).size, 5, name);
  }
});

Deno.test("rulerTask() fits any length from the least one up, for any seed", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TASKS), fc.constantFrom(...VARIANTS), fc.nat(3000), fc.string(), (
      name,
      variant,
      more,
      seed,
    ) => {
      const task = rulerTask(name, { variant });
      const length = task.leastLength(materials) + more;
      const { promptTokens, prompt } = task.sample({ length, seed, index: 0, materials });
      equal(promptTokens, materials.tokenizer.count(prompt.user + prompt.answerPrefix));
      ok(promptTokens + task.answerRoom <= length);
    }),
    { numRuns: 300, seed: 1 },
  );
});

for (const name of TASKS) {
  Deno.test(`rulerTask("${name}") refuses a length below its least one, which works for many samples`, () => {
    for (const variant of VARIANTS) {
      const task = rulerTask(name, { variant });
      const least = task.leastLength(materials);
      throws(() => task.sample({ length: least - 1, seed: "least", index: 0, materials }), {
        name: "RangeError",
        message: `Cannot generate ${name} as length must be at least ${least} tokens: current value is ${least - 1}`,
      });
      for (let index = 0; index < 150; index++) {
        const { promptTokens, answerRoom } = task.sample({ length: least, seed: "least", index, materials });
        ok(promptTokens + answerRoom <= least);
      }
    }
  });
}

Deno.test("rulerTask() holds every reference in the prompt, and no reference twice", () => {
  for (const name of TASKS) {
    for (let index = 0; index < 20; index++) {
      const { prompt, references } = rulerTask(name).sample({ length: 2048, seed: "held", index, materials });
      ok(references.every((reference) => prompt.user.includes(reference)));
      equal(new Set(references).size, references.length);
    }
  }
});

Deno.test("rulerTask() hides asked needles evenly over the context in any 20 samples in a row", () => {
  for (const name of TASKS.filter((task) => task.startsWith("niah"))) {
    const depths = Array.from({ length: 40 }, (_, index) => {
      const { facts } = rulerTask(name).sample({ length: 8192, seed: "depths", index, materials });
      return facts.filter(({ role }) => role === "target").map(({ depth }) => depth!);
    });
    for (let first = 0; first + 20 <= depths.length; first++) {
      const sorted = depths.slice(first, first + 20).flat().sort((left, right) => left - right);
      const miss = Math.max(...sorted.map((depth, rank) => Math.abs(depth - (rank + 0.5) / sorted.length)));
      // Twenty random depths miss by about 0.2 somewhere.
      ok(miss < 0.12, `${name} from sample ${first} misses by ${miss}`);
    }
  }
});
