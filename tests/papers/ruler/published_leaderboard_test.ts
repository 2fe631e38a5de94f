import { deepEqual, equal, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { yiTasks } from "./_printed.ts";
import { type ComputedRow, recompute } from "./_recomputed.ts";
import { rankModels } from "@/lib/reports/leaderboard.ts";
import { type Edition, openPublished, type PublishedRow } from "@/lib/papers/ruler/published.ts";
import {
  publishedBoard,
  publishedModels,
  publishedScoreRows,
  publishedTable,
  windowText,
} from "@/lib/papers/ruler/published_leaderboard.ts";
import { effectiveLength } from "@/lib/statistics/mod.ts";

const published = await openPublished();
const { rows } = published;

/** Rows recomputed; those without a printed rank do not count in that of others; one model has five lengths. */
function computed(edition: Edition): readonly ComputedRow[] {
  const tables = Map.groupBy(
    rows.filter((row) => row.edition === edition),
    ({ table, printed, scores }) => `${table} ${printed.rankIncreasing === null} ${scores.length}`,
  );
  return [...tables.values()].flatMap((table) => recompute(table));
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

/** A row of Table 3 with other scores. */
function rowOf(
  model: string,
  scores: readonly (number | null)[],
  group: PublishedRow["group"] = "aligned",
): PublishedRow {
  const table3 = rows.find((row) => row.edition === "v1" && row.table === 3)!;
  const lengths = Object.freeze(
    scores.flatMap((score, place) => score === null ? [] : [{ length: 4096 * 2 ** place, score }]),
  );
  return { ...table3, model, group, scores: lengths };
}

Deno.test("rankModels() ranks a measured model among published ones, and has no average for one without all scores", () => {
  const table3 = rows.filter((row) => row.edition === "v1" && row.table === 3);
  const table = recompute([
    ...table3,
    rowOf("mine", Array(6).fill(90)),
    rowOf("partial", [null, ...Array(5).fill(90)]),
  ]);
  const mine = table.find(({ model }) => model === "mine")!.computed;
  deepEqual(
    [
      mine.average!.score.toFixed(1),
      mine.weightedIncreasing!.rank,
      mine.weightedDecreasing!.rank,
      mine.effectiveLength,
    ],
    ["90.0", 1, 4, ">128K"],
  );
  const partial = table.find(({ model }) => model === "partial")!.computed;
  deepEqual([partial.average, partial.weightedIncreasing, partial.effectiveLength], [null, null, ">128K"]);
});

Deno.test("rankModels() ranks by unrounded averages: ChatGLM 89.000 before LWM 88.981, both printed 89.0 (RULER, Table 13)", () => {
  deepEqual(rankOf([88.981, 89.0, 97.867]), [3, 2, 1]);
});

Deno.test("recompute() ranks each group by itself and gives ties the better rank", () => {
  const groups = ["aligned", "base", "aligned", "aligned", "base"] as const;
  deepEqual(rankOf([80, 70, 80, 60, null], groups), [1, 1, 1, 3, undefined]);
});

Deno.test("rankModels() does not take the last digit of a sum for a difference", () => {
  deepEqual(rankOf([0.1 + 0.2, 0.3]), [1, 1]);
});

Deno.test("rankModels() ranks models alike in any order", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 });
  fc.assert(fc.property(scores, (values) => {
    const given = rankOf(values);
    deepEqual(rankOf(values.toReversed()), given.toReversed());
    values.forEach((value, place) => equal(given[place], 1 + values.filter((other) => other > value).length));
  }));
});

/** Ranks models with one score each. */
function rankOf(
  scores: readonly (number | null)[],
  groups: readonly PublishedRow["group"][] = [],
): readonly (number | undefined)[] {
  const table = recompute(scores.map((score, place) => rowOf(String(place), [score], groups[place])));
  return table.map(({ computed }) => computed.weightedIncreasing?.rank);
}

/** The averages of one model at 4K, 8K and so on: plain, with rising and with falling weights. */
function averagesOf(scores: readonly (number | null)[]): readonly (number | undefined)[] {
  const row = scores.map((score, place) => (
    { task: "all", length: 4096 * 2 ** place, n: 1, score, low: score, high: score, failed: 0, noAnswer: 0 }
  ));
  const model = { model: "one", origin: "measured", claimedWindow: null, rows: row } as const;
  const [one] = rankModels([model], { lengths: row.map(({ length }) => length) }).rows;
  return [one!.average, one!.weightedIncreasing, one!.weightedDecreasing].map((mean) => mean?.score);
}

