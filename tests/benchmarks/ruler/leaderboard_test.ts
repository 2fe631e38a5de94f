import { deepEqual, equal, ok } from "node:assert/strict";
import { type Edition, leaderboard, openPublished, type PublishedRow } from "@/lib/benchmarks/ruler/mod.ts";
import { effectiveLength } from "@/lib/statistics/mod.ts";

const { rows } = await openPublished();

function computed(edition: Edition): ReturnType<typeof leaderboard<PublishedRow>> {
  const tables = Map.groupBy(rows.filter((row) => row.edition === edition), (row) => row.table);
  return [...tables.values()].flatMap((table) => leaderboard(table));
}

// Printed scores and averages are rounded to a tenth each.
const SLACK = 0.1 + 1e-9;
const EDITIONS = [["v1", 119, 85], ["v3", 168, 120], ["repository", 32, 32]] as const;

for (const [edition, all, weighted] of EDITIONS) {
  Deno.test(`leaderboard() gives all ${all} printed averages within rounding (${edition})`, () => {
    const table = computed(edition);
    equal(table.length, all);
    for (const { average, printed } of table) ok(Math.abs(average! - printed.average) <= SLACK);
  });

  Deno.test(`leaderboard() gives all ${2 * weighted} printed weighted averages within rounding (${edition})`, () => {
    const table = computed(edition).filter(({ printed }) => printed.weightedIncreasing !== null);
    equal(table.length, weighted);
    for (const row of table) {
      ok(Math.abs(row.weightedIncreasing! - row.printed.weightedIncreasing!) <= SLACK);
      ok(Math.abs(row.weightedDecreasing! - row.printed.weightedDecreasing!) <= SLACK);
    }
  });

  Deno.test(`leaderboard() gives all ${2 * weighted} printed ranks (${edition})`, () => {
    const table = computed(edition).filter(({ printed }) => printed.rankIncreasing !== null);
    equal(table.length, weighted);
    for (const row of table) {
      deepEqual(
        [row.rankIncreasing, row.rankDecreasing],
        [row.printed.rankIncreasing, row.printed.rankDecreasing],
        row.model,
      );
    }
  });

  Deno.test(`leaderboard() gives all ${weighted} printed effective lengths, 128K and >128K being one (${edition})`, () => {
    const table = computed(edition).filter(({ printed }) => printed.effectiveLength !== null);
    equal(table.length, weighted);
    for (const { effectiveLength, printed, model } of table) {
      equal(effectiveLength!.replace(">", ""), printed.effectiveLength!.toUpperCase().replace(">", ""), model);
    }
  });
}

Deno.test("effectiveLength() by the strict rule misses one of the 85 printed lengths of v1, by the contiguous rule two", () => {
  const table = computed("v1").filter(({ threshold }) => threshold !== null);
  const misses = (rule: "strict" | "contiguous"): readonly string[] =>
    table.filter(({ scores, threshold, printed }) =>
      effectiveLength(scores, threshold!, { rule }).text.replace(">", "") !== printed.effectiveLength!.toUpperCase()
    ).map((row) => `${row.model} in Table ${row.table}`);
  deepEqual(misses("strict"), ["LongAlpaca (13B) in Table 16"]);
  deepEqual(misses("contiguous"), ["LongLoRA-base (7B) in Table 14", "Mixtral (8x7B) in Table 15"]);
});

Deno.test("leaderboard() puts a measured model among published ones, and gives no average to one that lacks a score", () => {
  const table3 = rows.filter((row) => row.edition === "v1" && row.table === 3);
  const lengths = table3[0]!.scores.map(({ length }) => length);
  const mine = {
    model: "mine",
    group: "aligned",
    threshold: 85.6,
    scores: lengths.map((length) => ({ length, score: 90 })),
  };
  const partial = { ...mine, model: "partial", scores: [...mine.scores.slice(1), { length: 4096, score: null }] };
  const table = leaderboard([...table3, mine, partial]);
  const row = table.find(({ model }) => model === "mine")!;
  deepEqual(
    [row.average?.toFixed(1), row.rankIncreasing, row.rankDecreasing, row.effectiveLength],
    ["90.0", 1, 4, ">128K"],
  );
  const { average, rankIncreasing, effectiveLength: length } = table.find(({ model }) => model === "partial")!;
  deepEqual([average, rankIncreasing, length], [null, null, ">128K"]);
});
