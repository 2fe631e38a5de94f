import { equal, ok, throws } from "node:assert/strict";
import { coverage, shareFound, yesNo } from "./_draw_scores.ts";
import { unpairedComparison } from "@/lib/statistics/comparison.ts";
import { differenceInterval, meanInterval } from "@/lib/statistics/mod.ts";

Deno.test("unpairedComparison() of one task is Newcombe's interval of the two means", () => {
  const [first, second] = [[1, 1, 1, 0, 1, 1, 1, 1], [1, 0, 0, 1, 0]];
  const { low, high, difference } = unpairedComparison([{ first, second }]);
  const [left, right] = [first, second].map((scores) => meanInterval(scores)).map(({ mean, low, high }) => ({
    score: 100 * mean,
    low: 100 * low,
    high: 100 * high,
  }));
  const wanted = differenceInterval(left!, right!);
  ok(Math.abs(low - wanted.low) < 1e-6 && Math.abs(high - wanted.high) < 1e-6);
  equal(difference, wanted.score);
});

Deno.test("unpairedComparison() covers the true difference in at least 93% of 1,000 draws of unequal groups", () => {
  const [left, right] = [yesNo(0.95), shareFound(4, 0.85)];
  const share = coverage((draw) => {
    const first = Array.from({ length: 40 }, () => left.draw(draw));
    const second = Array.from({ length: 15 }, () => right.draw(draw));
    return { ...unpairedComparison([{ first, second }], { draws: 99 }), truth: 10 };
  }, "unpaired");
  ok(share >= 0.93, `covered ${share}`);
});

Deno.test("unpairedComparison() refuses a model without a score", () => {
  throws(() => unpairedComparison([{ first: [], second: [1] }]), {
    name: "RangeError",
    message: "Cannot compare two groups as each must hold at least one score: current value is 0",
  });
});
