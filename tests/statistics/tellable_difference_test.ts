import { equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { planSamples, tellableDifference } from "@/lib/statistics/mod.ts";

Deno.test("tellableDifference() of the paper's design is about 1.8 points at 85.6, and about 7 of one task", () => {
  equal(tellableDifference(500, { score: 85.6, tasks: 13 })?.toFixed(1), "1.8");
  equal(tellableDifference(500, { score: 85.6 })?.toFixed(1), "6.9");
});

Deno.test("tellableDifference() is planSamples() the other way round", () => {
  const range = fc.record({
    score: fc.integer({ min: 20, max: 100 }),
    tasks: fc.integer({ min: 1, max: 13 }),
    paired: fc.boolean(),
  });
  fc.assert(fc.property(range, fc.integer({ min: 30, max: 5000 }), (options, samples) => {
    const difference = tellableDifference(samples, options);
    if (difference === null) return ok(planSamples(options.score, options).samples > samples);
    ok(planSamples(Math.min(options.score, difference + 1e-3), options).samples <= samples);
    if (difference > 0.1) ok(planSamples(difference - 0.1, options).samples >= samples);
  }));
});

Deno.test("tellableDifference() is null where not even nothing can be told apart", () => {
  equal(tellableDifference(1, { score: 50 }), null);
});

Deno.test("tellableDifference() refuses less than one sample, and what planSamples() refuses", () => {
  throws(() => tellableDifference(0, { score: 90 }), {
    name: "RangeError",
    message: "Cannot plan samples as samples must be at least 1: current value is 0",
  });
  throws(() => tellableDifference(10, { score: 90, power: 2 }), { name: "RangeError" });
});