Deno.test("rankModels() averages lie between least and greatest, and the two weighted ones average to the plain mean", () => {
  const percents = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(percents, (scores) => {
    const [plain, rising, falling] = averagesOf(scores) as [number, number, number];
    for (const average of [plain, rising, falling]) {
      ok(average >= Math.min(...scores) - 1e-9 && average <= Math.max(...scores) + 1e-9);
    }
    ok(Math.abs((rising + falling) / 2 - plain) < 1e-9);
    ok(Math.abs(averagesOf(scores.toReversed())[1]! - falling) < 1e-9);
  }));
});

Deno.test("rankModels() has no average if a score is missing, never NaN", () => {
  deepEqual(averagesOf([]), [undefined, undefined, undefined]);
  deepEqual(averagesOf([90, null]), [undefined, undefined, undefined]);
});

const printed = rows.filter(({ edition, threshold }) => edition === "v1" && threshold !== null);

Deno.test("publishedBoard() finds the effective lengths that recompute() does, by each table's own threshold", () => {
  const tables = [...Map.groupBy(printed, ({ table }) => table).values()];
  deepEqual(
    tables.flatMap((table) => publishedBoard(table)).map(({ found }) => found),
    tables.flatMap((table) => recompute(table)).map(({ computed }) => computed.effectiveLength),
  );
});

Deno.test("publishedBoard() settles LongLoRA's 8K by its categories, which its mean alone does not", () => {
  const longLora = printed.filter(({ table, model }) => table === 12 && model.startsWith("LongLoRA"));
  const [alone] = publishedBoard(longLora);
  const [known] = publishedBoard(longLora, { beside: rows });
  deepEqual([alone!.found, alone!.range, known!.found, known!.range], ["8K", "4K to 8K", "8K", "8K"]);
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

Deno.test("publishedScoreRows() bounds Yi's 83.2 at 64K by its mean, by its categories, and not yet as its 13 tasks do", () => {
  const yi = rows.find((row) => row.edition === "v1" && row.table === 3 && row.model.startsWith("Yi"))!;
  const reach = (beside: readonly PublishedRow[]): string => {
    const { low, high } = publishedScoreRows(yi, beside).find(({ length }) => length === 65_536)!;
    return ((high! - low!) / 2).toFixed(2);
  };
  deepEqual([reach([]), reach(rows)], ["0.91", "0.84"]);
  const shares = yiTasks.filter(({ length }) => length === 65_536).map(({ score }) => score / 100);
  equal(shares.length, 13);
  const variance = shares.reduce((sum, share) => sum + share * (1 - share) / 500, 0);
  equal((100 * 1.96 * Math.sqrt(variance) / 13).toFixed(2), "0.75");
});

Deno.test("publishedScoreRows() never widens an interval by the categories, and leaves single categories as they are", () => {
  for (const row of rows) {
    const [alone, known] = [publishedScoreRows(row), publishedScoreRows(row, rows)];
    for (const [at, { low, high }] of alone.entries()) {
      const narrowed = known[at]!;
      ok(narrowed.low! >= low! - 1e-9 && narrowed.high! <= high! + 1e-9);
      if (row.category !== "RULER-13") deepEqual(narrowed, alone[at]);
    }
  }
});

Deno.test("publishedTable() shows the repository's leaderboard as printed, and names the reports", () => {
  const { text, caption } = publishedTable(published, { edition: "repository" });
  match(text, /^Qwen3-235B-A22B\* \(235B\) +128K +>128K .* 95\.0( +–){2}$/m);
  match(text, /^Qwen3-14B\* \(14B\) +128K +>128K /m);
  match(text, /^Phi3-mini \(3\.8B\) .* 84\.8 +80\.9 \(\d+\) +88\.7 \(\d+\)$/m);
  match(caption, /YaRN without further training beyond 32K/);
});

Deno.test("windowText() counts the models that keep a score up to their claimed window, and the points lost", () => {
  const table3 = publishedModels(rows.filter((row) => row.edition === "v1" && row.table === 3));
  equal(
    windowText(table3, 85.6),
    "1 of 10 models keeps RULER's level up to the window claimed for it. " +
      "From the shortest length to the longest they lose 15 to 88 points.",
  );
  match(windowText(table3, 70), /^5 of 10 models keep /);
  match(
    windowText(publishedModels([rowOf("mine", [50, 40])]), 85.6),
    /^None of 1 models keep .* lose 10 to 10 points\.$/,
  );
});
