import { deepEqual, equal } from "node:assert/strict";
import { type Coverage, coverageBands, simulateCoverage } from "@/lib/benchmarks/ruler/mod.ts";

const row: Coverage = { task: "vt", length: 4096, kind: "yes/no", samples: 25, truth: 50, runs: 100, covered: 0.95 };

Deno.test("coverageBands() weighs each number by its runs, and keeps the least and the greatest", () => {
  deepEqual(coverageBands([{ ...row, covered: 0.9 }, { ...row, runs: 300, covered: 0.98 }]), [
    { kind: "yes/no", truths: "5 to 95", cells: 2, intervals: 400, covered: 96, least: 90, greatest: 98 },
  ]);
});

Deno.test("coverageBands() puts 5 and 95 in the middle, and what is beyond to the edges", () => {
  const rows = [0, 4.9, 5, 95, 95.1, 100].map((truth) => ({ ...row, truth }));
  deepEqual(coverageBands(rows).map(({ truths, cells }) => [truths, cells]), [
    ["5 to 95", 2],
    ["below 5 or above 95", 4],
  ]);
});

Deno.test("coverageBands() leaves nothing out and gives nothing for nothing", () => {
  const rows = simulateCoverage({ profile: "gpt-4", lengths: [4096, 131_072], samples: 4, runs: 10 });
  equal(coverageBands(rows).reduce((sum, { cells }) => sum + cells, 0), rows.length);
  deepEqual(coverageBands([]), []);
});
