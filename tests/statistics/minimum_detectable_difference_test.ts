import { equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { minimumDetectableDifference, planSamples } from "@/lib/statistics/mod.ts";

Deno.test("minimumDetectableDifference() of the paper's design is about 1.8 points at 85.6, and about 7 of one task", () => {
  equal(minimumDetectableDifference(500, { score: 85.6, tasks: 13 })?.toFixed(1), "1.8");
  equal(minimumDetectableDifference(500, { score: 85.6 })?.toFixed(1), "6.9");
});

Deno.test("minimumDetectableDifference() is planSamples() the other way round", () => {
  const range = fc.record({
    score: fc.integer({ min: 20, max: 100 }),
    tasks: fc.integer({ min: 1, max: 13 }),
    paired: fc.boolean(),
  });
  fc.assert(fc.property(range, fc.integer({ min: 30, max: 5000 }), (options, samples) => {
    const difference = minimumDetectableDifference(samples, options);
    if (difference === null) return ok(planSamples(options.score, options).samples > samples);
    ok(planSamples(Math.min(options.score, difference + 1e-3), options).samples <= samples);
    if (difference > 0.1) ok(planSamples(difference - 0.1, options).samples >= samples);
  }));
});

Deno.test("minimumDetectableDifference() is null where not even nothing can be told apart", () => {
  equal(minimumDetectableDifference(1, { score: 50 }), null);
});

Deno.test("minimumDetectableDifference() refuses less than one sample, and what planSamples() refuses", () => {
  throws(() => minimumDetectableDifference(0, { score: 90 }), {
    name: "RangeError",
    message: "Cannot plan samples as samples must be at least 1: current value is 0",
  });
  throws(() => minimumDetectableDifference(10, { score: 90, power: 2 }), { name: "RangeError" });
});
