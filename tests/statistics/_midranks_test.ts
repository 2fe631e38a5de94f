import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { midranks } from "@/lib/statistics/permutation_tests.ts";

Deno.test("midranks() gives equal values the mean of their ranks", () => {
  deepEqual(midranks([10, 20, 20, 5]), [2, 3.5, 3.5, 1]);
});

Deno.test("midranks() always add up to n (n + 1) / 2", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 }), (values) => {
    equal(midranks(values).reduce((sum, rank) => sum + rank, 0), (values.length * (values.length + 1)) / 2);
  }));
});
