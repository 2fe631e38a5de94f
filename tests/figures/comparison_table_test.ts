import { equal, match, throws } from "node:assert/strict";
import { comparisonTable, leaderboardTable, modelTaskTable } from "@/lib/figures/mod.ts";
import { comparePairs, leaderboard, type PairedSample } from "@/lib/statistics/mod.ts";

const MODELS = ["f16", "q4_0"] as const;

function pairs(task: string, baseline: readonly number[], other: readonly number[]): PairedSample[] {
  return baseline.map((score, at) => ({ task, length: 4096, third: null, baseline: score, other: other[at]! }));
}

Deno.test("comparisonTable() says which model is higher, by how much, and how p-values are corrected", () => {
  const { rows, corrected } = comparePairs([
    [...pairs("vt", Array(30).fill(1), Array(30).fill(0)), ...pairs("cwe", [1, 0, 1], [1, 1, 0])],
  ], { by: ["task"] });
  const { title, text, caption } = comparisonTable(rows[0]!, { models: MODELS, corrected, origin: "measured" });
  equal(title, "q4_0 against f16: lower in 1 of 2 comparisons, higher in 0");
  match(text, /^vt +task +30 +100\.0 +0\.0 +-100\.0 \[-100\.0, -\d\d\.\d\] +<0\.001 +f16 is higher$/m);
  match(text, /^cwe +task +3 +66\.7 +66\.7 +0\.0 \[.*\] +1\.000 +no difference shown$/m);
  match(caption, /P-values corrected for 2 comparisons \(Holm\)/);
});

Deno.test("comparisonTable() refuses no rows", () => {
  throws(() => comparisonTable([], { models: MODELS, corrected: "", origin: "measured" }), { name: "RangeError" });
});

Deno.test("leaderboardTable() has a row for each run and a column for each length", () => {
  const records = [1024, 4096].map((length) => ({ task: "vt", length, value: 1, failed: false, noAnswer: false }));
  const { title, text } = leaderboardTable(leaderboard([{ name: "f16", records }]), { origin: "measured" });
  equal(title, "The mean of f16 is 100.0");
  match(text, /^Run +n +All \(%\) +1K \(%\) +4K \(%\)$/m);
  throws(() => leaderboardTable([], { origin: "measured" }), { name: "RangeError" });
});

Deno.test("modelTaskTable() has a row for each model and a dash where a task was not asked", () => {
  const known = { model: "own", task: "search", score: 75, low: 44.4, high: 95.6, n: 4 };
  const bare = { low: null, high: null, n: null };
  const rows = [known, { model: "printed", task: "search", score: 69.7, ...bare }, {
    ...{ ...bare, model: "printed", task: "shuffled", score: 47.3 },
  }];
  const options = { title: "Beside", origin: { own: "measured", printed: "published" } } as const;
  const { text, note } = modelTaskTable(rows, { ...options, label: (task) => task.toUpperCase() });
  match(text, /^Model +SEARCH +SHUFFLED$/m);
  match(text, /^own +75\.0 \[44, 96\] \(4\) +–$/m);
  match(text, /^printed +69\.7 +47\.3$/m);
  match(note, /95% interval over samples/);
  const printed = modelTaskTable(rows.slice(1), { title: "Printed", origin: "published" });
  match(printed.note, /not stated/);
  throws(() => modelTaskTable([], { title: "None", origin: "measured" }), { name: "RangeError" });
});
