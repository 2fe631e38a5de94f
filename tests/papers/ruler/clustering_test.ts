import fc from "fast-check";
import {
  adjustedRand,
  categoryClusters,
  type ClusterNode,
  clusterTree,
  correlationDistances,
  cutTree,
  type Linkage,
  linkageAgreement,
  LINKAGES,
  representatives,
} from "@/lib/papers/ruler/clustering.ts";
import { publishedCorrelationStudy } from "@/lib/papers/ruler/correlation_study.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { deepEqual, equal, ok, throws } from "node:assert/strict";

/** Four things: 0 and 1 are near, 2 and 3 are, the pairs are far from each other. */
const FOUR = Object.freeze([[0, 0.1, 0.6, 0.7], [0.1, 0, 0.8, 0.9], [0.6, 0.8, 0, 0.2], [0.7, 0.9, 0.2, 0]]);

// By hand, from the update formula of Lance and Williams (1967): the distances of the joined 0 and 1 from 2 and from 3
// first, then those of the two pairs.
const HEIGHTS: readonly (readonly [Linkage, number])[] = [
  ["single", 0.6],
  ["complete", 0.9],
  ["average", (0.6 + 0.7 + 0.8 + 0.9) / 4],
  ["weighted", ((0.6 + 0.8) / 2 + (0.7 + 0.9) / 2) / 2],
  ["centroid", ((0.7 - 0.1 / 4) + (0.8 - 0.1 / 4)) / 2 - 0.2 / 4],
  ["median", ((0.7 - 0.1 / 4) + (0.8 - 0.1 / 4)) / 2 - 0.2 / 4],
  // To 2: (2 * 0.6 + 2 * 0.8 - 0.1) / 3 = 0.9; to 3: (2 * 0.7 + 2 * 0.9 - 0.1) / 3 = 3.1 / 3.
  ["ward", (3 * 0.9 + 3 * (3.1 / 3) - 2 * 0.2) / 4],
];

Deno.test.each(HEIGHTS.map((row) => [...row] as [Linkage, number]))(
  "clusterTree() by %s linkage joins two pairs at the height worked out by hand",
  (linkage, height) => {
    const root = clusterTree(FOUR, linkage);
    deepEqual(root.parts?.map((part) => part.height), [0.1, 0.2]);
    ok(Math.abs(root.height - height) < 1e-12, `${root.height}`);
  },
);

Deno.test("clusterTree() by average linkage gives the heights of a published example", () => {
  // The distances of five bacteria in Wikipedia's worked example of UPGMA; it prints branch lengths, which are half the
  // heights: 8.5, 11, 14, 16.5.
  const distances = [
    [0, 17, 21, 31, 23],
    [17, 0, 30, 34, 21],
    [21, 30, 0, 28, 39],
    [31, 34, 28, 0, 43],
    [23, 21, 39, 43, 0],
  ];
  const heights = (node: ClusterNode): number[] =>
    node.parts === null ? [] : [node.height, ...node.parts.flatMap(heights)];
  deepEqual(heights(clusterTree(distances)).toSorted((left, right) => left - right), [17, 22, 28, 33]);
});

const matrices = fc.integer({ min: 1, max: 9 }).chain((size) =>
  fc.array(fc.integer({ min: 0, max: 200 }), { minLength: size * size, maxLength: size * size }).map((cells) =>
    Array.from(
      { length: size },
      (_, at) =>
        Array.from(
          { length: size },
          (_, other) => at === other ? 0 : cells[Math.min(at, other) * size + Math.max(at, other)]! / 100,
        ),
    )
  )
);

Deno.test("clusterTree() has every item once, and heights rise except for centroids and medians", () => {
  const isRising = (node: ClusterNode): boolean =>
    (node.parts ?? []).every((part) => part.height <= node.height + 1e-9 && isRising(part));
  fc.assert(fc.property(matrices, fc.constantFrom(...LINKAGES), (distances, linkage) => {
    const root = clusterTree(distances, linkage);
    deepEqual(root.members.toSorted((left, right) => left - right), distances.map((_, at) => at));
    ok(linkage === "centroid" || linkage === "median" || isRising(root));
  }));
});

