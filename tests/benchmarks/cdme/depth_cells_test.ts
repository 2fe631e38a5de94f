import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { depthAverage } from "@/lib/benchmarks/cdme/depth_map.ts";
import { depthCells, type DepthReply } from "@/lib/benchmarks/cdme/mod.ts";
import { depthGrid } from "@/lib/generators/mod.ts";

function reply(
  length: number,
  depth: number | undefined,
  value: number | null,
  changes: Partial<DepthReply> = {},
): DepthReply {
  const record = depth === undefined ? {} : { depth };
  return { task: "cdme_zh", length, value, failed: false, noAnswer: false, record, ...changes };
}

Deno.test("depthCells() averages each length and depth, and leaves failed calls out of the mean", () => {
  const cells = depthCells([
    reply(2000, 0, 1),
    reply(1000, 1, 0.5),
    reply(1000, 1, null, { failed: true }),
    reply(1000, 1, 0.9, { noAnswer: true }),
    reply(1000, undefined, 1),
  ]);
  deepEqual(cells, [
    { length: 1000, depth: 100, score: 25, n: 2, failed: 1, noAnswer: 1 },
    { length: 2000, depth: 0, score: 100, n: 1, failed: 0, noAnswer: 0 },
  ]);
});

Deno.test("depthCells() has no score for a cell whose calls all failed", () => {
  const [cell] = depthCells([reply(1000, 0.5, null, { failed: true })]);
  deepEqual([cell?.score, cell?.n, cell?.failed], [null, 0, 1]);
});

Deno.test("depthCells() gives back OpenCompass's percents and a sigmoid's decimals", () => {
  for (const depths of [depthGrid({ points: 20, whole: "floor" }), depthGrid({ points: 35, spacing: "sigmoid" })]) {
    const cells = depthCells(depths.map((depth) => reply(1000, depth / 100, 1)));
    deepEqual(cells.map(({ depth }) => depth), depths);
  }
});

Deno.test("depthCells() refuses two tasks at once", () => {
  throws(() => depthCells([reply(1000, 0, 1), reply(1000, 0, 1, { task: "cdme_en" })]), {
    name: "RangeError",
    message: "Cannot average over depths as the replies must be of one task: current value is cdme_zh, cdme_en",
  });
});

Deno.test("depthAverage() averages lengths, whatever the number of their depths", () => {
  const cell = (length: number, score: number | null): { length: number; score: number | null } => ({ length, score });
  const { columns, overall } = depthAverage([cell(2000, 25), cell(1000, 100), cell(1000, 50), cell(3000, null)]);
  deepEqual(columns, [{ length: 1000, mean: 75 }, { length: 2000, mean: 25 }]);
  equal(overall, 50);
  deepEqual(depthAverage([]), { columns: [], overall: null });
});

Deno.test("depthAverage() lies between the least and the greatest cell, in any order", () => {
  const cells = fc.array(
    fc.record({ length: fc.integer({ min: 1, max: 4 }), score: fc.double({ min: 0, max: 100, noNaN: true }) }),
    {
      minLength: 1,
    },
  );
  fc.assert(fc.property(cells, (some) => {
    const { overall } = depthAverage(some);
    const scores = some.map(({ score }) => score);
    ok(overall! >= Math.min(...scores) - 1e-9 && overall! <= Math.max(...scores) + 1e-9);
    ok(Math.abs(overall! - depthAverage(some.toReversed()).overall!) < 1e-9);
  }));
});
