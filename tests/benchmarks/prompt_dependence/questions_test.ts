import { deepEqual, equal, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import type { GivenKnobs, Task } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("each needle of several questions goes through all depths, and each context, or each round of depths, has one text", () => {
  const [own, task] = (["own", "shared"] as const).map((texts) =>
    PROMPT_RECALL.task("recall_pistachio", { questions: 3, depths: 6, texts })
  ) as [Task, Task];
  const samples = Array.from(
    { length: 21 },
    (_, index) => task.sample({ length: 2048, seed: "depths", index, materials }),
  );
  for (const question of [0, 1, 2]) {
    const depths = samples.slice(0, 18).filter((_, index) => index % 3 === question).map(({ depth }) => depth);
    equal(new Set(depths).size, 6);
    equal(new Set(samples.slice(3 * question, 3 * question + 3).map(({ depth }) => depth)).size, 3);
  }
  const clusters = samples.map(({ cluster }) => cluster);
  deepEqual([new Set(clusters.slice(0, 18)).size, new Set(clusters).size], [1, 2]);
  equal(new Set(samples.map(({ index }) => own.clusterOf!({ seed: "depths", length: 2048, index }))).size, 7);
  deepEqual(clusters, samples.map(({ index }) => task.clusterOf!({ seed: "depths", length: 2048, index })));
});

Deno.test.each(
  [
    [{ questions: 4 }, 3, 4],
    [{ questions: 2, document: "none" }, 1, 2],
    [{ questions: 2, needle: "The lamp is red.", question: "Which colour has the lamp?" }, 1, 2],
  ] as [GivenKnobs<typeof PROMPT_RECALL.knobs>, number, number][],
)("prompt recall refuses %o, as it has no other needles", (knobs, most, value) => {
  const wanted = `questions must be a whole number from 1 to ${most}: current value is ${value}`;
  throws(() => PROMPT_RECALL.make(knobs), {
    name: "RangeError",
    message: `Cannot make task prompt_recall as ${wanted}`,
  });
});
