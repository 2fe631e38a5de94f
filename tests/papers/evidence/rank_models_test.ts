import { deepEqual, equal, match, throws } from "node:assert/strict";
import { type BoardModel, rankModels, rankTable } from "@/lib/papers/evidence/rank_models.ts";
import type { ScoreRow } from "@/lib/statistics/mod.ts";

/** A model with a score and its interval of 8 points at each length. */
function modelOf(model: string, scores: Readonly<Record<number, number | null>>): BoardModel {
  const rows = Object.entries(scores).map(([length, score]): ScoreRow => ({
    ...{ task: "all", length: Number(length), n: 130, score, failed: 0, noAnswer: 0 },
    low: score === null ? null : score - 4,
    high: score === null ? null : score + 4,
  }));
  return { model, origin: "measured", claimedWindow: 8192, rows };
}

Deno.test("rankModels() averages over the lengths that all have, whatever else a model was asked", () => {
  const one = modelOf("one", { 4096: 90, 8192: 80, 16384: 10 });
  const two = modelOf("two", { 2048: 99, 4096: 80, 8192: 70 });
  const { rows, lengths } = rankModels([two, one]);
  deepEqual(lengths, [4096, 8192]);
  deepEqual(rows.map(({ model, average }) => [model, average?.score, average?.rank]), [["one", 85, 1], ["two", 75, 2]]);
  // Weights 1 and 2 from the shortest, and from the longest.
  deepEqual(
    [rows[0]!.weightedIncreasing!.score, rows[0]!.weightedDecreasing!.score].map((score) => score.toFixed(2)),
    ["83.33", "86.67"],
  );
});

Deno.test("rankModels() gives no average and no rank if a length that counts is missing, and names it", () => {
  const models = [modelOf("short", { 4096: 99, 8192: null }), modelOf("long", { 4096: 80, 8192: 70 })];
  const board = rankModels(models, { lengths: [8192, 4096] });
  deepEqual(board.rows.map(({ model, average, missing }) => [model, average?.rank ?? null, missing]), [
    ["long", 1, []],
    ["short", null, [8192]],
  ]);
  const { caption, text } = rankTable(board, { mean: "all 13 tasks", threshold: "85.6" });
  match(caption, /Not ranked, as these lengths are missing: short \(8K\)\./);
  match(text, /^long +measured +8K +<4K +80\.0 +70\.0\*/m);
  match(text, /^short +measured +8K +>4K +99\.0\+\* +– +– +– +– +130$/m);
  const apart = rankModels([modelOf("a", { 4096: 9 }), modelOf("b", { 8192: 9 })]);
  deepEqual([apart.lengths, apart.rows.map(({ average }) => average)], [[], [null, null]]);
  match(rankTable(apart, { mean: "vt", threshold: "85.6" }).caption, /no length was asked of all models/);
});

Deno.test("rankModels() lists the ranks that the intervals leave open, and ties share a rank", () => {
  const { rows } = rankModels([
    modelOf("a", { 4096: 90 }),
    modelOf("b", { 4096: 89 }),
    // The last digit of a sum is no difference.
    modelOf("c", { 4096: 89 + 1e-12 }),
    modelOf("d", { 4096: 50 }),
  ]);
  deepEqual(rows.map(({ average }) => [average!.rank, ...average!.ranks]), [
    [1, 1, 3],
    [2, 1, 3],
    [2, 1, 3],
    [4, 4, 4],
  ]);
});

Deno.test("rankModels() takes a share of a model's own score as threshold", () => {
  const threshold = { share: 0.85 };
  const effective = (scores: Readonly<Record<number, number>>): string =>
    rankModels([modelOf("one", scores)], { threshold }).rows[0]!.effectiveLength;
  equal(effective({ 4096: 40, 8192: 35, 16384: 30 }), "8K");
  equal(effective({ 4096: 0, 8192: 35 }), "4K scores 0");
});

Deno.test("rankModels() refuses no model, and two of one name", () => {
  for (const [models, shown] of [[[], "none"], [[modelOf("a", {}), modelOf("a", {})], "a, a"]] as const) {
    throws(() => rankModels(models), {
      name: "RangeError",
      message: `Cannot rank models as there must be at least one, with different names: current value is ${shown}`,
    });
  }
});

Deno.test("rankTable() marks what reaches the threshold beside the best of each column, in every form", () => {
  const rows = (first: number, second: number): readonly ScoreRow[] =>
    [first, second].map((score, at) => (
      { task: "all", length: 4096 * (1 + at), n: 1, score, low: 0, high: 100, failed: 0, noAnswer: 0 }
    ));
  const models = [["one", 96, 85.6], ["two", 90, 85.5], ["three", 70, 85.9]] as const;
  const board = rankModels(
    models.map(([model, first, second]) => (
      { model, origin: "measured", claimedWindow: null, rows: rows(first, second) }
    )),
  );
  const { html, markdown, text, caption } = rankTable(board, { mean: "all", threshold: "85.6" });
  match(html, /<strong><u>96\.0<\/u><\/strong>/);
  match(html, /<u>85\.6<\/u>/);
  equal(html.match(/<u>/g)?.length, 4, "96.0, 90.0, 85.6 and 85.9");
  match(markdown, /\| \*\*<ins>96\.0<\/ins>\*\* \| <ins>85\.6<\/ins> \|/);
  match(text, /^one +measured +– +>8K +96\.0\+\* +85\.6\+ /m);
  match(text, /^two +measured +– +4K +90\.0\+ +85\.5 /m);
  match(caption, /scores that reach it are underlined/);
});
