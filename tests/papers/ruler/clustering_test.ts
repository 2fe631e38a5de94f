import fc from "fast-check";
import {
  type ClusterNode,
  clusterTree,
  correlationDistances,
  type Linkage,
  LINKAGES,
  linkagesThatJoin,
} from "@/lib/papers/ruler/clustering.ts";
import { openCorrelationStudy } from "@/lib/papers/ruler/correlation_study.ts";
import { deepEqual, equal, ok } from "node:assert/strict";

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

Deno.test("correlationDistances() are 0 for identical rows, 1 for uncorrelated ones and 2 for opposites", () => {
  deepEqual(correlationDistances([[1, 0, -1], [0, 1, 0], [-1, 0, 1]]), [[0, 1, 2], [1, 0, 1], [2, 1, 0]]);
  equal(correlationDistances([]).length, 0);
});

const FIGURE_5 = await openCorrelationStudy();

Deno.test("average, weighted and median linkage keep the order in which Figure 5 of RULER draws its tasks", () => {
  const distances = correlationDistances(FIGURE_5.matrix);
  const keeping = LINKAGES.filter((linkage) =>
    clusterTree(distances, linkage).members.every((member, at) => member === at)
  );
  deepEqual(keeping, ["average", "weighted", "median"]);
});

Deno.test("linkagesThatJoin() finds the linkages of whose tree some cluster has exactly these rows", () => {
  deepEqual(linkagesThatJoin([0, 1], FOUR), LINKAGES);
  deepEqual(linkagesThatJoin([3, 2], FOUR), LINKAGES);
  deepEqual(linkagesThatJoin([0, 1, 2, 3], FOUR), LINKAGES);
  deepEqual(linkagesThatJoin([0, 1, 2], FOUR), []);
  deepEqual(linkagesThatJoin([1, 2], FOUR), []);
  // 3 is 3 from 2. The distance of {0, 1} from 2 is below that where its nearest member counts (2.5), or its centre (3.25 - 2 / 4).
  const line = [[0, 2, 4, 7], [2, 0, 2.5, 5], [4, 2.5, 0, 3], [7, 5, 3, 0]];
  deepEqual(linkagesThatJoin([0, 1, 2], line), ["single", "centroid", "median"]);
});

Deno.test("linkagesThatJoin() does not depend on the unknown scale of Figure 5", () => {
  // The least correlation shown is 0 on the figure's scale; here it is taken for 0.5.
  const halved = FIGURE_5.matrix.map((row) => row.map((value) => 0.5 + value / 2));
  const chains = FIGURE_5.tasks.flatMap((task, row) => FIGURE_5.categories[task] === "VT" ? [row] : []);
  const [found, other] = [FIGURE_5.matrix, halved].map((matrix) =>
    linkagesThatJoin(chains, correlationDistances(matrix))
  );
  deepEqual(found, LINKAGES.filter((linkage) => linkage !== "single"));
  deepEqual(other, found);
});
