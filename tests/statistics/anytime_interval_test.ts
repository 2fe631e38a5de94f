import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { coverage, type ScoreSource, shareFound, UNIFORM, yesNo } from "./_draw_scores.ts";
import { anytimeTest } from "@/lib/statistics/anytime.ts";
import { anytimeInterval, meanInterval } from "@/lib/statistics/mod.ts";

const score = fc.double({ min: 0, max: 1, noNaN: true });
const values = fc.array(fc.tuple(score, score), { maxLength: 40 });

Deno.test("anytimeInterval() of nothing is [0, 1], and of ones only ends where eight bettors have 40 between them", () => {
  deepEqual(anytimeInterval([]), { low: 0, high: 1 });
  const { low, high } = anytimeInterval(Array(25).fill([1]));
  equal(high, 1);
  const wealth = Array.from({ length: 8 }, (_, place) => (1 + 0.9 * 0.02 ** (place / 7) * (1 - low)) ** 25 / 8)
    .reduce((sum, purse) => sum + purse, 0);
  ok(Math.abs(wealth - 40) < 1e-3, `${wealth}`);
});

Deno.test("anytimeInterval() only narrows as values come, and mirrors", () => {
  fc.assert(
    fc.property(values, values, (before, after) => {
      const [wide, narrow] = [anytimeInterval(before), anytimeInterval([...before, ...after])];
      const mirrored = anytimeInterval(before.map((round) => round.map((value) => 1 - value)));
      ok(wide.low <= narrow.low + 2e-7 && narrow.high <= wide.high + 2e-7);
      ok(Math.abs(mirrored.low - (1 - wide.high)) < 2e-7 && Math.abs(mirrored.high - (1 - wide.low)) < 2e-7);
    }),
    { numRuns: 40 },
  );
});

Deno.test("anytimeInterval() leaves out the thresholds that anytimeTest() has told from the mean", () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0.02, max: 0.98, noNaN: true }), (seen, threshold) => {
      const { low, high } = anytimeInterval(seen);
      const { side } = anytimeTest(seen, { threshold, errorChance: 0.025 });
      if (side === "above") ok(threshold <= low + 2e-7);
      else if (side === "below") ok(threshold >= high - 2e-7);
      else ok(low - 2e-7 <= threshold && threshold <= high + 2e-7);
    }),
    { numRuns: 40 },
  );
});

const SUITES: readonly (readonly [string, readonly ScoreSource[]])[] = [
  ["one task", [yesNo(0.856)]],
  ["any share", [UNIFORM]],
  ["5 tasks", [yesNo(0.99), yesNo(0.9), shareFound(4, 0.9), shareFound(10, 0.6), yesNo(0.5)]],
];

Deno.test.each([...SUITES])(
  "anytimeInterval() holds the mean after 40 rounds and ever before in at least 95%% of 1,000 runs: %s",
  (name, sources) => {
    const truth = sources.reduce((sum, { mean }) => sum + mean, 0) / sources.length;
    // The ends only narrow, so the last interval holds the mean exactly where all before did.
    const share = coverage((draw) => {
      const rounds = Array.from({ length: 40 }, () => sources.map((source) => source.draw(draw)));
      return { ...anytimeInterval(rounds), truth };
    }, `anytime ${name}`);
    ok(share >= 0.95, `covered ${share}`);
  },
);

Deno.test("anytimeInterval() is at most twice as wide as an interval for a fixed number of values", () => {
  const seen = Array.from({ length: 200 }, (_, index) => index % 8 === 0 ? 0 : 1);
  const [anytime, fixed] = [anytimeInterval(seen.map((value) => [value])), meanInterval(seen)];
  const ratio = (anytime.high - anytime.low) / (fixed.high - fixed.low);
  ok(ratio > 1 && ratio < 2, `${ratio}`);
});

Deno.test("anytimeInterval() refuses a level outside (0, 1)", () => {
  throws(() => anytimeInterval([[1]], { level: 95 }), {
    name: "RangeError",
    message: "Cannot give an interval as level must be in (0, 1): current value is 95",
  });
});
