import { benchmarkTable, modelTable, openPublished, taskSettingsTable } from "@/lib/papers/ruler/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";
import { deepEqual, equal, match, ok, throws } from "node:assert/strict";

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
