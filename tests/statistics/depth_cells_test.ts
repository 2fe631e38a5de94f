import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { depthGrid } from "@/lib/generators/mod.ts";
import { type DeepRecord, depthCells, summarise } from "@/lib/statistics/mod.ts";

const of = (depth: number, value: number | null, rest: Partial<DeepRecord> = {}): DeepRecord => ({
  ...{ task: "niah", length: 4096, failed: false, noAnswer: false },
  ...{ depth, value },
  ...rest,
});

Deno.test("depthCells() puts a depth on the line between two stretches into the later one, and 1 into the last", () => {
  const rows = depthCells([of(0, 1), of(0.2, 1), of(0.6, 1), of(1, 0)], { stretches: 5 });
  deepEqual(rows.map(({ stretch, from, to, n }) => [stretch, from, to, n]), [
    ["0 to 20%", 0, 20, 1],
    ["20 to 40%", 20, 40, 1],
    ["60 to 80%", 60, 80, 1],
    ["80 to 100%", 80, 100, 1],
  ]);
});

Deno.test("depthCells() has the interval of the same scores summed up without depths", () => {
  const replies = [of(0.1, 1), of(0.15, 0), of(0.05, 0.5)];
  const [row] = depthCells(replies, { stretches: 5 });
  const [plain] = summarise(replies);
  deepEqual([row?.score, row?.low, row?.high], [plain?.score, plain?.low, plain?.high]);
});

Deno.test("depthCells() keeps tasks in order of first appearance, and lengths and stretches rising", () => {
  const rows = depthCells([
    of(0.9, 1, { task: "b", length: 8192 }),
    of(0.1, 1, { task: "b", length: 8192 }),
    of(0.1, 1, { task: "b" }),
    of(0.1, 1, { task: "a" }),
  ], { stretches: 5 });
  deepEqual(rows.map(({ task, length, from }) => [task, length, from]), [
    ["b", 4096, 0],
    ["b", 8192, 0],
    ["b", 8192, 80],
    ["a", 4096, 0],
  ]);
});

Deno.test("depthCells() loses no reply: scored, failed and unscored ones add up", () => {
  const reply = fc.record({
    depth: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.constantFrom(0, 1, null),
    failed: fc.boolean(),
    noAnswer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(reply), fc.integer({ min: 1, max: 12 }), (drawn, stretches) => {
      const rows = depthCells(drawn.map((one) => of(one.depth, one.value, one)), { stretches });
      equal(rows.reduce((sum, { n, failed, unscored }) => sum + n + failed + unscored, 0), drawn.length);
    }),
  );
});

Deno.test("depthCells() refuses a number of stretches or a depth that cannot be", () => {
  throws(() => depthCells([], { stretches: 0 }), {
    name: "RangeError",
    message: "Cannot average over depths as stretches must be a whole number from 1 to 100: current value is 0",
  });
  throws(() => depthCells([of(NaN, 1)]), /each depth must be in \[0, 1\]: current value is NaN/);
});

Deno.test("depthCells() gives each depth that was asked for a cell, and leaves failed calls out of the mean", () => {
  const asked = (length: number, depth: number | undefined, value: number | null, rest: Partial<DeepRecord> = {}) => ({
    ...{ task: "cdme_zh", length, value, failed: false, noAnswer: false, ...rest },
    record: depth === undefined ? {} : { depth },
  });
  const cells = depthCells([
    asked(2000, 0, 1),
    asked(1000, 1, 0.5),
    asked(1000, 1, null, { failed: true }),
    asked(1000, 1, 0.9, { noAnswer: true }),
    asked(1000, undefined, 1),
    asked(1000, 0.5, null, { failed: true }),
  ]);
  deepEqual(cells.map(({ length, depth, score, n, failed, noAnswer }) => [length, depth, score, n, failed, noAnswer]), [
    [1000, 50, null, 0, 1, 0],
    [1000, 100, 25, 2, 1, 1],
    [2000, 0, 100, 1, 0, 0],
  ]);
  equal(cells.some(({ stretch }) => stretch !== undefined), false);
});

Deno.test("depthCells() gives back OpenCompass's percents and a sigmoid's decimals", () => {
  for (const depths of [depthGrid({ points: 20, whole: "floor" }), depthGrid({ points: 35, spacing: "sigmoid" })]) {
    deepEqual(depthCells(depths.map((depth) => of(depth / 100, 1))).map(({ depth }) => depth), depths);
  }
});

Deno.test("depthCells() takes the place of the target before the depth that was asked for", () => {
  deepEqual(depthCells([{ ...of(0.4, 1), record: { depth: 0.5 } }]).map(({ depth }) => depth), [40]);
});
