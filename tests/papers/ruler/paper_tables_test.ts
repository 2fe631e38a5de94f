import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import {
  benchmarkTable,
  modelTable,
  openPublished,
  publishedTable,
  taskSettingsTable,
} from "@/lib/papers/ruler/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

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

Deno.test("publishedTable() is headed by Llama2-7B: one score, no average, no rank among the others", () => {
  const heads = [3, 10, 12, 13, 16].map((table) =>
    Array.from(
      publishedTable(published, { edition: "v1", table }).text.matchAll(
        /^(Llama2-7B \(\w+\)) +4k +– +([\d.]+)\*?( +–)*$/gm,
      ),
      ([, model, score]) => [model, Number(score)],
    )
  );
  deepEqual(heads, [
    [["Llama2-7B (chat)", 85.6]],
    [],
    [["Llama2-7B (base)", 79.4]],
    [["Llama2-7B (chat)", 96.9], ["Llama2-7B (base)", 90.9]],
    [["Llama2-7B (chat)", 49.7], ["Llama2-7B (base)", 48.6]],
  ]);
  const { text } = publishedTable(published, { edition: "v1", table: 3 });
  match(text, /^Llama2-7B \(chat\) +4k +– +85\.6( +–){8}$/m);
  match(text, /^GPT-4 .* \(1\) +\S+ \(1\)$/m);
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

Deno.test("publishedTable() shows every printed table, Llama2-7B's row at its head", () => {
  for (const edition of ["v1", "v3", "repository"] as const) {
    for (const number of edition === "repository" ? [3] : [3, 10, 11, 12, 13, 14, 15, 16]) {
      const { html } = publishedTable(published, { edition, table: number });
      const ofTable = published.rows.filter(({ edition: of, table }) => of === edition && table === number);
      const heads = published.thresholds.filter(({ category, aligned }) =>
        category === ofTable[0]!.category && ofTable.some(({ group }) =>
          group === (aligned ? "aligned" : "base")
        )
      ).length;
      equal(html.match(/<th scope="row"/g)?.length, ofTable.length + heads, `${edition} ${number}`);
      ok(heads > 0 === html.includes("<u>"), "the single tasks of Tables 10 and 11 have no threshold");
    }
  }
});

Deno.test("publishedTable() ranks the repository's 43 models with all scores, and names the reports behind the others", () => {
  const { text, caption } = publishedTable(published, { edition: "repository" });
  match(text, /^Qwen3-235B-A22B\* \(235B\) +128K +>128K .* 95\.0 +93\.9 \(4\) +96\.2 \(3\)$/m);
  match(text, /^LongAlpaca \(13B\) .*\(43\)$/m);
  match(text, /^EXAONE-4\.0-1\.2B\* \(1\.2B\) +64K +16K .* 77\.4( +–){4}$/m);
  match(caption, /YaRN without further training beyond 32K/);
});

Deno.test("publishedTable() refuses a number that the edition does not have", () => {
  throws(() => publishedTable(published, { edition: "repository", table: 12 }), {
    name: "RangeError",
    message: "Cannot show a published table as its number must be one of 3 in repository: current value is 12",
  });
});
