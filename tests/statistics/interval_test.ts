import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { exactInterval, type Interval, midInterval, shareCoverage, wilsonInterval } from "@/lib/statistics/mod.ts";

function rounded({ low, high }: Interval): readonly [string, string] {
  return [low.toFixed(4), high.toFixed(4)];
}

Deno.test("wilsonInterval() gives Newcombe's example of 81 in 263 (1998, Table I, method 3)", () => {
  deepEqual(rounded(wilsonInterval(81, 263)), ["0.2553", "0.3662"]);
  deepEqual(rounded(wilsonInterval(15, 148)), ["0.0624", "0.1605"]);
  deepEqual(rounded(wilsonInterval(0, 20)), ["0.0000", "0.1611"]);
  deepEqual(rounded(wilsonInterval(1, 29)), ["0.0061", "0.1718"]);
});

Deno.test("exactInterval() gives Newcombe's example of 81 in 263 (1998, Table I, method 5)", () => {
  deepEqual(rounded(exactInterval(81, 263)), ["0.2527", "0.3676"]);
  deepEqual(rounded(exactInterval(15, 148)), ["0.0578", "0.1617"]);
  deepEqual(rounded(exactInterval(0, 20)), ["0.0000", "0.1684"]);
  deepEqual(rounded(exactInterval(1, 29)), ["0.0009", "0.1776"]);
});

Deno.test("wilsonInterval() and exactInterval() keep their width without a failure: 1/(1 + z²/n) and 0.025^(1/n)", () => {
  for (const n of [1, 5, 25, 500]) {
    ok(Math.abs(wilsonInterval(n, n).low - 1 / (1 + 1.959963984540054 ** 2 / n)) < 1e-9);
    ok(Math.abs(exactInterval(n, n).low - 0.025 ** (1 / n)) < 1e-9);
    equal(wilsonInterval(n, n).high, 1);
    equal(exactInterval(n, n).high, 1);
  }
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
      const wider = interval(successes, trials, { level: 0.99 });
      ok(0 <= low && low <= successes / trials && successes / trials <= high && high <= 1 && low < high);
      ok(Math.abs(mirrored.low - (1 - high)) < 1e-9 && Math.abs(mirrored.high - (1 - low)) < 1e-9);
      ok(wider.low <= low && wider.high >= high);
    }));
  },
);

Deno.test("midInterval() counts half of what was seen: at its ends the chance of more extreme, and half of it, is 0.025", () => {
  const chanceOf = (count: number, trials: number, p: number): number => {
    let chance = (1 - p) ** trials;
    for (let k = 0; k < count; k++) chance *= ((trials - k) / (k + 1)) * (p / (1 - p));
    return chance;
  };
  const chanceBelow = (count: number, trials: number, p: number): number =>
    Array.from({ length: count }, (_, k) => chanceOf(k, trials, p)).reduce((sum, chance) => sum + chance, 0);
  for (const [successes, trials] of [[3, 10], [1, 25], [24, 25], [43, 50]] as const) {
    const { low, high } = midInterval(successes, trials);
    const half = (p: number): number => chanceOf(successes, trials, p) / 2;
    ok(Math.abs(chanceBelow(successes, trials, high) + half(high) - 0.025) < 1e-9);
    ok(Math.abs(1 - chanceBelow(successes, trials, low) - half(low) - 0.025) < 1e-9);
  }
});

Deno.test("midInterval() gives Newcombe's examples (1998, Table I, method 6)", () => {
  deepEqual(rounded(midInterval(81, 263)), ["0.2544", "0.3658"]);
  deepEqual(rounded(midInterval(15, 148)), ["0.0601", "0.1581"]);
  deepEqual(rounded(midInterval(0, 20)), ["0.0000", "0.1391"]);
  deepEqual(rounded(midInterval(1, 29)), ["0.0017", "0.1585"]);
});

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

Deno.test("exactInterval() is exact: at its ends the chance of what was seen, or more extreme, is 0.025", () => {
  const chanceOfAtMost = (most: number, trials: number, p: number): number => {
    let [sum, term] = [0, (1 - p) ** trials];
    for (let k = 0; k <= most; k++) {
      sum += term;
      term *= ((trials - k) / (k + 1)) * (p / (1 - p));
    }
    return sum;
  };
  for (const [successes, trials] of [[3, 10], [1, 25], [24, 25], [250, 500]] as const) {
    const { low, high } = exactInterval(successes, trials);
    ok(Math.abs(chanceOfAtMost(successes, trials, high) - 0.025) < 1e-9);
    ok(Math.abs(1 - chanceOfAtMost(successes - 1, trials, low) - 0.025) < 1e-9);
  }
});

Deno.test.each([...intervals])("%s() refuses what is no count", (_name, interval) => {
  const cases = [
    [() => interval(0, 0), "Cannot give an interval as trials must be above 0: current value is 0"],
    [() => interval(3, 2), "Cannot give an interval as successes must be in [0, 2]: current value is 3"],
    [() => interval(NaN, 2), "Cannot give an interval as successes must be in [0, 2]: current value is NaN"],
    [() => interval(1, 2, { level: 95 }), "Cannot give an interval as level must be in (0, 1): current value is 95"],
  ] as const;
  for (const [call, message] of cases) throws(call, { name: "RangeError", message });
});
