import {
  benchmarkTable,
  modelTable,
  openPublished,
  taskExamples,
  taskExampleTable,
  taskSettingsTable,
} from "@/lib/papers/ruler/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";
import { deepEqual, equal, match, notDeepEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";

const published = await openPublished();

Deno.test("benchmarkTable() has the nine rows of Table 1, then Fathom", () => {
  const { text } = benchmarkTable(published.benchmarks);
  const marks = ["✓ ✗ ✗", "✓ ✗ ✗", "✓ ✓ ✗", "✓ ✗ ✗", "✓ ✓ ✗", "✓ ✓ ✗", "✗ ✓ ✓", "✗ ✓ ✓", "✓ ✓ ✓", "✓ ✓ ✓"];
  deepEqual(text.match(/[✓✗] +[✓✗] +[✓✗]/gu)?.map((row) => row.replaceAll(/ +/g, " ")), marks);
  match(text, /^InfiniteBench +~200k +hybrid/m);
  match(text, /^Fathom +any +synthetic/m);
});

Deno.test("modelTable() has the 24 rows of Table 4, and the profile that imitates each of eleven", () => {
  const { text } = modelTable(published.models);
  equal(published.models.length, 24);
  for (const { name } of PUBLISHED_PROFILES) equal(text.match(new RegExp(`sim:${name} `, "g"))?.length, 1, name);
  match(text, /^ChatGLM +✓ +6B +128M +THUDM\/chatglm3-6b-128k +sim:chatglm +printed 128M; Table 3 says 128k$/m);
  match(text, /^RWKV +✗ +7B +4K +RWKV\/v5-Eagle-7B-HF +– +–$/m);
});

Deno.test("benchmarkTable() and modelTable() are marked as published", () => {
  for (const { origins } of [benchmarkTable(published.benchmarks), modelTable(published.models)]) {
    deepEqual(origins, ["published"]);
  }
  throws(() => modelTable([]), { name: "RangeError" });
  ok(published.models.every(({ id }) => id !== ""));
});

Deno.test("taskSettingsTable() has the settings of the 13 tasks, and a dash for what a task does not have", () => {
  const { text, title } = taskSettingsTable(published.tasks);
  equal(title, "Table 5 of the RULER paper: the settings of its 13 tasks");
  match(text, /^niah_single_1 +retrieval +S-NIAH Subtask-1 +repeat +words +numbers +1 +1 +1 +– +passkey retrieval$/m);
  match(text, /^niah_multiquery +retrieval +MQ-NIAH +essay +words +numbers +4 +1 +4 +yaml num_needle_k=1; code/m);
  match(text, /^vt +multi-hop tracing +VT( +–){6} +num_chains=1; num_hops=4 +–$/m);
  throws(() => taskSettingsTable([]), { name: "RangeError" });
});

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
