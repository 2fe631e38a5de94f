import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "./_materials.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Sample, splitPrompt, userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

function make(sampleOf: ReturnType<typeof rulerTask>): Sample {
  const length = Math.max(2048, sampleOf.leastLength(materials));
  return sampleOf.sample({ length, seed: "split", index: 1, materials });
}

for (const family of listFamilies()) {
  Deno.test(`splitPrompt() splits every task of ${family.name} without losing a character`, () => {
    for (const name of family.tasks) {
      const sample = make(family.task(name));
      const split = splitPrompt(sample);
      // Several messages, or a text to copy after the instruction, have no question at the end.
      if (sample.prompt.messages.length > 1 || !family.task(name).words(materials).after?.trim()) {
        equal(split, null);
        continue;
      }
      const { context, question, answerPrefix } = split!;
      equal(context + question + answerPrefix, userText(sample.prompt) + (sample.prompt.answerPrefix ?? ""), name);
      ok(!/^\s|^$/.test(question) && !/^\s/.test(answerPrefix), name);
      // The targets are in the context, and the words of the question are not the context's.
      const targets = sample.facts.filter(({ role, depth }) => role === "target" && depth !== null);
      ok(targets.every(({ text }) => context.includes(text)), name);
      ok(question.length < 4_000, name);
    }
  });
}

Deno.test("splitPrompt() puts the white space after a part into it", () => {
  const { context, question, answerPrefix } = splitPrompt(make(rulerTask("qa_1")))!;
  ok(context.endsWith("\n"));
  ok(/^Answer the question based on the given documents\. .*\? $/s.test(question), question);
  equal(answerPrefix, "Answer:");
});

Deno.test("splitPrompt() returns null for a sample whose layout is not known, and leaves its JSON as it is", () => {
  const sample = make(rulerTask("vt"));
  const copy = JSON.parse(JSON.stringify(sample)) as Sample;
  equal(splitPrompt(copy), null);
  deepEqual(Object.keys(copy), Object.keys(sample));
  ok(!("layout" in copy));
});
