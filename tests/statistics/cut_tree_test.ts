import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { clusterTree, cutTree, LINKAGES } from "@/lib/statistics/mod.ts";

const FOUR = [[0, 0.1, 0.6, 0.7], [0.1, 0, 0.8, 0.9], [0.6, 0.8, 0, 0.2], [0.7, 0.9, 0.2, 0]];

Deno.test("cutTree() parts the cluster of the greatest height first", () => {
  const root = clusterTree(FOUR);
  const cut = (count: number) => cutTree(root, count).map(({ members }) => members);
  deepEqual(cut(1), [[0, 1, 2, 3]]);
  deepEqual(cut(2), [[0, 1], [2, 3]]);
  deepEqual(cut(3), [[0, 1], [2], [3]]);
  deepEqual(cut(4), [[0], [1], [2], [3]]);
});

Deno.test("cutTree() counts a cluster as high as the highest in it, where heights do not rise", () => {
  // Three corners of a triangle: the first two join at 1, the third then at 1 - 1/4, below them. A fourth pair at 0.9.
  const distances = [
    [0, 1, 1, 9, 9],
    [1, 0, 1, 9, 9],
    [1, 1, 0, 9, 9],
    [9, 9, 9, 0, 0.9],
    [9, 9, 9, 0.9, 0],
  ];
  const root = clusterTree(distances, { linkage: "centroid" });
  deepEqual(cutTree(root, 3).map(({ members }) => members.length).toSorted(), [1, 2, 2]);
});

Deno.test("cutTree() gives as many clusters as were asked for, which together are all", () => {
  const distance = fc.integer({ min: 0, max: 50 });
  fc.assert(fc.property(
    fc.array(distance, { minLength: 36, maxLength: 36 }),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(...LINKAGES),
    (cells, count, linkage) => {
      const row = (at: number) =>
        Array.from(
          { length: 6 },
          (_, other) => at === other ? 0 : cells[Math.min(at, other) * 6 + Math.max(at, other)]!,
        );
      const clusters = cutTree(clusterTree(Array.from({ length: 6 }, (_, at) => row(at)), { linkage }), count);
      equal(clusters.length, count);
      deepEqual(clusters.flatMap(({ members }) => members).toSorted(), [0, 1, 2, 3, 4, 5]);
    },
  ));
});

Deno.test("cutTree() refuses more clusters than there are things", () => {
  for (const count of [0, 5, 1.5]) {
    throws(() => cutTree(clusterTree(FOUR), count), {
      name: "RangeError",
      message: `Cannot cut the tree as count must be a whole number from 1 to 4: current value is ${count}`,
    });
  }
});
