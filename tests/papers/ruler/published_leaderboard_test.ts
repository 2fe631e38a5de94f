import { deepEqual, match } from "node:assert/strict";
import { type ComputedRow, recompute } from "./_recomputed.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { type Edition, openPublished } from "@/lib/papers/ruler/published.ts";
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
