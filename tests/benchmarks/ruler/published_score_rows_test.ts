import { deepEqual, equal, ok } from "node:assert/strict";
import { publishedScoreRows } from "@/lib/benchmarks/ruler/leaderboard.ts";
import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
import { chanceAtLeast, midInterval } from "@/lib/statistics/mod.ts";

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

Deno.test("publishedScoreRows() bounds Yi's 83.2 at 64K by its mean, by its categories, and not yet as its 13 tasks do", async () => {
  const yi = rows.find((row) => row.edition === "v1" && row.table === 3 && row.model.startsWith("Yi"))!;
  const reach = (options: Parameters<typeof publishedScoreRows>[1]): string => {
    const { low, high } = publishedScoreRows(yi, options).find(({ length }) => length === 65_536)!;
    return ((high! - low!) / 2).toFixed(2);
  };
  deepEqual([reach({}), reach({ beside: rows })], ["0.91", "0.84"]);
  const { yiTasks } = await openPublished();
  const shares = yiTasks.filter(({ length }) => length === 65_536).map(({ score }) => score / 100);
  equal(shares.length, 13);
  const variance = shares.reduce((sum, share) => sum + share * (1 - share) / 500, 0);
  equal((100 * 1.96 * Math.sqrt(variance) / 13).toFixed(2), "0.75");
});

Deno.test("publishedScoreRows() never widens an interval by the categories, and leaves single categories as they are", () => {
  for (const row of rows) {
    const [alone, known] = [publishedScoreRows(row), publishedScoreRows(row, { beside: rows })];
    for (const [at, { low, high }] of alone.entries()) {
      const narrowed = known[at]!;
      ok(narrowed.low! >= low! - 1e-9 && narrowed.high! <= high! + 1e-9);
      if (row.category !== "RULER-13") deepEqual(narrowed, alone[at]);
    }
  }
});

Deno.test("publishedScoreRows() shows that Mixtral's 85.9 at 32K passes 85.6 with a chance of about three in four", () => {
  const mixtral = rows.find((row) => row.edition === "v1" && row.table === 3 && row.model.startsWith("Mixtral"))!;
  const at32k = publishedScoreRows(mixtral).find(({ length }) => length === 32_768)!;
  equal(chanceAtLeast(at32k, 85.6).toFixed(2), "0.75");
  const known = publishedScoreRows(mixtral, { beside: rows }).find(({ length }) => length === 32_768)!;
  equal(chanceAtLeast(known, 85.6).toFixed(2), "0.77");
});
