import { deepEqual, throws } from "node:assert/strict";
import { representatives } from "@/lib/benchmarks/ruler/correlation_clusters.ts";
import { clusterTree } from "@/lib/statistics/mod.ts";

Deno.test("representatives() keeps the middle of a cluster", () => {
  // 1 is the nearest to both others of its cluster.
  const distances = [[0, 0.1, 0.3, 0.9], [0.1, 0, 0.2, 0.9], [0.3, 0.2, 0, 0.9], [0.9, 0.9, 0.9, 0]];
  deepEqual(representatives(clusterTree(distances), { keep: 2, distances }), [1, 3]);
});

Deno.test("representatives() keeps of two the one farther from all else, and of equals the first", () => {
  const distances = [[0, 0.1, 0.6], [0.1, 0, 0.7], [0.6, 0.7, 0]];
  deepEqual(representatives(clusterTree(distances), { keep: 2, distances }), [1, 2]);
  const equals = [[0, 0.1, 0.6], [0.1, 0, 0.6], [0.6, 0.6, 0]];
  deepEqual(representatives(clusterTree(equals), { keep: 2, distances: equals }), [0, 2]);
});

Deno.test("representatives() keeps all where all are to be kept, and refuses to keep more", () => {
  const distances = [[0, 0.1], [0.1, 0]];
  deepEqual(representatives(clusterTree(distances), { keep: 2, distances }), [0, 1]);
  throws(() => representatives(clusterTree(distances), { keep: 3, distances }), {
    message: "Cannot cut the tree as count must be a whole number from 1 to 2: current value is 3",
  });
});
