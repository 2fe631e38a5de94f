import { deepEqual, equal, ok } from "node:assert/strict";
import { copheneticDistances } from "@/lib/statistics/clustering.ts";
import { clusterTree, copheneticCorrelation } from "@/lib/statistics/mod.ts";

const FOUR = [[0, 0.1, 0.6, 0.7], [0.1, 0, 0.8, 0.9], [0.6, 0.8, 0, 0.2], [0.7, 0.9, 0.2, 0]];

Deno.test("copheneticDistances() are the heights at which things first share a cluster", () => {
  const heights = copheneticDistances(clusterTree(FOUR, { linkage: "single" }));
  deepEqual(heights, [[0, 0.1, 0.6, 0.6], [0.1, 0, 0.6, 0.6], [0.6, 0.6, 0, 0.2], [0.6, 0.6, 0.2, 0]]);
});

Deno.test("copheneticDistances() keep three-way: of any three, the greatest two are equal", () => {
  const heights = copheneticDistances(clusterTree(FOUR, { linkage: "complete" }));
  for (const [a, b, c] of [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] as const) {
    const [, middle, greatest] = [heights[a]![b]!, heights[a]![c]!, heights[b]![c]!].toSorted((x, y) => x - y);
    equal(middle, greatest);
  }
});

Deno.test("copheneticCorrelation() is the correlation of given and kept distances", () => {
  // Given .1 .6 .7 .8 .9 .2 against kept .1 .75 .75 .75 .75 .2: by hand, 0.485 / sqrt(0.535 * 0.485).
  const root = clusterTree(FOUR);
  equal(copheneticCorrelation(root, FOUR)!.toFixed(6), (0.485 / Math.sqrt(0.535 * 0.485)).toFixed(6));
});

Deno.test("copheneticCorrelation() is none, and not NaN, where all distances are equal", () => {
  const same = [[0, 1, 1], [1, 0, 1], [1, 1, 0]];
  equal(copheneticCorrelation(clusterTree(same), same), null);
  equal(copheneticCorrelation(clusterTree([[0]]), [[0]]), null);
  ok(copheneticCorrelation(clusterTree([[0, 1], [1, 0]]), [[0, 1], [1, 0]]) === null);
});
