import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { markLabels, writtenTexts } from "../../figures/_read_svg.ts";
import {
  type Clustered,
  clusteredHeatmap,
  type ClusteredHeatmapOptions,
} from "@/lib/papers/ruler/clustered_heatmap.ts";
import { clusterTree, correlationDistances } from "@/lib/papers/ruler/clustering.ts";

const OPTIONS: ClusteredHeatmapOptions = {
  title: "A finding",
  caption: "How to read it.",
  n: 6,
  origin: "measured",
  valueTitle: "Correlation",
  heightTitle: "1 - r",
};

function cluster(matrix: readonly (readonly number[])[], names: readonly string[]): Clustered {
  return { names, matrix, tree: clusterTree(correlationDistances(matrix)) };
}

const THREE = cluster([[1, 0.25, 0.875], [0.25, 1, 0.5], [0.875, 0.5, 1]], ["passkey", "chains", "needle"]);

Deno.test("clusteredHeatmap() draws every pair, rows and columns in the order of the tree", async () => {
  const svg = await clusteredHeatmap(THREE, OPTIONS).svg();
  deepEqual(markLabels(svg).filter((label) => label.startsWith("passkey, ")), [
    "passkey, passkey: 1",
    "passkey, needle: 0.875",
    "passkey, chains: 0.25",
  ]);
  const texts = writtenTexts(svg);
  deepEqual(texts.filter((text) => THREE.names.includes(text)), [
    "passkey",
    "needle",
    "chains",
    "passkey",
    "needle",
    "chains",
  ]);
});

Deno.test("clusteredHeatmap() draws three lines for each join, and a scale from 0 to the greatest height", async () => {
  const svg = await clusteredHeatmap(THREE, OPTIONS).svg();
  // The first two join at 1 - 0.875, the third at the mean of 0.75 and 0.5.
  equal(markLabels(svg).filter((label) => label === "0.125").length, 3);
  equal(markLabels(svg).filter((label) => label === "0.625").length, 3);
  ok(["0", "0.63", "1 - r"].every((text) => writtenTexts(svg).includes(text)));
});

Deno.test("clusteredHeatmap() draws a single item, and identical items", async () => {
  match(await clusteredHeatmap(cluster([[1]], ["only"]), OPTIONS).svg(), /only, only: 1/);
  const svg = await clusteredHeatmap(cluster([[1, 1], [1, 1]], ["a", "b"]), OPTIONS).svg();
  ok(!svg.includes("NaN"));
});

Deno.test("clusteredHeatmap() refuses names, matrix and tree that do not fit together", () => {
  const refusals: [Clustered, RegExp][] = [
    [{ ...THREE, names: ["a", "b"] }, /matrix and tree must be of the 2 names: current value is "3 rows and 3 leaves"/],
    [{ ...THREE, names: ["a", "a", "b"] }, /names must be unique: current value is "a, a, b"/],
    [{ ...THREE, matrix: [[1], [1], [1]] }, /each row must have 3 values: current value is 1/],
    [
      { ...THREE, matrix: [[1, NaN, 0], [NaN, 1, 0], [0, 0, 1]] },
      /each value must be a finite number: current value is NaN/,
    ],
  ];
  for (const [clustered, message] of refusals) {
    throws(() => clusteredHeatmap(clustered, OPTIONS), { name: "RangeError", message });
  }
  throws(() => clusteredHeatmap({ ...THREE, names: [] }, OPTIONS), { message: /rows must hold at least one/ });
  throws(() => clusteredHeatmap(THREE, { ...OPTIONS, domain: [0.5, 1] }), {
    message: /each value must be in the domain \[0.5, 1\]: current value is 0.25/,
  });
});
