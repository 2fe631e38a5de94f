import { equal, match, throws } from "node:assert/strict";
import {
  changeSentence,
  comparisonTable,
  effectiveLengthTable,
  modelTaskTable,
  searchTable,
} from "@/lib/figures/mod.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import {
  type BoardRow,
  comparePairs,
  effectiveLengthBoard,
  type PairedSample,
  RULER_THRESHOLD,
  searchWith,
} from "@/lib/statistics/mod.ts";

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
  match(text, /^cwe +task +3 +66\.7 +66\.7 +0\.0 +1\.000 +about these 3 texts only$/m);
  match(caption, /P-values corrected for 2 comparisons \(Holm\)/);
});

Deno.test("changeSentence() says what each run loses or gains, or that no difference is shown", () => {
  const q8 = { name: "an 8-bit cache", difference: -1.55, low: -3.7, high: 0.52, higher: null };
  const q4 = { name: "a 4-bit cache", difference: -19.3, low: -23.3, high: -15.3, higher: "baseline" } as const;
  equal(
    changeSentence([q8, q4]),
    "An 8-bit cache shows no loss (−1.6 points [−3.7, 0.5]); a 4-bit cache costs 19.3 points [15.3, 23.3].",
  );
  equal(
    changeSentence([q8, q4], { withIntervals: false }),
    "An 8-bit cache shows no loss; a 4-bit cache costs 19.3 points.",
  );
  const better = { name: "run-2", difference: 4, low: 1, high: 7, higher: "other" } as const;
  const same = { name: "run-3", difference: 0.4, low: -2, high: 2.8, higher: null };
  equal(
    changeSentence([better, same]),
    "run-2 gains 4.0 points [1.0, 7.0]; run-3 shows no difference (0.4 points [−2.0, 2.8]).",
  );
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
  match(text, /^own +75\.0 \(4\) +–$/m);
  match(text, /^printed +69\.7 +47\.3$/m);
  match(note, /95% interval in brackets; a result without one is about these 4 texts only/);
  const printed = modelTaskTable(rows.slice(1), { title: "Printed", origin: "published" });
  match(printed.note, /not stated/);
  throws(() => modelTaskTable([], { title: "None", origin: "measured" }), { name: "RangeError" });
});

const OPTIONS = { title: "A finding", origin: "published", n: "6,500" } as const;

/** The board of the aligned models of the RULER paper's Table 3. */
async function boardOfTable3(threshold: number | { readonly share: number }): Promise<readonly BoardRow[]> {
  const { rows } = await openPublished();
  const table3 = rows.filter((row) => row.edition === "v1" && row.table === 3);
  return effectiveLengthBoard(table3.map((row) => ({ model: row.model, rows: row.scores, threshold })));
}

Deno.test("effectiveLengthTable() shows what the scores do not exclude: Mixtral's 85.9 at 32K in the paper's Table 3", async () => {
  const board = await boardOfTable3(RULER_THRESHOLD);
  const { text, note } = effectiveLengthTable(board, OPTIONS);
  match(text, /^Mixtral \(8x7B\) +32K +16K to 32K +85\.9 at 32K \[85\.1, 86\.7\]$/m);
  match(text, /^LWM \(7B\) +<4K +<4K +\d/m);
  match(note, /^Published/);
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
