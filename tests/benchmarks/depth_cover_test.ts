import { deepEqual, ok } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";
import { answerAs } from "@/lib/simulated/reader.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";

const IDEAL = openProfile("ideal");
const materials = await openTestMaterials("cl100k_base");

function make(task: Task, index: number): Sample {
  return task.sample({ length: 2048, seed: "cover", index, materials });
}

/** The tasks that go through a grid of depths; CDME's original edition keeps the reference's order. */
const GRIDS = BENCHMARKS.flatMap(({ families }) => families)
  .flatMap((family) => family.tasks.map((name): [string, Task] => [name, family.task(name)]))
  .filter(([name, task]) => !name.startsWith("cdme_original") && make(task, 0).depth !== undefined);

/** Whether a sample's needle stands in the middle third. */
function isMiddle({ depth = 0 }: Sample): boolean {
  return depth > 1 / 3 && depth < 2 / 3;
}

/** The score of a reader that finds everything in the first and the last third, and nothing between. */
function readEnds(sample: Sample, { scorer }: Task): number {
  const { text } = isMiddle(sample) ? { text: "I cannot find it." } : answerAs(IDEAL, sample);
  return scorer.grade(text, sample).score.value!;
}

Deno.test("tasks with a grid of depths are known", () => {
  const names = [
    "threading_single_needle",
    "cdme_zh",
    "cdme_en",
    "cdme_multi_zh",
    "recall_pistachio",
    "recall_thornfield",
  ];
  deepEqual(names.filter((name) => !GRIDS.some(([grid]) => grid === name)), []);
});

Deno.test.each(GRIDS)("ten samples of %s show a reader that loses the middle", (_name, task) => {
  const samples = Array.from({ length: 10 }, (_, index) => make(task, index));
  const lost = samples.filter(isMiddle).length;
  // Of 35 sigmoid depths five stand in the middle third, of even depths a third of them: several needles begin at even depths.
  ok(
    task.name.startsWith("recall") && task.name !== "recall_pizza" ? lost === 1 : lost >= 3 && lost <= 4,
    `${lost} of ten are lost`,
  );
  for (const sample of samples) {
    const score = readEnds(sample, task);
    ok(isMiddle(sample) ? score < 0.5 : score > 0.9, `${score} for ${sample.id}`);
  }
});
