import { match, ok, throws } from "node:assert/strict";
import { publishedScoreRows } from "@/lib/benchmarks/ruler/leaderboard.ts";
import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
import { effectiveLengthTable } from "@/lib/figures/mod.ts";
import { effectiveLengthBoard, RULER_THRESHOLD, type ScoreRow } from "@/lib/statistics/mod.ts";

const OPTIONS = { title: "A finding", origin: "published", n: "6,500" } as const;

Deno.test("effectiveLengthTable() doubts what is not settled: Mixtral's 85.9 at 32K in the paper's Table 3", async () => {
  const { rows } = await openPublished();
  const table3 = rows.filter((row) => row.edition === "v1" && row.table === 3 && row.group === "aligned");
  const board = effectiveLengthBoard(
    table3.map((row) => ({ model: row.model, rows: publishedScoreRows(row), threshold: RULER_THRESHOLD })),
  );
  const { text, note } = effectiveLengthTable(board, OPTIONS);
  match(text, /^Mixtral \(8x7B\) +32K \? +75% +0% +0% +0% +25% +75% +0% +0% +85\.9 at 32K \[85\.0, 86\.7\]$/m);
  match(text, /^LWM \(7B\) +<4K +100% +100% /m);
  match(note, /^Published/);
});

Deno.test("effectiveLengthTable() has dashes, and no NaN, for a model without a score", () => {
  const none: ScoreRow = { task: "vt", length: 4096, n: 0, score: null, low: null, high: null, failed: 9, noAnswer: 0 };
  const { text } = effectiveLengthTable(
    effectiveLengthBoard([{ model: "silent", rows: [none], threshold: 85.6 }]),
    OPTIONS,
  );
  match(text, /^silent +no score \? +– +–$/m);
  ok(!/NaN|undefined/.test(text));
});

Deno.test("effectiveLengthTable() says what each model had to score where that is its own", async () => {
  const { rows } = await openPublished();
  const table3 = rows.filter((row) => row.edition === "v1" && row.table === 3 && row.group === "aligned");
  const board = effectiveLengthBoard(
    table3.map((row) => ({ model: row.model, rows: publishedScoreRows(row), threshold: { share: 0.85 } })),
  );
  match(effectiveLengthTable(board, OPTIONS).text, /^GPT-4 +82\.1 +64K +96% +0% /m);
});

Deno.test("effectiveLengthTable() refuses no rows", () => {
  throws(() => effectiveLengthTable([], OPTIONS), { name: "RangeError" });
});
