import { deepEqual, ok } from "node:assert/strict";
import { LEADERBOARD_CLAIMS } from "@/lib/papers/ruler/leaderboard_claims.ts";
import { openPublished, type PublishedRow, type RulerPublished } from "@/lib/papers/ruler/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openPublished();
/** The published tables with another score for one model of Table 3. */
function altered(model: string, length: number, score: number): RulerPublished {
  const change = (row: PublishedRow): PublishedRow =>
    row.edition === "v1" && row.table === 3 && row.model.startsWith(model)
      ? { ...row, scores: row.scores.map((at) => at.length === length ? { length, score } : at) }
      : row;
  return { ...published, rows: published.rows.map(change) };
}

Deno.test.each(
  [
    ["Mixtral misses at 32K", "Mixtral", 32_768, 85.5, ["R1", "R2"]],
    ["Mistral passes at 32K", "Mistral (", 32_768, 90, ["R1", "R2"]],
    ["GPT-4 does not fall", "GPT-4", 131_072, 90, ["R2", "R11"]],
    ["LongChat does better at 128K", "LongChat", 131_072, 80, ["R11"]],
  ] as [string, string, number, number, string[]][],
)("LEADERBOARD_CLAIMS fail where the numbers differ: %s", (_name, model, length, score, failing) => {
  const rows = checkClaims(LEADERBOARD_CLAIMS, altered(model, length, score));
  const failed = rows.filter(({ verdict }) => verdict === "fails").map(({ id }) => id);
  for (const id of failing) ok(failed.includes(id), `${id} holds: ${rows.find((row) => row.id === id)!.observed}`);
});

Deno.test("LEADERBOARD_CLAIMS fail where needles are lost", () => {
  const rows = published.rows.map((row): PublishedRow => {
    if (row.edition !== "v1") return row;
    if (row.table === 10) return { ...row, scores: row.scores.map(({ length }) => ({ length, score: 85 })) };
    return row;
  });
  const failed = checkClaims(LEADERBOARD_CLAIMS, { ...published, rows }).filter(({ verdict }) => verdict === "fails");
  deepEqual(failed.map(({ id }) => id), ["R10"]);
});
