import { deepEqual, equal, ok } from "node:assert/strict";
import { chanceAtLeast, midInterval, openPublished, publishedScoreRows } from "@/lib/analysis/mod.ts";

const { rows } = await openPublished();

Deno.test("publishedScoreRows() gives passkey scores of 100 the interval of 500 right answers", () => {
  const gpt = rows.find((row) => row.table === 10 && row.model === "GPT-4")!;
  const [first] = publishedScoreRows(gpt);
  const { low } = midInterval(500, 500);
  deepEqual(first, {
    task: "passkey",
    length: 4096,
    n: 500,
    score: 100,
    low: 100 * low,
    high: 100,
    failed: 0,
    noAnswer: 0,
  });
});

Deno.test("publishedScoreRows() counts 13, 8, 1, 2 and 2 tasks of 500 samples, and holds every printed score", () => {
  const samples = new Map([["RULER-13", 6500], ["retrieval", 4000], ["multi_hop_tracing", 500], ["aggregation", 1000], [
    "qa",
    1000,
  ]]);
  for (const row of rows) {
    for (const { n, score, low, high } of publishedScoreRows(row)) {
      equal(n, samples.get(row.category) ?? 500);
      ok(low! <= score! && score! <= high! && low! < high!);
    }
  }
});

Deno.test("publishedScoreRows() shows that Mixtral's 85.9 at 32K passes 85.6 with a chance of about three in four", () => {
  const mixtral = rows.find((row) => row.edition === "v1" && row.table === 3 && row.model.startsWith("Mixtral"))!;
  const at32k = publishedScoreRows(mixtral).find(({ length }) => length === 32_768)!;
  equal(chanceAtLeast(at32k, 85.6).toFixed(2), "0.75");
});
