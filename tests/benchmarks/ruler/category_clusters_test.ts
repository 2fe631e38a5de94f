import { deepEqual, ok, throws } from "node:assert/strict";
import { categoryClusters } from "@/lib/benchmarks/ruler/correlation_clusters.ts";
import { clusterTree } from "@/lib/statistics/mod.ts";

const FOUR = [[0, 0.1, 0.6, 0.7], [0.1, 0, 0.8, 0.9], [0.6, 0.8, 0, 0.2], [0.7, 0.9, 0.2, 0]];

Deno.test("categoryClusters() finds the categories that are clusters of their own", () => {
  const [first, second] = categoryClusters(clusterTree(FOUR), ["A", "A", "B", "B"]);
  deepEqual(first, { category: "A", size: 2, isOwn: true, overlap: 1, purity: 1, together: 1 });
  deepEqual(second, { category: "B", size: 2, isOwn: true, overlap: 1, purity: 1, together: 1 });
});

Deno.test("categoryClusters() tells how far a category is mixed with others", () => {
  // Cut in two: {0, 1} and {2, 3}. A is 0, 2 and 3: all of one cluster and half of the other; nearest {2, 3}, 2 of 3.
  const [first, second] = categoryClusters(clusterTree(FOUR), ["A", "B", "A", "A"]);
  deepEqual(first, { category: "A", size: 3, isOwn: false, overlap: 3 / 4, purity: 1, together: 2 / 3 });
  deepEqual(second, { category: "B", size: 1, isOwn: true, overlap: 1, purity: 1 / 2, together: 1 });
});

Deno.test("categoryClusters() takes one category for all as one cluster", () => {
  ok(categoryClusters(clusterTree(FOUR), ["A", "A", "A", "A"])[0]?.isOwn);
});

Deno.test("categoryClusters() refuses a list that does not fit the tree", () => {
  throws(() => categoryClusters(clusterTree(FOUR), ["A"]), {
    name: "RangeError",
    message: "Cannot compare clusters with categories as there must be one for each of 4 leaves: current value is 1",
  });
});
