import { match, ok, throws } from "node:assert/strict";
import { comparisonTable } from "@/lib/figures/mod.ts";
import { type ComparedRecord, compareModels } from "@/lib/statistics/mod.ts";

const OPTIONS = { title: "A finding", models: ["one", "other"], origin: "measured" } as const;

function records(task: string, values: readonly (number | null)[]): readonly ComparedRecord[] {
  return values.map((value, index) => (
    { task, length: 4096, value, failed: value === null, noAnswer: false, record: { index, seed: "42" } }
  ));
}

Deno.test("comparisonTable() says which model is higher, by how much, and how p-values are corrected", () => {
  const compared = compareModels(
    [...records("vt", Array(30).fill(1)), ...records("cwe", [1, 0, 1])],
    [...records("vt", Array(30).fill(0)), ...records("cwe", [1, 1, 0])],
    { rows: "tasks" },
  );
  const { text, caption } = comparisonTable(compared, OPTIONS);
  match(text, /^vt +4K +30 +100\.0 +0\.0 +100\.0 \[\d\d\.\d, 100\.0\] +<0\.001 +one is higher$/m);
  match(text, /^cwe +4K +3 +66\.7 +66\.7 +0\.0 \[.*\] +1\.000 +no difference shown$/m);
  match(caption, /P-values corrected for 2 comparisons \(Holm\)/);
});

Deno.test("comparisonTable() says why, and shows no NaN, where all calls of a model failed", () => {
  const compared = compareModels(records("vt", [1, 1]), records("vt", [null, null]), { rows: "tasks" });
  const { text, caption } = comparisonTable(compared, OPTIONS);
  match(
    text,
    /^vt +4K +0 +– +– +– +– +no sample has a score from both models: 2 dropped for failed calls, 0 asked of only one/m,
  );
  match(caption, /2 samples were dropped for failed calls/);
  ok(!/NaN|undefined/.test(text));
});

Deno.test("comparisonTable() refuses no rows", () => {
  throws(() => comparisonTable(compareModels([], []), OPTIONS), { name: "RangeError" });
});
