import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { categoryClusters, linkageAgreement, representatives } from "@/lib/papers/ruler/correlation_clusters.ts";
import { openPublished, publishedCorrelationStudy } from "@/lib/papers/ruler/mod.ts";
import { clusterTree, LINKAGES } from "@/lib/papers/ruler/clustering.ts";

const FIGURE_5 = publishedCorrelationStudy(await openPublished());

Deno.test("linkageAgreement() by average linkage keeps the order in which Figure 5 of RULER draws its tasks", () => {
  const results = linkageAgreement(FIGURE_5);
  deepEqual(results.map(({ linkage }) => linkage), LINKAGES);
  const keeping = results.filter(({ keepsOrder }) => keepsOrder).map(({ linkage }) => linkage);
  deepEqual(keeping, ["average", "weighted", "median"]);
});

Deno.test("linkageAgreement() does not depend on the unknown scale of Figure 5", () => {
  // The least correlation shown is 0 on the figure's scale; here it is taken for 0.5.
  const matrix = FIGURE_5.matrix.map((row) => row.map((value) => 0.5 + value / 2));
  const results = linkageAgreement({ ...FIGURE_5, matrix });
  linkageAgreement(FIGURE_5).forEach((result, at) => {
    deepEqual(results[at]!.kept, result.kept);
    deepEqual(results[at]!.own, result.own);
    equal(results[at]!.withCategories, result.withCategories);
  });
});

Deno.test("linkageAgreement() keeps the paper's number of tasks", () => {
  for (const { kept } of linkageAgreement(FIGURE_5)) {
    equal(new Set(kept).size, 13);
    ok(kept.every((task) => FIGURE_5.tasks.includes(task)));
  }
});

Deno.test("linkageAgreement() refuses a task without a category", () => {
  const tasks = {
    tasks: ["vt", "toString"],
    matrix: [[1, 0], [0, 1]],
    leftOut: [],
    categories: { vt: "VT" },
    kept: [],
  };
  throws(() => linkageAgreement(tasks), {
    name: "RangeError",
    message: 'Cannot compare clusters with categories as each task must be one of vt: current value is "toString"',
  });
});

const FOUR = [[0, 0.1, 0.6, 0.7], [0.1, 0, 0.8, 0.9], [0.6, 0.8, 0, 0.2], [0.7, 0.9, 0.2, 0]];

Deno.test("categoryClusters() finds the categories that are clusters of their own", () => {
  const [first, second] = categoryClusters(clusterTree(FOUR), ["A", "A", "B", "B"]);
  deepEqual(first, { category: "A", size: 2, isOwn: true, purity: 1, together: 1 });
  deepEqual(second, { category: "B", size: 2, isOwn: true, purity: 1, together: 1 });
});

Deno.test("categoryClusters() measures how far a category is mixed with others", () => {
  // Cut in two: {0, 1} and {2, 3}. A is 0, 2 and 3: all of one cluster and half of the other.
  const [first, second] = categoryClusters(clusterTree(FOUR), ["A", "B", "A", "A"]);
  deepEqual(first, { category: "A", size: 3, isOwn: false, purity: 1, together: 2 / 3 });
  deepEqual(second, { category: "B", size: 1, isOwn: true, purity: 1 / 2, together: 1 });
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
