import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

function sampleOf(task: Task, index = 0, length = 4096): Sample {
  return task.sample({ length, seed: "42", index, materials });
}

function orderOf({ facts }: Sample): number {
  return facts.findIndex(({ role }) => role === "target") + 1;
}

Deno.test("requests of three parts have the score of Google DeepMind; another scorer changes the length of the hash alone", () => {
  const task = MRCR_GRAMMAR.task("mrcr_2_needles", { parts: "3" });
  equal(task.scorer.name, "mrcr google");
  const other = MRCR_GRAMMAR.task("mrcr_2_needles", { parts: "3", scorer: "openai" });
  equal(other.scorer.name, "mrcr openai");
  const [google, openai] = [task, other].map((each) => sampleOf(each).references[0]!);
  deepEqual([google!.slice(0, 10), google!.slice(12)], [openai!.slice(0, 10), openai!.slice(10)]);
});

Deno.test("the text that is asked for is of every number and at every depth, unless one is given", () => {
  const samples = Array.from({ length: 50 }, (_, index) => sampleOf(MRCR_GRAMMAR.task("mrcr_4_needles"), index));
  const counts = [1, 2, 3, 4].map((order) => samples.filter((sample) => orderOf(sample) === order).length);
  ok(counts.every((count) => count >= 5), `${counts}`);
  const targets = samples.flatMap(({ facts }) => facts.filter(({ role }) => role === "target"));
  for (const fifth of [0, 0.2, 0.4, 0.6, 0.8]) {
    const inside = targets.filter(({ depth }) => depth! >= fifth && depth! < fifth + 0.2 + 1e-9).length;
    ok(Math.abs(inside - 10) <= 4, `${inside} at ${fifth}`);
  }
  const third = MRCR_GRAMMAR.task("mrcr_4_needles", { asked: 3 });
  ok([0, 1, 2, 3].every((index) => orderOf(sampleOf(third, index)) === 3));
});

Deno.test("texts that are not asked for come anywhere, or never last", () => {
  const lastIsNeedle = (task: Task): boolean[] =>
    Array.from({ length: 12 }, (_, index) => {
      const { facts, prompt: { messages } } = sampleOf(task, index);
      return facts.at(-1)!.text === messages.at(-2)!.text;
    });
  ok(lastIsNeedle(MRCR_GRAMMAR.task("mrcr_2_needles", { ending: "needle" })).every(Boolean));
  ok(lastIsNeedle(MRCR_GRAMMAR.task("mrcr_2_needles")).includes(false));
});

Deno.test("the number of the text is at most that of all texts", () => {
  throws(() => MRCR_GRAMMAR.task("mrcr_2_needles", { asked: 3 }), {
    name: "RangeError",
    message: "Cannot make task mrcr_2_needles as asked must be a whole number from 1 to 2: current value is 3",
  });
});
