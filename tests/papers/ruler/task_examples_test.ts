import { deepEqual, equal, match, notDeepEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { taskExamples, taskExampleTable } from "@/lib/papers/ruler/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const examples = taskExamples({ materials });
const [single, keys, values, queries, chains, common, frequent, question] = examples;

Deno.test("taskExamples() has the eight tasks of Table 2 with its knobs, and the paper's questions", () => {
  deepEqual(examples.map(({ task }) => /\((.*)\)/.exec(task)?.[1]), [
    ...["S-NIAH", "MK-NIAH", "MV-NIAH", "MQ-NIAH", "VT", "CWE", "FWE", "QA"],
  ]);
  const needle = String.raw`One of the special magic numbers for (\S+) is: (\d{7})\.`;
  const [, key, value] = new RegExp(
    `^\\(essays\\) …… ${needle} …… What is the special magic number for \\1 mentioned in the provided text\\?$`,
  ).exec(single!.example)!;
  ok(key !== undefined);
  equal(single!.answer, value);
  equal(keys!.example.match(new RegExp(needle, "g"))?.length, 2);
  match(keys!.distractors, /^\S+: \d{7}$/);
  match(values!.example, /What are all the special magic numbers for \S+ mentioned in the provided text\?$/);
  for (const { answer } of [values!, queries!]) match(answer, /^\d{7} \d{7}$/);
});

Deno.test("taskExamples() keeps what the answer follows from: chains, counted words, the document", () => {
  const assigned = Array.from(chains!.example.matchAll(/VAR (\w+) = (\w+)/g), ([, name, value]) => [name!, value!]);
  equal(assigned.length, 6);
  const [, asked] = /assigned the value (\d+)/.exec(chains!.example)!;
  const found = [asked!];
  for (const [name, value] of assigned) if (found.includes(value!)) found.push(name!);
  deepEqual(chains!.answer.split(" "), found.slice(1));
  match(common!.example, /^1\. \w+ 2\. .* …… What are the 10 most common words in the above list\?$/);
  equal(common!.answer.split(" ").length, 10);
  ok(!/… …/.test(frequent!.example.split(" …… ")[0]!));
  ok(frequent!.answer.split(" ").some((word) => frequent!.example.includes(word)));
  match(question!.example, /^Document \d+: …… .* …… Document \d+: …… .* Question: .*\?$/);
  ok(question!.example.includes(question!.answer));
});

Deno.test("taskExamples() gives the same for a seed, and others for another", () => {
  deepEqual(taskExamples({ materials, seed: "42" }), examples);
  notDeepEqual(taskExamples({ materials, seed: "7" }), examples);
});

Deno.test("taskExampleTable() shows each whole, and refuses none", () => {
  const { text } = taskExampleTable(examples);
  for (const { example } of examples) ok(text.includes(example), example);
  throws(() => taskExampleTable([]), { name: "RangeError" });
});
