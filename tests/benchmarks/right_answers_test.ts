import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { BENCHMARKS, findFamily, listFamilies, rightAnswers } from "@/lib/benchmarks/mod.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

function make(task: Task, index = 1): Sample {
  const length = Math.max(2048, task.leastLength(materials));
  return task.sample({ length, seed: "right", index, materials });
}

const taskOf = (name: string): Task => findFamily(name, BENCHMARKS)!.task(name);

for (const family of listFamilies().filter(({ tasks }) => tasks.length > 0)) {
  Deno.test(`rightAnswers() of ${family.name} score 1 by the task's own scorer, and their parts are references`, () => {
    for (const task of family.tasks.map((name) => family.task(name))) {
      const sample = make(task);
      for (const { text, parts } of rightAnswers(sample, task.scorer)) {
        equal(task.scorer.grade(text, sample).score.value, 1, `${task.name}: ${text}`);
        ok(parts.length > 0);
        const stretches = parts.map(([from, to]) => text.slice(from, to));
        ok(stretches.every((part) => part === text || sample.references.includes(part)), `${task.name}: ${stretches}`);
        deepEqual(parts.flat(), parts.flat().toSorted((left, right) => left - right), "parts do not overlap");
      }
    }
  });
}

Deno.test("rightAnswers() lists the values of one key in the order of the text", () => {
  const task = taskOf("niah_multivalue");
  const sample = make(task);
  const byDepth = sample.facts.filter(({ role }) => role === "target")
    .toSorted((left, right) => left.depth! - right.depth!).map(({ value }) => value);
  const [{ text, parts }] = rightAnswers(sample, task.scorer) as [ReturnType<typeof rightAnswers>[number]];
  equal(text, byDepth.join(", "));
  deepEqual(parts.map(([from, to]) => text.slice(from, to)), byDepth);
});

Deno.test("rightAnswers() lists the values of several keys in the order of the question", () => {
  const task = taskOf("niah_multiquery");
  const sample = make(task);
  equal(rightAnswers(sample, task.scorer)[0]!.text, sample.references.join(", "));
});

Deno.test("rightAnswers() has an answer for each reference where any is right, eight at most", () => {
  const task = taskOf("qa_1");
  const sample = make(task);
  deepEqual(rightAnswers(sample, task.scorer).map(({ text }) => text), sample.references);
  const references = Array.from({ length: 20 }, (_, at) => `answer ${at}`);
  equal(rightAnswers({ ...sample, references }, { contains: "any" }).length, 8);
  deepEqual(rightAnswers({ ...sample, references: [] }, { contains: "any" }), []);
});
