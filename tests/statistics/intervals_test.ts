import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { normalBelow, normalPoint } from "@/lib/statistics/normal_intervals.ts";
import { exactInterval, risingRoot, weightedMean } from "@/lib/statistics/intervals.ts";
import {
  differenceInterval,
  type Interval,
  midInterval,
  normalReach,
  type ScoreWithInterval,
  shareCoverage,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";

Deno.test.each(
  [
    ["wilsonInterval", wilsonInterval, 3, ["0.2553 0.3662", "0.0624 0.1605", "0.0000 0.1611", "0.0061 0.1718"]],
    ["exactInterval", exactInterval, 5, ["0.2527 0.3676", "0.0578 0.1617", "0.0000 0.1684", "0.0009 0.1776"]],
    ["midInterval", midInterval, 6, ["0.2544 0.3658", "0.0601 0.1581", "0.0000 0.1391", "0.0017 0.1585"]],
  ] as const,
)("%s() gives Newcombe's examples (1998, Table I, method %s)", (_name, interval, _method, wanted) => {
  const examples = [[81, 263], [15, 148], [0, 20], [1, 29]] as const;
  const ends = examples.map(([successes, trials]) => interval(successes, trials)).map(({ low, high }) => [low, high]);
  deepEqual(ends.map((each) => each.map((end) => end.toFixed(4)).join(" ")), wanted);
});

const counts = fc.integer({ min: 1, max: 400 }).chain((trials) =>
  fc.record({ trials: fc.constant(trials), successes: fc.integer({ min: 0, max: trials }) })
);
const intervals = [["wilsonInterval", wilsonInterval], ["exactInterval", exactInterval], [
  "midInterval",
  midInterval,
]] as const;

Deno.test.each([...intervals])(
  "%s() holds the share, stays in [0, 1], mirrors failures and widens with the level",
  (_name, interval) => {
    fc.assert(fc.property(counts, ({ successes, trials }) => {
      const { low, high } = interval(successes, trials);
      const mirrored = interval(trials - successes, trials);
      const wider = interval(successes, trials, 0.99);
      ok(0 <= low && low <= successes / trials && successes / trials <= high && high <= 1 && low < high);
      ok(Math.abs(mirrored.low - (1 - high)) < 1e-9 && Math.abs(mirrored.high - (1 - low)) < 1e-9);
      ok(wider.low <= low && wider.high >= high);
    }));
  },
);

Deno.test.each(
  [
    ["exactInterval", exactInterval, [0.949, 0.99]],
    ["midInterval", midInterval, [0.915, 0.965]],
    ["wilsonInterval", wilsonInterval, [0.83, 0.96]],
  ] as const,
)(
  "%s() covers a share as often as its page says, counted over 999 shares below a half and 5 to 100 trials",
  (_name, interval, [worst, usual]) => {
    const chances = [5, 10, 25, 100].map((trials) => {
      const ends = Array.from({ length: trials + 1 }, (_, successes) => interval(successes, trials));
      const known = (successes: number): Interval => ends[successes]!;
      return Array.from({ length: 999 }, (_, at) => shareCoverage(known, { trials, share: (at + 1) / 2000 }));
    });
    ok(Math.min(...chances.flat()) >= worst);
    const mean = chances.flat().reduce((sum, chance) => sum + chance, 0) / chances.flat().length;
    ok(mean >= 0.949 && mean <= usual + 0.005, `on average ${mean}`);
  },
);

Deno.test.each([...intervals])("%s() refuses what is not a count", (_name, interval) => {
  const cases = [
    [() => interval(0, 0), "Cannot give an interval as trials must be above 0: current value is 0"],
    [() => interval(3, 2), "Cannot give an interval as successes must be in [0, 2]: current value is 3"],
    [() => interval(NaN, 2), "Cannot give an interval as successes must be in [0, 2]: current value is NaN"],
    [() => interval(1, 2, 95), "Cannot give an interval as level must be in (0, 1): current value is 95"],
  ] as const;
  for (const [call, message] of cases) throws(call, { name: "RangeError", message });
});

function scored(successes: number, trials: number): ScoreWithInterval {
  return { score: successes / trials, ...wilsonInterval(successes, trials) };
}

Deno.test("differenceInterval() gives Newcombe's examples (1998, Table II, method 10)", () => {
  const first = differenceInterval(scored(56, 70), scored(48, 80));
  equal(first.low.toFixed(4), "0.0524");
  equal(first.high.toFixed(4), "0.3339");
  const ends = differenceInterval(scored(10, 10), scored(0, 10));
  equal(ends.low.toFixed(4), "0.6075");
  equal(ends.high.toFixed(4), "1.0000");
});

Deno.test("differenceInterval() changes sign when the scores are swapped", () => {
  const side = fc.record({ successes: fc.integer({ min: 0, max: 50 }), spare: fc.integer({ min: 1, max: 50 }) });
  fc.assert(fc.property(side, side, (left, right) => {
    const [first, second] = [left, right].map(({ successes, spare }) => scored(successes, successes + spare));
    const [there, back] = [differenceInterval(first!, second!), differenceInterval(second!, first!)];
    ok(Math.abs(there.low + back.high) < 1e-12 && Math.abs(there.high + back.low) < 1e-12);
    ok(there.low <= there.score && there.score <= there.high);
  }));
});

Deno.test("differenceInterval() of correlated scores is Newcombe's paired interval, worked by hand for 32 and 22 of 50", () => {
  // Pairs: 20 both, 12 the first alone, 2 the second alone, 16 neither; his correlation is (20 * 16 - 12 * 2 - 50 / 2) /
  // sqrt(32 * 18 * 22 * 28) = 0.4550. Wilson's intervals reach 0.1386 below the first and 0.1369 above the second, so the low
  // end is 0.2 - sqrt(0.1386^2 + 0.1369^2 - 2 * 0.4550 * 0.1386 * 0.1369) = 0.0562.
  const correlation = (20 * 16 - 12 * 2 - 50 / 2) / Math.sqrt(32 * 18 * 22 * 28);
  const { score, low, high } = differenceInterval(scored(32, 50), scored(22, 50), correlation);
  deepEqual([correlation, score, low, high].map((value) => value.toFixed(4)), ["0.4550", "0.2000", "0.0562", "0.3292"]);
});

Deno.test("differenceInterval() narrows as the correlation rises, to the difference of the reaches", () => {
  const [first, second] = [{ score: 90, low: 86, high: 93 }, { score: 80, low: 77, high: 84 }];
  const width = (correlation: number): number => {
    const { low, high } = differenceInterval(first, second, correlation);
    return high - low;
  };
  const widths = [-1, -0.5, 0, 0.5, 1].map(width);
  ok(widths.every((one, at) => at === 0 || one < widths[at - 1]!));
  equal(widths.at(-1), 0);
});

Deno.test("differenceInterval() refuses what is not a correlation", () => {
  throws(() => differenceInterval(scored(1, 2), scored(1, 2), 2), {
    name: "RangeError",
    message: "Cannot give an interval as correlation must be in [-1, 1]: current value is 2",
  });
});

Deno.test("exactInterval() of counts that are not whole gives SciPy 1.17.1's beta.ppf", () => {
  const cases = [
    [20.3, 25, "low", 0.6066025326387205],
    [20.3, 25, "high", 0.9388365803272892],
    [5400.3, 6500, "low", 0.8214762537341405],
    [0.001, 40, "high", 0.0881463115353971],
  ] as const;
  for (const [successes, trials, end, wanted] of cases) {
    ok(Math.abs(exactInterval(successes, trials)[end] - wanted) < 1e-12);
  }
});

Deno.test("risingRoot() finds the root of any rising line, and the nearer end where it has none", () => {
  fc.assert(fc.property(fc.double({ min: -3, max: 3, noNaN: true }), (root) => {
    const wanted = Math.min(1, Math.max(-1, root));
    ok(Math.abs(risingRoot((x) => x - root, { low: -1, high: 1 }) - wanted) < 1e-13);
  }));
});

Deno.test("normalBelow() gives the table's values (Abramowitz and Stegun, Table 26.1)", () => {
  equal(normalBelow(0), 0.5);
  equal(normalBelow(1).toFixed(12), "0.841344746069");
  equal(normalBelow(1.96).toFixed(12), "0.975002104852");
  equal(normalBelow(-3).toFixed(12), "0.001349898032");
  equal(normalBelow(-9), 0);
  equal(normalBelow(9), 1);
});

Deno.test("normalReach() is 1.959964 for 95% and 2.575829 for 99%", () => {
  equal(normalReach(0.95).toFixed(6), "1.959964");
  equal(normalReach(0.99).toFixed(6), "2.575829");
});

Deno.test("normalPoint() undoes normalBelow(), which rises and is symmetric", () => {
  fc.assert(fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (x) => {
    ok(Math.abs(normalPoint(normalBelow(x)) - x) < 1e-8);
    ok(Math.abs(normalBelow(x) + normalBelow(-x) - 1) < 1e-14);
    ok(normalBelow(x) <= normalBelow(x + 0.001));
  }));
});

