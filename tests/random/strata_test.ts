import { deepEqual, equal, ok } from "node:assert/strict";
import { strata } from "@/lib/random/mod.ts";

function points(count: number, dimensions: number): number[][] {
  return Array.from({ length: count }, (_, index) => strata(["tests"], { index, dimensions }));
}

Deno.test("strata() gives point 17 without the points before it", () => {
  deepEqual(strata(["tests"], { index: 17, dimensions: 3 }), points(18, 3).at(-1));
});

Deno.test("strata() falls once into each fifth with 5 points, and once into each twenty-fifth with 25", () => {
  const cover = (sample: readonly number[][], axis: number, parts: number): number =>
    new Set(sample.map((point) => Math.floor(parts * point[axis]!))).size;
  const all = points(100, 60);
  for (let axis = 0; axis < 60; axis++) {
    for (let start = 0; start < 100; start += 5) equal(cover(all.slice(start, start + 5), axis, 5), 5);
    for (let start = 0; start < 100; start += 25) equal(cover(all.slice(start, start + 25), axis, 25), 25);
  }
});

Deno.test("strata() keeps coordinates independent of one another", () => {
  const all = points(2000, 30);
  const correlation = (left: number, right: number): number => {
    const products = all.map((point) => (point[left]! - 0.5) * (point[right]! - 0.5));
    return 12 * products.reduce((sum, product) => sum + product, 0) / all.length;
  };
  // The standard error of 2,000 independent pairs is 1 / sqrt(2000) = 0.022.
  for (let axis = 1; axis < 30; axis++) ok(Math.abs(correlation(0, axis)) < 0.1, `axis ${axis}`);
  for (let axis = 1; axis < 29; axis++) ok(Math.abs(correlation(axis, axis + 1)) < 0.1, `axis ${axis}`);
});

Deno.test("strata() stays in [0, 1) and differs by path", () => {
  equal(points(500, 4).flat().every((value) => value >= 0 && value < 1), true);
  ok(strata(["a"], { index: 0, dimensions: 1 })[0] !== strata(["b"], { index: 0, dimensions: 1 })[0]);
});
