import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { differenceInterval, type ScoreWithInterval, wilsonInterval } from "@/lib/statistics/mod.ts";

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

Deno.test("differenceInterval() turns round when the scores are exchanged", () => {
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
  const { score, low, high } = differenceInterval(scored(32, 50), scored(22, 50), { correlation });
  deepEqual([correlation, score, low, high].map((value) => value.toFixed(4)), ["0.4550", "0.2000", "0.0562", "0.3292"]);
});

Deno.test("differenceInterval() narrows as the correlation rises, to the difference of the reaches", () => {
  const [first, second] = [{ score: 90, low: 86, high: 93 }, { score: 80, low: 77, high: 84 }];
  const width = (correlation: number): number => {
    const { low, high } = differenceInterval(first, second, { correlation });
    return high - low;
  };
  const widths = [-1, -0.5, 0, 0.5, 1].map(width);
  ok(widths.every((one, at) => at === 0 || one < widths[at - 1]!));
  equal(widths.at(-1), 0);
});

Deno.test("differenceInterval() refuses what is no correlation", () => {
  throws(() => differenceInterval(scored(1, 2), scored(1, 2), { correlation: 2 }), {
    name: "RangeError",
    message: "Cannot give an interval as correlation must be in [-1, 1]: current value is 2",
  });
});
