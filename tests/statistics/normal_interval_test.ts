import { deepEqual, equal } from "node:assert/strict";
import { normalInterval, shareCoverage } from "@/lib/statistics/mod.ts";

Deno.test("normalInterval() is the share plus or minus 1.96 standard errors: 80 of 100", () => {
  const { low, high } = normalInterval(80, 100);
  deepEqual([low.toFixed(4), high.toFixed(4)], ["0.7216", "0.8784"]);
});

Deno.test("normalInterval() shrinks to a point where all or none succeed, and so misses the truth there", () => {
  deepEqual([normalInterval(0, 9), normalInterval(9, 9)], [{ low: 0, high: 0 }, { low: 1, high: 1 }]);
  equal(shareCoverage(normalInterval, { trials: 25, share: 0.99 }) < 0.25, true);
});
