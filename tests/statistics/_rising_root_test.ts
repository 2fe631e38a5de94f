import { ok } from "node:assert/strict";
import fc from "fast-check";
import { risingRoot } from "@/lib/statistics/intervals.ts";

Deno.test("risingRoot() finds the square root of 2", () => {
  ok(Math.abs(risingRoot((x) => x * x - 2, { low: 0, high: 2 }) - Math.SQRT2) < 1e-13);
});

Deno.test("risingRoot() finds the root of any rising line, and the nearer end where it has none", () => {
  fc.assert(fc.property(fc.double({ min: -3, max: 3, noNaN: true }), (root) => {
    const wanted = Math.min(1, Math.max(-1, root));
    ok(Math.abs(risingRoot((x) => x - root, { low: -1, high: 1 }) - wanted) < 1e-13);
  }));
});

Deno.test("risingRoot() finds where a step is, and the root of a curve that is flat at it", () => {
  fc.assert(fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), (root) => {
    ok(Math.abs(risingRoot((x) => x < root ? -1 : 1, { low: 0, high: 1 }) - root) < 1e-13);
    ok(Math.abs(risingRoot((x) => (x - root) ** 3, { low: 0, high: 1, within: 1e-6 }) - root) < 2e-6);
  }));
});

Deno.test("risingRoot() ends where numbers lie further apart than it is to find the root", () => {
  const root = 1e9 / 3;
  ok(Math.abs(risingRoot((x) => x - root, { low: 0, high: 1e9 }) - root) < 1e-6);
});
