import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { anytimeInterval, anytimeTest, meanInterval } from "@/lib/analysis/mod.ts";
import { coverage, shareFound, UNIFORM, yesNo } from "./_draw_scores.ts";

const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });

Deno.test("anytimeInterval() of nothing is [0, 1], and of ones only ends where eight bettors have 40 between them", () => {
  deepEqual(anytimeInterval([]), { low: 0, high: 1 });
  const { low, high } = anytimeInterval(Array(25).fill(1));
  equal(high, 1);
  const wealth = Array.from({ length: 8 }, (_, place) => (1 + 0.9 * 0.02 ** (place / 7) * (1 / low - 1)) ** 25 / 8)
    .reduce((sum, purse) => sum + purse, 0);
  ok(Math.abs(wealth - 40) < 1e-6, `${wealth}`);
});

Deno.test("anytimeInterval() only narrows as values come, and mirrors", () => {
  fc.assert(
    fc.property(values, values, (before, after) => {
      const [wide, narrow] = [anytimeInterval(before), anytimeInterval([...before, ...after])];
      const mirrored = anytimeInterval(before.map((value) => 1 - value));
      ok(wide.low <= narrow.low + 1e-9 && narrow.high <= wide.high + 1e-9);
      ok(Math.abs(mirrored.low - (1 - wide.high)) < 1e-9 && Math.abs(mirrored.high - (1 - wide.low)) < 1e-9);
    }),
    { numRuns: 40 },
  );
});

Deno.test("anytimeInterval() leaves out the thresholds that anytimeTest() has told from the mean", () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0.02, max: 0.98, noNaN: true }), (seen, threshold) => {
      const { low, high } = anytimeInterval(seen);
      const { side } = anytimeTest(seen, { threshold, errorChance: 0.025 });
      if (side === "above") ok(threshold <= low + 1e-9);
      else if (side === "below") ok(threshold >= high - 1e-9);
      else ok(low - 1e-9 <= threshold && threshold <= high + 1e-9);
    }),
    { numRuns: 40 },
  );
});

Deno.test.each([yesNo(0.856), shareFound(13, 0.9), UNIFORM].map((source) => [source.name, source] as const))(
  "anytimeInterval() holds the mean after 150 values and ever before in at least 95%% of 1,000 runs: %s",
  (_name, source) => {
    // The ends only narrow, so the last interval holds the mean exactly where all before did.
    const share = coverage((draw) => {
      const seen = Array.from({ length: 150 }, () => source.draw(draw));
      return { ...anytimeInterval(seen), truth: source.mean };
    }, `anytime ${source.name}`);
    ok(share >= 0.95, `covered ${share}`);
  },
);

Deno.test("anytimeInterval() is at most twice as wide as an interval for a fixed number of values", () => {
  const seen = Array.from({ length: 200 }, (_, index) => index % 8 === 0 ? 0 : 1);
  const [anytime, fixed] = [anytimeInterval(seen), meanInterval(seen)];
  const ratio = (anytime.high - anytime.low) / (fixed.high - fixed.low);
  ok(ratio > 1 && ratio < 2, `${ratio}`);
});

Deno.test("anytimeInterval() refuses a level outside (0, 1)", () => {
  throws(() => anytimeInterval([1], { level: 95 }), {
    name: "RangeError",
    message: "Cannot give an interval as level must be in (0, 1): current value is 95",
  });
});
