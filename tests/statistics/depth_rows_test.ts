import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { type DeepRecord, depthRows, summarise } from "@/lib/statistics/mod.ts";

const of = (depth: number, value: number | null, rest: Partial<DeepRecord> = {}): DeepRecord => ({
  ...{ task: "niah", length: 4096, failed: false, noAnswer: false },
  ...{ depth, value },
  ...rest,
});

Deno.test("depthRows() puts a depth on the line between two stretches into the later one, and 1 into the last", () => {
  const rows = depthRows([of(0, 1), of(0.2, 1), of(0.6, 1), of(1, 0)]);
  deepEqual(rows.map(({ stretch, from, to, n }) => [stretch, from, to, n]), [
    ["0 to 20%", 0, 20, 1],
    ["20 to 40%", 20, 40, 1],
    ["60 to 80%", 60, 80, 1],
    ["80 to 100%", 80, 100, 1],
  ]);
});

Deno.test("depthRows() has the interval of the same scores summed up without depths", () => {
  const replies = [of(0.1, 1), of(0.15, 0), of(0.05, 0.5)];
  const [row] = depthRows(replies);
  const [plain] = summarise(replies);
  deepEqual([row?.score, row?.low, row?.high], [plain?.score, plain?.low, plain?.high]);
});

Deno.test("depthRows() keeps tasks in order of first appearance, and lengths and stretches rising", () => {
  const rows = depthRows([
    of(0.9, 1, { task: "b", length: 8192 }),
    of(0.1, 1, { task: "b", length: 8192 }),
    of(0.1, 1, { task: "b" }),
    of(0.1, 1, { task: "a" }),
  ]);
  deepEqual(rows.map(({ task, length, from }) => [task, length, from]), [
    ["b", 4096, 0],
    ["b", 8192, 0],
    ["b", 8192, 80],
    ["a", 4096, 0],
  ]);
});

Deno.test("depthRows() loses no reply: scored, failed and unscored ones add up", () => {
  const reply = fc.record({
    depth: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.constantFrom(0, 1, null),
    failed: fc.boolean(),
    noAnswer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(reply), fc.integer({ min: 1, max: 12 }), (drawn, stretches) => {
      const rows = depthRows(drawn.map((one) => of(one.depth, one.value, one)), { stretches });
      equal(rows.reduce((sum, { n, failed, unscored }) => sum + n + failed + unscored, 0), drawn.length);
    }),
  );
});

Deno.test("depthRows() refuses a number of stretches or a depth that cannot be", () => {
  throws(() => depthRows([], { stretches: 0 }), {
    name: "RangeError",
    message: "Cannot average over depths as stretches must be a whole number from 1 to 100: current value is 0",
  });
  throws(() => depthRows([of(NaN, 1)]), /each depth must be in \[0, 1\]: current value is NaN/);
});
