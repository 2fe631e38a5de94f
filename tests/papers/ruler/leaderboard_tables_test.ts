import { equal, match, ok, throws } from "node:assert/strict";
import {
  openPublished,
  rulerLeaderboard,
  rulerLeaderboardTable,
  settledLengths,
  settledTable,
} from "@/lib/papers/ruler/mod.ts";
import type { ScoreRow } from "@/lib/statistics/mod.ts";

Deno.test("settledTable() counts the effective lengths of the paper's tables that the samples settle", async () => {
  const { rows } = await openPublished();
  const counts = settledLengths(rows, "v1");
  const { title, text } = settledTable(counts);
  const [settled, lengths] = [
    counts.reduce((sum, row) => sum + row.settled, 0),
    counts.reduce((sum, row) => sum + row.lengths, 0),
  ];
  match(title, new RegExp(`^${settled} of ${lengths} printed`));
  ok(settled < lengths && settled > lengths / 2);
  match(text, /^Table 3 +RULER-13 +10 +\d/m);
});

Deno.test("settledTable() refuses no rows", () => {
  throws(() => settledTable([]), { name: "RangeError" });
});

Deno.test("rulerLeaderboardTable() marks what reaches the threshold beside the best of each column, in every form", () => {
  const rows = (first: number, second: number): readonly ScoreRow[] =>
    [first, second].map((score, at) => (
      { task: "all", length: 4096 * (1 + at), n: 1, score, low: 0, high: 100, failed: 0, noAnswer: 0 }
    ));
  const models = [["one", 96, 85.6], ["two", 90, 85.5], ["three", 70, 85.9]] as const;
  const board = rulerLeaderboard(
    models.map(([model, first, second]) => (
      { model, origin: "measured", claimedWindow: null, rows: rows(first, second) }
    )),
  );
  const { html, markdown, text, caption } = rulerLeaderboardTable(board, { mean: "all", threshold: "85.6" });
  match(html, /<strong><u>96\.0<\/u><\/strong>/);
  match(html, /<u>85\.6<\/u>/);
  equal(html.match(/<u>/g)?.length, 4, "96.0, 90.0, 85.6 and 85.9");
  match(markdown, /\| \*\*<ins>96\.0<\/ins>\*\* \| <ins>85\.6<\/ins> \|/);
  match(text, /^one +measured +– +>8K +96\.0\+\* +85\.6\+ /m);
  match(text, /^two +measured +– +4K +90\.0\+ +85\.5 /m);
  match(caption, /scores that reach it are underlined/);
});
