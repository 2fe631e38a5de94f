import { deepEqual, equal, match } from "node:assert/strict";
import fc from "fast-check";
import { type ComputedRow, recompute } from "./_recomputed.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { type Edition, openPublished, type PublishedRow } from "@/lib/papers/ruler/published.ts";
import { publishedBoard, publishedTable } from "@/lib/papers/ruler/published_leaderboard.ts";
import { effectiveLength } from "@/lib/statistics/mod.ts";

const published = await openPublished();
const { rows } = published;

/** Rows recomputed; those without a printed rank do not count in that of others; one model has five lengths. */
function computed(edition: Edition): readonly ComputedRow[] {
  const tables = Map.groupBy(
    rows.filter((row) => row.edition === edition),
    ({ table, rankIncreasing, scores }) => `${table} ${rankIncreasing === null} ${scores.length}`,
  );
  return [...tables.values()].flatMap((table) => recompute(table));
}

Deno.test("effectiveLength() by the strict rule misses one of the 85 printed lengths of v1, by the contiguous rule two", () => {
  const table = computed("v1").filter(({ threshold }) => threshold !== null);
  const misses = (rule: "strict" | "contiguous"): readonly string[] =>
    table.filter(({ scores, threshold, effectiveLength: printed }) =>
      effectiveLength(scores, threshold!, { rule }).text.replace(">", "") !== printed!.toUpperCase()
    ).map((row) => `${row.model} in Table ${row.table}`);
  deepEqual(misses("strict"), ["LongAlpaca (13B) in Table 16"]);
  deepEqual(misses("contiguous"), ["LongLoRA-base (7B) in Table 14", "Mixtral (8x7B) in Table 15"]);
});

/** A row of Table 3 with other scores. */
function rowOf(model: string, scores: readonly (number | null)[], aligned = true): PublishedRow {
  const table3 = rows.find((row) => row.edition === "v1" && row.table === 3)!;
  const cells = scores.flatMap((score, place) =>
    score === null ? [] : [{ ...table3.scores[0]!, length: 4096 * 2 ** place, score, low: score, high: score }]
  );
  return { ...table3, model, aligned, scores: Object.freeze(cells) };
}

Deno.test("rankModels() ranks by unrounded averages: ChatGLM 89.000 before LWM 88.981, both printed 89.0 (RULER, Table 13)", () => {
  deepEqual(rankOf([88.981, 89.0, 97.867]), [3, 2, 1]);
});

Deno.test("recompute() ranks each group by itself and gives ties the better rank", () => {
  deepEqual(rankOf([80, 70, 80, 60, null], [true, false, true, true, false]), [1, 1, 1, 3, undefined]);
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
  aligned: readonly boolean[] = [],
): readonly (number | undefined)[] {
  const table = recompute(scores.map((score, place) => rowOf(String(place), [score], aligned[place])));
  return table.map(({ computed }) => computed.weightedIncreasing?.rank);
}

const printed = rows.filter(({ edition, threshold }) => edition === "v1" && threshold !== null);

Deno.test("publishedBoard() finds the effective lengths that recompute() does, by each table's own threshold", () => {
  const tables = [...Map.groupBy(printed, ({ table }) => table).values()];
  deepEqual(
    tables.flatMap((table) => publishedBoard(table)).map(({ found }) => found),
    tables.flatMap((table) => recompute(table)).map(({ computed }) => computed.effectiveLength),
  );
});

Deno.test("publishedBoard() settles LongLoRA's 8K by its categories, which its mean alone does not", async () => {
  const [longLora] = printed.filter(({ table, model }) => table === 12 && model.startsWith("LongLoRA"));
  const wide = (await openEvidence("ruler")).filter(({ source, model }) =>
    source === longLora!.source && model === longLora!.model
  );
  const alone = longLora!.scores.map((row) => {
    const { low, high } = wide.find(({ length }) => length === row.length)!;
    return { ...row, low: low!, high: high! };
  });
  const board = publishedBoard([{ ...longLora!, scores: alone }, longLora!]);
  deepEqual(board.map(({ found, range }) => [found, range]), [["8K", "4K to 8K"], ["8K", "8K"]]);
});

Deno.test("publishedTable() shows the repository's leaderboard as printed, and names the reports", () => {
  const { text, caption } = publishedTable(published, { edition: "repository" });
  match(text, /^Qwen3-235B-A22B\* \(235B\) +128K +>128K .* 95\.0( +–){2}$/m);
  match(text, /^Qwen3-14B\* \(14B\) +128K +>128K /m);
  match(text, /^Phi3-mini \(3\.8B\) .* 84\.8 +80\.9 \(\d+\) +88\.7 \(\d+\)$/m);
  match(caption, /YaRN without further training beyond 32K/);
});