Deno.test("weightedMean() gives the mean by weights of any sum, and the root of the weighted squares as its reach", () => {
  const scores = [{ score: 90, low: 87, high: 92 }, { score: 60, low: 52, high: 64 }];
  // A quarter and three quarters: sqrt(0.75² + 6²) below and sqrt(0.5² + 3²) above.
  const { score, low, high } = weightedMean(scores, [2, 6]);
  deepEqual([score, low, high].map((value) => value.toFixed(4)), ["67.5000", "61.4533", "70.5414"]);
});

Deno.test("weightedMean() of equal scores is narrower than any of them, and one score is itself", () => {
  const scores = fc.record({ successes: fc.integer({ min: 0, max: 50 }), spare: fc.integer({ min: 1, max: 50 }) });
  fc.assert(fc.property(scores, fc.integer({ min: 2, max: 6 }), ({ successes, spare }, count) => {
    const one = scored(successes, successes + spare);
    const mean = weightedMean(Array(count).fill(one), Array(count).fill(1));
    ok(Math.abs(mean.score - one.score) < 1e-9 && mean.high - mean.low < one.high - one.low);
    const itself = weightedMean([one], [3]);
    for (const end of ["score", "low", "high"] as const) ok(Math.abs(itself[end] - one[end]) < 1e-12);
  }));
});

Deno.test("weightedMean() refuses no score, and weights that are not one for each", () => {
  for (const weights of [[], [1]]) {
    throws(() => weightedMean([], weights), {
      name: "RangeError",
      message: `Cannot average scores as there must be a weight for each: current value is ${weights.length} for 0`,
    });
  }
});
