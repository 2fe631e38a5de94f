import { deepEqual, throws } from "node:assert/strict";
import { parsedRows } from "@/lib/benchmarks/needle_threading/mod.ts";

Deno.test("parsedRows() compares both readings task by task and over all, and leaves out what has no score", () => {
  const byRule = [["a", 0], ["a", 1], ["b", 0.5], ["b", 1], ["b", null]] as const;
  const byModel = [["a", 1, null], ["a", 1, null], ["b", 0.5, "slow down"], ["b", 1, null], ["b", null, null]] as const;
  const rows = parsedRows(
    byRule.map(([task, value]) => ({ task, value })),
    byModel.map(([task, value, unparsed]) => ({ task, value, unparsed })),
  );
  deepEqual(rows, [
    { task: "a", replies: 2, unparsed: 0, byRule: 50, byModel: 100, changed: 50 },
    { task: "b", replies: 2, unparsed: 1, byRule: 75, byModel: 75, changed: 0 },
    { task: "all", replies: 4, unparsed: 1, byRule: 62.5, byModel: 87.5, changed: 25 },
  ]);
});

Deno.test("parsedRows() has one row without scores where there are no replies", () => {
  deepEqual(parsedRows([], []), [
    { task: "all", replies: 0, unparsed: 0, byRule: null, byModel: null, changed: null },
  ]);
});

Deno.test("parsedRows() refuses replies that are not the same", () => {
  throws(() => parsedRows([{ task: "a", value: 1 }], []), {
    name: "RangeError",
    message: "Cannot compare the two readings as both must be of the same replies: current value is 1 and 0",
  });
  throws(() => parsedRows([{ task: "a", value: 1 }], [{ task: "b", value: 1 }]), RangeError);
});
