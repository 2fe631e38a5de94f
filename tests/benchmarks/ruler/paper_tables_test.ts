import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import {
  benchmarkTable,
  leaderboard,
  leaderboardTable,
  modelTable,
  openPublished,
  thresholdEntries,
} from "@/lib/benchmarks/ruler/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

const published = await openPublished();

function rowsOf(number: number): typeof published.rows {
  return published.rows.filter(({ edition, table }) => edition === "v1" && table === number);
}

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

Deno.test("thresholdEntries() gives Llama2-7B's row of each table: one score, no average, no rank among the others", () => {
  const models = [3, 10, 12, 13, 16].map((number) =>
    thresholdEntries(rowsOf(number), published).map(({ model, scores }) => [model, scores[0]!.score])
  );
  deepEqual(models, [
    [["Llama2-7B (chat)", 85.6]],
    [],
    [["Llama2-7B (base)", 79.4]],
    [["Llama2-7B (chat)", 96.9], ["Llama2-7B (base)", 90.9]],
    [["Llama2-7B (chat)", 49.7], ["Llama2-7B (base)", 48.6]],
  ]);
  const table3 = leaderboard([...thresholdEntries(rowsOf(3), published), ...rowsOf(3)]);
  const { text } = leaderboardTable(table3, { title: "Table 3", origin: "published", n: 500 });
  match(text, /^Llama2-7B \(chat\) +4k +– +85\.6( +–){8}$/m);
  equal(table3.find(({ model }) => model === "GPT-4")?.rankIncreasing, 1);
});

Deno.test("benchmarkTable() and modelTable() say what is theirs: published facts", () => {
  for (const { origins } of [benchmarkTable(published.benchmarks), modelTable(published.models)]) {
    deepEqual(origins, ["published"]);
  }
  throws(() => modelTable([]), { name: "RangeError" });
  ok(published.models.every(({ id }) => id !== ""));
});
