import { deepEqual, equal, ok } from "node:assert/strict";
import { spread, strata } from "@/lib/random/mod.ts";

/** The greatest difference between the share of points below a place and the place itself (star discrepancy). */
function discrepancy(points: readonly number[]): number {
  const sorted = points.toSorted((left, right) => left - right);
  return Math.max(
    ...sorted.map((point, rank) =>
      Math.max(Math.abs(point - rank / sorted.length), Math.abs((rank + 1) / sorted.length - point))
    ),
  );
}

for (const dimensions of [1, 4, 5]) {
  Deno.test(`spread() covers each of ${dimensions} axes more evenly than random points do`, () => {
    for (const count of [10, 25, 100, 500]) {
      const points = Array.from({ length: count }, (_, index) => spread(["cover"], { index, dimensions }));
      for (let axis = 0; axis < dimensions; axis++) {
        // Random points have a discrepancy near 0.87 / sqrt(n): 0.27 for 10, 0.039 for 500.
        ok(
          discrepancy(points.map((point) => point[axis]!)) < 0.87 / Math.sqrt(count),
          `${count} points, axis ${axis}`,
        );
      }
    }
  });
}

function strataPoints(count: number, dimensions: number): number[][] {
  return Array.from({ length: count }, (_, index) => strata(["tests"], { index, dimensions }));
}

Deno.test("strata() falls once into each fifth with 5 points, and once into each twenty-fifth with 25", () => {
  const cover = (sample: readonly number[][], axis: number, parts: number): number =>
    new Set(sample.map((point) => Math.floor(parts * point[axis]!))).size;
  const all = strataPoints(100, 60);
  for (let axis = 0; axis < 60; axis++) {
    for (let start = 0; start < 100; start += 5) equal(cover(all.slice(start, start + 5), axis, 5), 5);
    for (let start = 0; start < 100; start += 25) equal(cover(all.slice(start, start + 25), axis, 25), 25);
  }
});

Deno.test("strata() keeps coordinates independent of one another", () => {
  const all = strataPoints(2000, 30);
  ok(all.flat().every((value) => value >= 0 && value < 1));
  const correlation = (left: number, right: number): number => {
    const products = all.map((point) => (point[left]! - 0.5) * (point[right]! - 0.5));
    return 12 * products.reduce((sum, product) => sum + product, 0) / all.length;
  };
  // The standard error of 2,000 independent pairs is 1 / sqrt(2000) = 0.022.
  for (let axis = 1; axis < 30; axis++) ok(Math.abs(correlation(0, axis)) < 0.1, `axis ${axis}`);
  for (let axis = 1; axis < 29; axis++) ok(Math.abs(correlation(axis, axis + 1)) < 0.1, `axis ${axis}`);
});

// Published samples rest on these: recorded once, they never change.
Deno.test("spread() and strata() give known points for known paths", () => {
  const shown = (points: readonly number[]): string => points.map((point) => point.toFixed(6)).join(" ");
  deepEqual([0, 1, 99].map((index) => shown(spread(["a"], { index, dimensions: 1 }))), [
    "0.060163",
    "0.678197",
    "0.245528",
  ]);
  deepEqual([0, 1, 99].map((index) => shown(spread(["a"], { index, dimensions: 3 }))), [
    "0.571259 0.937217 0.327327",
    "0.390432 0.608261 0.877027",
    "0.669338 0.370534 0.747674",
  ]);
  deepEqual([0, 4, 5, 24, 25, 60].map((index) => shown(strata(["a"], { index, dimensions: 3 }))), [
    "0.780324 0.795040 0.739686",
    "0.971119 0.317764 0.275113",
    "0.690554 0.880838 0.635281",
    "0.297930 0.861404 0.835794",
    "0.912059 0.796867 0.943819",
    "0.447975 0.051286 0.963764",
  ]);
});