Deno.test("clusterTree() refuses what is not a matrix of distances", () => {
  for (
    const [distances, shown] of [
      [[], "none"],
      [[[0, 1]], "0, 1"],
      [[[0, NaN], [NaN, 0]], "0, NaN"],
      [[[0, -1], [-1, 0]], "0, -1"],
      [[[0, 1], [2, 0]], "0, 1"],
    ] as [number[][], string][]
  ) {
    throws(() => clusterTree(distances), {
      name: "RangeError",
      message:
        `Cannot cluster as distances must be a symmetric matrix of numbers from 0, with 0 on the diagonal: current value of a row is ${shown}`,
    });
  }
});

Deno.test("correlationDistances() are 0 for identical rows, 1 for uncorrelated ones and 2 for opposites", () => {
  deepEqual(correlationDistances([[1, 0, -1], [0, 1, 0], [-1, 0, 1]]), [[0, 1, 2], [1, 0, 1], [2, 1, 0]]);
  equal(correlationDistances([]).length, 0);
});

Deno.test("cutTree() splits the highest cluster first", () => {
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
  const root = clusterTree(distances, "centroid");
  deepEqual(cutTree(root, 3).map(({ members }) => members.length).toSorted(), [1, 2, 2]);
});

Deno.test("adjustedRand() gives the worked example of Hubert and Arabie's form", () => {
  // 6 things, groups of 3 and 3 against 2, 2 and 2: 2 pairs together in both, 6 and 3 in each, of 15;
  // (2 - 6 * 3 / 15) / ((6 + 3) / 2 - 6 * 3 / 15) = 0.8 / 3.3.
  equal(adjustedRand([1, 1, 1, 2, 2, 2], [1, 1, 2, 2, 3, 3]).toFixed(9), (0.8 / 3.3).toFixed(9));
});

Deno.test("adjustedRand() is 0 for one group against each alone, and 1 where chance itself agrees", () => {
  equal(adjustedRand([0, 0, 0, 0], [0, 1, 2, 3]), 0);
  equal(adjustedRand([0, 0, 0], ["a", "a", "a"]), 1);
  equal(adjustedRand([0, 1, 2], ["a", "b", "c"]), 1);
  equal(adjustedRand(["only"], ["one"]), 1);
});

Deno.test("adjustedRand() does not depend on the names of groups, nor on which grouping comes first", () => {
  const groups = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 });
  fc.assert(fc.property(groups, groups, (first, second) => {
    const index = adjustedRand(first, second);
    ok(index <= 1 && index >= -1);
    equal(index, adjustedRand(second, first));
    equal(index, adjustedRand(first.map((group) => `g${group}`), second.map((group) => 7 - group)));
    equal(adjustedRand(first, first), 1);
  }));
});

const FIGURE_5 = publishedCorrelationStudy(await openPublished());

Deno.test("linkageAgreement() by average linkage keeps the order in which Figure 5 of RULER draws its tasks", () => {
  deepEqual(linkageAgreement(FIGURE_5).map(({ linkage }) => linkage), LINKAGES);
  const distances = correlationDistances(FIGURE_5.matrix);
  const keeping = LINKAGES.filter((linkage) =>
    clusterTree(distances, linkage).members.every((member, at) => member === at)
  );
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

Deno.test("categoryClusters() measures how far a category is mixed with others", () => {
  // Cut in two: {0, 1} and {2, 3}. A is 0, 2 and 3: all of one cluster and half of the other.
  const [first, second] = categoryClusters(clusterTree(FOUR), ["A", "B", "A", "A"]);
  deepEqual(first, { category: "A", size: 3, isOwn: false, purity: 1, together: 2 / 3 });
  deepEqual(second, { category: "B", size: 1, isOwn: true, purity: 1 / 2, together: 1 });
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
