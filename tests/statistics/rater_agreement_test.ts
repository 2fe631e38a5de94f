import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { raterAgreement } from "@/lib/statistics/mod.ts";

Deno.test("raterAgreement() gives the kappa counted by hand", () => {
  // Weighted seen: 1 x 1 = 1. Expected: rows 2,0,2 and columns 2,1,1 of 4: (2·1·1 + 2·1·4 + 2·2·4 + 2·1·1) / 4 = 7.
  const { kappa, same, table } = raterAgreement([[1, 1], [1, 1], [3, 3], [3, 2]], { grades: 3 });
  equal(kappa, 1 - 1 / 7);
  equal(same, 0.75);
  deepEqual(table, [[2, 0, 0], [0, 0, 0], [0, 1, 1]]);
});

Deno.test("raterAgreement() counts every difference alike where grades are names: Cohen's kappa of 1960", () => {
  // Same: 3 of 4. By chance: rows 2,0,2 and columns 2,1,1 of 4: (2·2 + 0·1 + 2·1) / 16 = 0.375.
  const { kappa } = raterAgreement([[1, 1], [1, 1], [3, 3], [3, 2]], { grades: 3, weights: "same" });
  equal(kappa, (0.75 - 0.375) / (1 - 0.375));
});

Deno.test("raterAgreement() gives equal grades the mean of their ranks in Spearman's correlation", () => {
  // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3.5, 3.5: covariance 3.75, both sums of squares 4.5.
  const { spearman } = raterAgreement([[1, 1], [2, 2], [2, 3], [3, 3]], { grades: 3 });
  equal(spearman?.toFixed(9), (3.75 / 4.5).toFixed(9));
});

Deno.test("raterAgreement() is 1 for a rater with itself, and the same whichever rater is first", () => {
  const grade = fc.integer({ min: 1, max: 5 });
  fc.assert(fc.property(fc.array(fc.tuple(grade, grade), { minLength: 3 }), (pairs) => {
    const there = raterAgreement(pairs, { grades: 5 });
    const back = raterAgreement(pairs.map(([first, second]) => [second, first] as const), { grades: 5 });
    ok(Math.abs((there.kappa ?? 0) - (back.kappa ?? 0)) < 1e-12);
    const self = raterAgreement(pairs.map(([first]) => [first, first] as const), { grades: 5 });
    equal(self.same, 1);
    ok(self.kappa === null || self.kappa === 1);
    ok(self.spearman === null || self.spearman > 1 - 1e-12);
  }));
});

Deno.test("raterAgreement() has no correlation where a rater gives one grade only", () => {
  deepEqual(raterAgreement([[2, 2], [2, 2]], { grades: 5 }).kappa, null);
  deepEqual(raterAgreement([[2, 2], [2, 3]], { grades: 5 }).spearman, null);
});

Deno.test("raterAgreement() refuses grades outside the scale, and no pairs", () => {
  throws(() => raterAgreement([[0, 1]], { grades: 5 }), /whole number from 1 to 5: current value is 0/);
  throws(() => raterAgreement([], { grades: 5 }), /at least one pair/);
});
