import { deepEqual, equal } from "node:assert/strict";
import { comparePairs, type PairedSample } from "@/lib/statistics/mod.ts";

function pair(baseline: number, other: number, changes: Partial<PairedSample> = {}): PairedSample {
  return { task: "vt", length: 4096, third: null, baseline, other, ...changes };
}

Deno.test("comparePairs() has rows for all samples, lengths, tasks and thirds, and no row without samples", () => {
  const pairs = [
    ...Array(6).fill(pair(1, 0, { third: "first" })),
    ...Array(6).fill(pair(1, 1, { task: "cwe", length: 1024 })),
  ];
  const { rows, corrected } = comparePairs([pairs]);
  deepEqual(rows[0]!.map(({ by, name, n, difference }) => [by, name, n, difference]), [
    ["all", "all samples", 12, -50],
    ["length", "1K", 6, 0],
    ["length", "4K", 6, -100],
    ["task", "vt", 6, -100],
    ["task", "cwe", 6, 0],
    ["third", "first third", 6, -100],
  ]);
  equal(
    corrected,
    "all samples are the primary comparison; p-values of the other 5 are corrected for each other (Holm), and never below that of all samples",
  );
  // Six of six lost: 2 in 2^6 ways of the signs, whichever rows have them.
  deepEqual(rows[0]!.map(({ p }) => p.toFixed(9)), [1 / 32, 1, 1 / 32, 1 / 32, 1, 1 / 32].map((p) => p.toFixed(9)));
});

Deno.test("comparePairs() corrects for the rows of all models together", () => {
  const lost = Array(8).fill(pair(1, 0));
  const alone = comparePairs([lost], { by: ["all"] }).rows[0]![0]!;
  const among = comparePairs([lost, lost, lost], { by: ["all"] }).rows[0]![0]!;
  equal(alone.p, among.p);
  equal(among.adjusted, 3 * alone.adjusted);
  equal(alone.higher, "baseline");
});

Deno.test("comparePairs() has no row for no pairs", () => {
  deepEqual(comparePairs([[]]).rows, [[]]);
});
