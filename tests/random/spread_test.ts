import { deepEqual, equal, ok } from "node:assert/strict";
import { spread } from "@/lib/random/mod.ts";

/** The greatest difference between the share of points below a place and the place itself (star discrepancy). */
function discrepancy(points: readonly number[]): number {
  const sorted = points.toSorted((left, right) => left - right);
  return Math.max(
    ...sorted.map((point, rank) =>
      Math.max(Math.abs(point - rank / sorted.length), Math.abs((rank + 1) / sorted.length - point))
    ),
  );
}

Deno.test("spread() gives point 17 without the points before it", () => {
  deepEqual(spread(["a"], { index: 17, dimensions: 4 }), spread(["a"], { index: 17, dimensions: 4 }));
});

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

Deno.test("spread() steps by the golden ratio in one dimension", () => {
  const [first] = spread(["a"], { index: 0, dimensions: 1 });
  const [second] = spread(["a"], { index: 1, dimensions: 1 });
  // 1 / 1.6180339887 = 0.6180339887
  ok(Math.abs((second! - first! + 1) % 1 - 0.6180339887) < 1e-9);
});

Deno.test("spread() stays in [0, 1)", () => {
  const points = Array.from({ length: 1000 }, (_, index) => spread(["range"], { index, dimensions: 3 })).flat();
  equal(points.every((point) => point >= 0 && point < 1), true);
});
