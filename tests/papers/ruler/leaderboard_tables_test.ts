import { doesNotMatch, equal, match, ok, throws } from "node:assert/strict";
import { leaderboard } from "@/lib/papers/ruler/leaderboard.ts";
import { leaderboardTable } from "@/lib/papers/ruler/leaderboard_tables.ts";
import {
  disagreements,
  disagreementTable,
  openPublished,
  settledLengths,
  settledTable,
} from "@/lib/papers/ruler/mod.ts";

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

Deno.test("leaderboardTable() marks what reaches the threshold beside the best of each column, in every form", () => {
  const scores = (first: number, second: number) => [{ length: 4096, score: first }, { length: 8192, score: second }];
  const models = [["one", 96, 85.6], ["two", 90, 85.5], ["three", 70, 85.9]] as const;
  const entries = leaderboard(models.map(([model, first, second]) => (
    { model, group: "all", threshold: 85.6, scores: scores(first, second) }
  )));
  const drawn = { title: "Three", origin: "measured", n: 1 } as const;
  const { html, markdown, text, caption } = leaderboardTable(entries, drawn);
  match(html, /<strong><u>96\.0<\/u><\/strong>/);
  match(html, /<u>85\.6<\/u>/);
  equal(html.match(/<u>/g)?.length, 4, "96.0, 90.0, 85.6 and 85.9");
  match(markdown, /\| \*\*<ins>96\.0<\/ins>\*\* \| <ins>85\.6<\/ins> \|/);
  match(text, /^one +– +>8K +96\.0\+\* +85\.6\+ /m);
  match(text, /^two +– +4K +90\.0\+ +85\.5 /m);
  match(caption, /reaches the threshold is underlined/);
  const without = leaderboardTable(entries.map((entry) => ({ ...entry, threshold: null })), drawn);
  doesNotMatch(`${without.html} ${without.caption}`, /<u>|underlined/);
  match(leaderboardTable(entries, { ...drawn, remark: "Three of them." }).caption, /behind them\. Three of them\.$/);
});

Deno.test("disagreementTable() has a row for each place, and refuses none", async () => {
  const places = disagreements(await openPublished()).filter(({ edition }) => edition === "repository");
  const { text, note } = disagreementTable(places, { title: "Six", compared: 44 });
  equal(text.match(/^misprint /gm)?.length, 6);
  match(note, /44 rows compared/);
  throws(() => disagreementTable([], { title: "None", compared: 0 }), { name: "RangeError" });
});
