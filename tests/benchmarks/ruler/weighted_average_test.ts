import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { rankWeights, weightedAverage } from "@/lib/benchmarks/ruler/leaderboard.ts";

const percents = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 8 });

Deno.test("rankWeights() of six lengths are 1/21 to 6/21 and back (RULER, section 4)", () => {
  deepEqual(rankWeights(6, "increasing"), [1 / 21, 2 / 21, 3 / 21, 4 / 21, 5 / 21, 6 / 21]);
  deepEqual(rankWeights(6, "decreasing"), [6 / 21, 5 / 21, 4 / 21, 3 / 21, 2 / 21, 1 / 21]);
  deepEqual(rankWeights(2, [1, 3]), [0.25, 0.75]);
});

Deno.test("weightedAverage() gives Mistral's row of RULER's Table 3: 68.4, 55.6 and 81.2", () => {
  const scores = Object.freeze([93.6, 91.2, 87.2, 75.4, 49.0, 13.8]);
  equal(weightedAverage(scores, "equal")?.toFixed(1), "68.4");
  equal(weightedAverage(scores, "increasing")?.toFixed(1), "55.6");
  equal(weightedAverage(scores, "decreasing")?.toFixed(1), "81.2");
});

Deno.test("weightedAverage() lies between least and greatest, and the two linear weightings average to the plain mean", () => {
  fc.assert(fc.property(percents, (scores) => {
    const [plain, rising, falling] = (["equal", "increasing", "decreasing"] as const)
      .map((weighting) => weightedAverage(scores, weighting)!);
    for (const average of [plain!, rising!, falling!]) {
      ok(average >= Math.min(...scores) - 1e-9 && average <= Math.max(...scores) + 1e-9);
    }
    ok(Math.abs((rising! + falling!) / 2 - plain!) < 1e-9);
    ok(Math.abs(weightedAverage(scores.toReversed(), "increasing")! - falling!) < 1e-9);
  }));
});

Deno.test("weightedAverage() is null where a score that counts is missing, never NaN", () => {
  equal(weightedAverage([], "equal"), null);
  equal(weightedAverage([90, null], "equal"), null);
  equal(weightedAverage([90, null], [1, 0]), 90);
});

Deno.test("weightedAverage() refuses weights that do not fit", () => {
  throws(() => weightedAverage([1, 2], [1]), {
    name: "RangeError",
    message: "Cannot weigh scores as the weights must be 2, one a score: current value is 1",
  });
  for (const weights of [[0, 0], [2, -1], [1, NaN], [1, Infinity]]) {
    throws(() => weightedAverage([1, 2], weights), {
      name: "RangeError",
      message: `Cannot weigh scores as weights must be at least 0, and one above 0: current value is [${
        weights.join(", ")
      }]`,
    });
  }
});
