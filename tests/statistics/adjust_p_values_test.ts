import { deepEqual, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { adjustPValues } from "@/lib/statistics/permutation_tests.ts";

function rounded(values: readonly (number | null)[]): readonly (number | null)[] {
  return values.map((value) => value === null ? null : Number(value.toFixed(6)));
}

Deno.test("adjustPValues() gives the values of R's p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05))", () => {
  const values = Object.freeze([0.01, 0.02, 0.03, 0.04, 0.05]);
  deepEqual(rounded(adjustPValues(values, "holm")), [0.05, 0.08, 0.09, 0.09, 0.09]);
  deepEqual(rounded(adjustPValues(values, "benjamini-hochberg")), [0.05, 0.05, 0.05, 0.05, 0.05]);
  deepEqual(adjustPValues(values, "none"), values);
});

Deno.test("adjustPValues() gives the 15 values of Benjamini and Hochberg's example: four are below 5% (1995, section 3)", () => {
  const values = [
    0.0001,
    0.0004,
    0.0019,
    0.0095,
    0.0201,
    0.0278,
    0.0298,
    0.0344,
    0.0459,
    0.324,
    0.4262,
    0.5719,
    0.6528,
    0.759,
    1,
  ];
  const below = (correction: "holm" | "benjamini-hochberg"): number =>
    adjustPValues(values, correction).filter((value) => value! <= 0.05).length;
  deepEqual([below("benjamini-hochberg"), below("holm")], [4, 3]);
});

Deno.test("adjustPValues() keeps order and gaps: raw, Benjamini and Hochberg, Holm never fall", () => {
  const some = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 20 });
  fc.assert(fc.property(some, (values) => {
    const [holm, rate] = [adjustPValues(values, "holm"), adjustPValues(values, "benjamini-hochberg")];
    values.forEach((value, at) => {
      if (value === null) return ok(holm[at] === null && rate[at] === null);
      ok(value <= rate[at]! + 1e-12 && rate[at]! <= holm[at]! + 1e-12 && holm[at]! <= 1);
      values.forEach((other, there) => {
        if (other !== null && other <= value) {
          ok(holm[there]! <= holm[at]! + 1e-12 && rate[there]! <= rate[at]! + 1e-12);
        }
      });
    });
    deepEqual(adjustPValues(values.toReversed(), "holm").toReversed(), holm);
  }));
});

Deno.test("adjustPValues() refuses what is no p-value", () => {
  throws(() => adjustPValues([0.5, 5], "holm"), {
    name: "RangeError",
    message: "Cannot adjust p-values as each must be in [0, 1]: current value is 5",
  });
});
