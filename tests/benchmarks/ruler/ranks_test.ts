import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { ranks } from "@/lib/benchmarks/ruler/leaderboard.ts";

Deno.test("ranks() goes by unrounded values: ChatGLM 89.000 before LWM 88.981, both printed 89.0 (RULER, Table 13)", () => {
  deepEqual(ranks([88.981, 89.0, 97.867]), [3, 2, 1]);
});

Deno.test("ranks() keeps groups apart and gives ties the better rank", () => {
  const groups = ["aligned", "base", "aligned", "aligned", "base"];
  deepEqual(ranks(Object.freeze([80, 70, 80, 60, null]), { groups }), [1, 1, 1, 3, null]);
});

Deno.test("ranks() does not take the last digit of a sum for a difference", () => {
  deepEqual(ranks([0.1 + 0.2, 0.3]), [1, 1]);
});

Deno.test("ranks() follows the values wherever they stand", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 }), (values) => {
    const given = ranks(values);
    deepEqual(ranks(values.toReversed()), given.toReversed());
    values.forEach((value, place) => {
      equal(given[place], 1 + values.filter((other) => other > value).length);
      ok(given[place]! >= 1 && given[place]! <= values.length);
    });
  }));
});

Deno.test("ranks() refuses groups that do not fit", () => {
  throws(() => ranks([1, 2], { groups: ["a"] }), {
    name: "RangeError",
    message: "Cannot rank values as groups must be 2, one a value: current value is 1",
  });
});
