import { deepEqual, equal, ok } from "node:assert/strict";
import { pointsOf, printedPoint } from "@/lib/papers/ruler/score_lines.ts";

const row = { task: "vt", n: 10, failed: 0, noAnswer: 0 };

Deno.test("pointsOf() leaves out what has no score, and puts lengths in order", () => {
  const points = pointsOf([
    { ...row, length: 8192, score: 50, low: 20, high: 80 },
    { ...row, length: 16384, score: null, low: null, high: null },
    { ...row, length: 4096, score: 90, low: 60, high: 99 },
  ]);
  deepEqual(points.map(({ length, score }) => [length, score]), [[4096, 90], [8192, 50]]);
});

Deno.test("printedPoint() gives a printed score the interval of 500 answers, narrower for more tasks", () => {
  const one = printedPoint({ length: 4096, score: 100 });
  // Mid-p: the share whose 500th power is 0.05.
  equal(one.low.toFixed(3), (100 * 0.05 ** (1 / 500)).toFixed(3));
  equal(one.high, 100);
  const [narrow, wide] = [printedPoint({ length: 4096, score: 60 }, 13), printedPoint({ length: 4096, score: 60 })];
  ok(narrow.high - narrow.low < (wide.high - wide.low) / 3);
});
