import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { normalBelow, normalPoint } from "@/lib/statistics/intervals.ts";
import { normalReach } from "@/lib/statistics/mod.ts";

Deno.test("normalBelow() gives the table's values (Abramowitz and Stegun, Table 26.1)", () => {
  equal(normalBelow(0), 0.5);
  equal(normalBelow(1).toFixed(12), "0.841344746069");
  equal(normalBelow(1.96).toFixed(12), "0.975002104852");
  equal(normalBelow(-3).toFixed(12), "0.001349898032");
  equal(normalBelow(-9), 0);
  equal(normalBelow(9), 1);
});

Deno.test("normalReach() is 1.959964 for 95% and 2.575829 for 99%", () => {
  equal(normalReach(0.95).toFixed(6), "1.959964");
  equal(normalReach(0.99).toFixed(6), "2.575829");
});

Deno.test("normalPoint() undoes normalBelow(), which rises and is symmetric", () => {
  fc.assert(fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (x) => {
    ok(Math.abs(normalPoint(normalBelow(x)) - x) < 1e-8);
    ok(Math.abs(normalBelow(x) + normalBelow(-x) - 1) < 1e-14);
    ok(normalBelow(x) <= normalBelow(x + 0.001));
  }));
});
