import { equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cohenKappa } from "@/lib/statistics/mod.ts";

const COUNTED = [[1, 1], [1, 1], [3, 3], [3, 2]] as const;

Deno.test("cohenKappa() is the one counted by hand, of ordered grades and of names", () => {
  // Weighted seen: 1 x 1 = 1. Expected: rows 2,0,2 and columns 2,1,1 of 4: (2·1·1 + 2·1·4 + 2·2·4 + 2·1·1) / 4 = 7.
  equal(cohenKappa(COUNTED, { grades: 3 }), 1 - 1 / 7);
  // Same: 3 of 4. By chance: rows 2,0,2 and columns 2,1,1 of 4: (2·2 + 0·1 + 2·1) / 16 = 0.375.
  equal(cohenKappa(COUNTED, { grades: 3, weights: "same" }), (0.75 - 0.375) / (1 - 0.375));
});

Deno.test("cohenKappa() is 1 for a rater with itself, and the same whichever rater is first", () => {
  const grade = fc.integer({ min: 1, max: 5 });
  fc.assert(fc.property(fc.array(fc.tuple(grade, grade), { minLength: 3 }), (pairs) => {
    const there = cohenKappa(pairs, { grades: 5 });
    const back = cohenKappa(pairs.map(([first, second]) => [second, first] as const), { grades: 5 });
    ok(Math.abs((there ?? 0) - (back ?? 0)) < 1e-12);
    const self = cohenKappa(pairs.map(([first]) => [first, first] as const), { grades: 5 });
    ok(self === null || self === 1);
  }));
});

Deno.test("cohenKappa() is null for raters that give one grade only, and refuses other grades and no pairs", () => {
  equal(cohenKappa([[2, 2], [2, 2]], { grades: 5 }), null);
  throws(() => cohenKappa([[0, 1]], { grades: 5 }), /whole number from 1 to 5: current value is 0/);
  throws(() => cohenKappa([], { grades: 5 }), /at least one pair/);
});
