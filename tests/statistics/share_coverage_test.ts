import { equal, ok } from "node:assert/strict";
import { shareCoverage, wilsonInterval } from "@/lib/statistics/mod.ts";

Deno.test("shareCoverage() is the chance of the numbers of successes whose interval holds the share: 1 - 0.9^3 - 0.1^3", () => {
  const middle = (successes: number): { readonly low: number; readonly high: number } =>
    successes === 1 || successes === 2 ? { low: 0, high: 1 } : { low: 0.5, high: 0.6 };
  ok(Math.abs(shareCoverage(middle, { trials: 3, share: 0.1 }) - (1 - 0.9 ** 3 - 0.1 ** 3)) < 1e-12);
});

Deno.test("shareCoverage() is 1 for an interval that holds everything, and 0 for one that holds nothing", () => {
  for (const share of [0.001, 0.5, 0.98]) {
    ok(Math.abs(shareCoverage(() => ({ low: 0, high: 1 }), { trials: 500, share }) - 1) < 1e-9);
    equal(shareCoverage(() => ({ low: 1, high: 0 }), { trials: 500, share }), 0);
  }
});

Deno.test("shareCoverage() of Wilson's interval is 0.995^25 where 24 of 25 ends below the share", () => {
  // All right ends at 1 and holds 0.995; 24 of 25 ends at 0.9929 and does not.
  ok(wilsonInterval(24, 25).high < 0.995);
  ok(Math.abs(shareCoverage(wilsonInterval, { trials: 25, share: 0.995 }) - 0.995 ** 25) < 1e-12);
});
