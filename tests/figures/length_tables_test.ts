import { match, ok, throws } from "node:assert/strict";
import { publishedScoreRows } from "@/lib/papers/ruler/published_leaderboard.ts";
import { openPublished } from "@/lib/papers/ruler/mod.ts";
import { effectiveLengthTable, searchTable } from "@/lib/figures/mod.ts";
import {
  type BoardRow,
  effectiveLengthBoard,
  RULER_THRESHOLD,
  type ScoreRow,
  searchWith,
} from "@/lib/statistics/mod.ts";

const OPTIONS = { title: "A finding", origin: "published", n: "6,500" } as const;

/** The board of the aligned models of the RULER paper's Table 3. */
async function boardOfTable3(threshold: number | { readonly share: number }): Promise<readonly BoardRow[]> {
  const { rows } = await openPublished();
  const table3 = rows.filter((row) => row.edition === "v1" && row.table === 3 && row.group === "aligned");
  return effectiveLengthBoard(table3.map((row) => ({ model: row.model, rows: publishedScoreRows(row), threshold })));
}

Deno.test("effectiveLengthTable() shows what the scores do not exclude: Mixtral's 85.9 at 32K in the paper's Table 3", async () => {
  const board = await boardOfTable3(RULER_THRESHOLD);
  const { text, note } = effectiveLengthTable(board, OPTIONS);
  match(text, /^Mixtral \(8x7B\) +32K +16K to 32K +85\.9 at 32K \[85\.0, 86\.7\]$/m);
  match(text, /^LWM \(7B\) +<4K +<4K +\d/m);
  match(note, /^Published/);
});

Deno.test("effectiveLengthTable() has dashes, and no NaN, for a model without a score", () => {
  const none: ScoreRow = { task: "vt", length: 4096, n: 0, score: null, low: null, high: null, failed: 9, noAnswer: 0 };
  const { text } = effectiveLengthTable(
    effectiveLengthBoard([{ model: "silent", rows: [none], threshold: 85.6 }]),
    OPTIONS,
  );
  match(text, /^silent +no score +– +–$/m);
  ok(!/NaN|undefined/.test(text));
});

Deno.test("effectiveLengthTable() shows each model's threshold if they differ", async () => {
  const board = await boardOfTable3({ share: 0.85 });
  match(effectiveLengthTable(board, OPTIONS).text, /^GPT-4 +82\.1 +64K +64K +81\.2 at 128K /m);
});

Deno.test("effectiveLengthTable() refuses no rows", () => {
  throws(() => effectiveLengthTable([], OPTIONS), { name: "RangeError" });
});

const SEARCH_OPTIONS = { title: "Found", origin: "simulated" } as const;
const DESIGN = { tasks: ["vt"], lengths: [4096, 8192, 16_384], samples: 60, threshold: 85.6 };

Deno.test("searchTable() shows for each length its score, its verdict, and whether it was needed", () => {
  const { lengths } = searchWith(({ length, index }) => length > 8192 ? 0 : Number(index % 8 > 0), DESIGN);
  const { text, note } = searchTable(lengths, SEARCH_OPTIONS);
  match(text, /^4K +0 +– +85\.6 +not needed$/m);
  match(text, /^8K +60 +86\.7 \[\d+\.\d, \d+\.\d] +85\.6 +passes, by the mean of all samples alone$/m);
  match(text, /^16K +\d+ +0\.0 \[0\.0, \d\d\.\d\] +85\.6 +falls short$/m);
  match(note, /^Simulated/i);
});

Deno.test("searchTable() has dashes, and no NaN, where no call succeeded", () => {
  const { lengths } = searchWith(() => null, DESIGN);
  ok(!/NaN|undefined/.test(searchTable(lengths, SEARCH_OPTIONS).text));
});

Deno.test("searchTable() refuses no lengths", () => {
  throws(() => searchTable([], SEARCH_OPTIONS), { name: "RangeError" });
});
