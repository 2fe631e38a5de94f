import { equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { adjustedRand } from "@/lib/statistics/mod.ts";

Deno.test("adjustedRand() gives the worked example of Hubert and Arabie's form", () => {
  // 6 things, groups of 3 and 3 against 2, 2 and 2: 2 pairs together in both, 6 and 3 in each, of 15;
  // (2 - 6 * 3 / 15) / ((6 + 3) / 2 - 6 * 3 / 15) = 0.8 / 3.3.
  equal(adjustedRand([1, 1, 1, 2, 2, 2], [1, 1, 2, 2, 3, 3]).toFixed(9), (0.8 / 3.3).toFixed(9));
});

Deno.test("adjustedRand() is 0 for one group against each alone, and 1 where chance itself agrees", () => {
  equal(adjustedRand([0, 0, 0, 0], [0, 1, 2, 3]), 0);
  equal(adjustedRand([0, 0, 0], ["a", "a", "a"]), 1);
  equal(adjustedRand([0, 1, 2], ["a", "b", "c"]), 1);
  equal(adjustedRand(["only"], ["one"]), 1);
});

Deno.test("adjustedRand() does not ask for the names of groups, nor which way is first", () => {
  const groups = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 });
  fc.assert(fc.property(groups, groups, (first, second) => {
    const index = adjustedRand(first, second);
    ok(index <= 1 && index >= -1);
    equal(index, adjustedRand(second, first));
    equal(index, adjustedRand(first.map((group) => `g${group}`), second.map((group) => 7 - group)));
    equal(adjustedRand(first, first), 1);
  }));
});

Deno.test("adjustedRand() refuses lists of two lengths", () => {
  throws(() => adjustedRand([1], [1, 2]), {
    name: "RangeError",
    message: "Cannot compare groups as both must have the same number of things, at least 1: current value is 1 and 2",
  });
  throws(() => adjustedRand([], []), { message: /current value is 0 and 0/ });
});
