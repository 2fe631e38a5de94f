import { ok } from "node:assert/strict";
import { LEADERBOARD_CLAIMS } from "@/lib/papers/ruler/leaderboard_claims.ts";
import { openPublished, type PublishedRow, type RulerPublished } from "@/lib/papers/ruler/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openPublished();
const checked = checkClaims(LEADERBOARD_CLAIMS, published);

Deno.test.each(
  [
    ["R1", "GPT-4 93.2, Command-R (35B) 89.5, Yi (34B) 87.5, Mixtral (8x7B) 85.9. The closest is Mixtral"],
    ["R2", "Above: Mixtral (8x7B) (85.9 at 32K)."],
    ["R3", "72.4 at 64K"],
    ["R4", "falls by 15.4"],
    ["R5", "GPT-4 1 and 1, Command-R (35B) 2 and 2, Yi (34B) 3 and 3, Mixtral (8x7B) 4 and 4"],
    ["R6", "number 2 with rising weights and number 2 with falling ones"],
    ["R7", "82.3 at 4K against 85.6; with rising weights it ranks 5, Mistral 7"],
    ["R7-fall", "LWM falls by 17.3 points, Mistral by 79.8: 62.5 more"],
    ["R7-fall", "Of the ten, 2 fall less than LWM: GPT-4, Yi (34B)"],
    ["R8", "Of 85 printed effective lengths, 85 follow"],
    [
      "R9",
      "give all 170 printed values to 0.067; weights 0 to 5 miss by up to 7.6, weights in proportion to tokens by up to 21.4",
    ],
    ["R10", "17 of 20 rows are"],
    ["R10-T10", "12 of 17 score 100 and 15 at least 95"],
    ["R10-T11", "7 of 17 score 100 and 13 at least 95"],
    ["R11", "15.4 to 88.2 points"],
    ["R27", "10 + 7 + 2 + 11 = 30 models"],
    ["R30", "In 102 cells the largest difference is 0.077"],
    ["R30-thresholds", "printed 85.6, implied 87.22"],
  ] as [string, string][],
)("LEADERBOARD_CLAIMS report the numbers behind %s", (id, words) => {
  const claim = checked.find((row) => row.id === id)!;
  ok(claim.observed.includes(words), claim.observed);
});

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
    ["Mixtral misses at 32K", "Mixtral", 32_768, 85.5, ["R1", "R2", "R8"]],
    ["Mistral passes at 32K", "Mistral (", 32_768, 90, ["R1", "R2", "R8", "R9"]],
    ["Mixtral fails at 64K", "Mixtral", 65_536, 20, ["R3", "R9", "R30"]],
    ["Yi does best at 4K", "Yi", 4096, 99, ["R4", "R9", "R30"]],
    ["LWM passes at 4K", "LWM", 4096, 86, ["R7", "R8", "R9", "R30"]],
    ["LWM finds nothing at 128K", "LWM", 131_072, 0, ["R7-fall", "R9", "R30"]],
    ["GPT-4 does not fall", "GPT-4", 131_072, 90, ["R2", "R4", "R8", "R9", "R11", "R30"]],
    ["Mixtral finds nothing at 128K", "Mixtral", 131_072, 0, ["R5", "R9", "R30"]],
    ["LongChat does better at 128K", "LongChat", 131_072, 80, ["R9", "R11", "R30"]],
  ] as [string, string, number, number, string[]][],
)("LEADERBOARD_CLAIMS fail where the numbers differ: %s", (_name, model, length, score, failing) => {
  const rows = checkClaims(LEADERBOARD_CLAIMS, altered(model, length, score));
  const failed = rows.filter(({ verdict }) => verdict === "fails").map(({ id }) => id);
  for (const id of failing) ok(failed.includes(id), `${id} holds: ${rows.find((row) => row.id === id)!.observed}`);
});
