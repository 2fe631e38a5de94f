import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { anytimeTest, exactInterval } from "@/lib/analysis/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { shareFound, yesNo } from "./_draw_scores.ts";

Deno.test("anytimeTest() needs 8 right answers to tell a mean from a half: an eighth of 1.9⁸ and of seven smaller bets exceeds 20", () => {
  const wealth = (values: number): number =>
    Array.from({ length: 8 }, (_, place) => (1 + 0.9 * 0.02 ** (place / 7)) ** values / 8)
      .reduce((sum, purse) => sum + purse, 0);
  ok(wealth(7) < 20 && wealth(8) > 20);
  deepEqual(anytimeTest(Array(7).fill(1), { threshold: 0.5 }), { side: null, values: null });
  deepEqual(anytimeTest(Array(8).fill(1), { threshold: 0.5 }), { side: "above", values: 8 });
  deepEqual(anytimeTest(Array(8).fill(0), { threshold: 0.5 }), { side: "below", values: 8 });
});

const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 });
const threshold = fc.double({ min: 0.05, max: 0.95, noNaN: true });

Deno.test("anytimeTest() mirrors, and keeps its verdict whatever comes after", () => {
  fc.assert(fc.property(values, values, threshold, (before, after, at) => {
    const verdict = anytimeTest(before, { threshold: at });
    const mirrored = anytimeTest(before.map((value) => 1 - value), { threshold: 1 - at });
    const turned = { above: "below", below: "above" } as const;
    equal(mirrored.side, verdict.side === null ? null : turned[verdict.side]);
    if (verdict.side !== null) deepEqual(anytimeTest([...before, ...after], { threshold: at }), verdict);
  }));
});

Deno.test.each(
  [yesNo(0.5), yesNo(0.856), yesNo(0.05), shareFound(13, 0.856)].map((source) => [source.name, source] as const),
)(
  "anytimeTest() is wrong in at most 5%% of 1,000 runs that are looked at 300 times, where the mean is the threshold: %s",
  (_name, source) => {
    const sides = Array.from({ length: 1000 }, (_, run) => {
      const draw = stream("at the threshold", source.name, run);
      return anytimeTest(Array.from({ length: 300 }, () => source.draw(draw)), { threshold: source.mean }).side;
    });
    for (const side of ["above", "below"]) {
      const share = sides.filter((found) => found === side).length / sides.length;
      ok(share <= 0.05, `${side} in ${share}`);
    }
  },
);

Deno.test("an ordinary interval that is looked at after every answer is wrong in more than 20% of runs: why anytimeTest() is not one", () => {
  const limits = Array.from({ length: 301 }, (_, n) => n === 0 ? [] : lookUp(n));
  const share = Array.from({ length: 300 }, (_, run) => {
    const draw = stream("looking", run);
    let right = 0;
    return limits.some((limit, n) => {
      if (n === 0) return false;
      right += Number(draw() < 0.5);
      return limit[right];
    });
  }).filter((isWrong) => isWrong).length / 300;
  ok(share > 0.2, `wrong in ${share}`);
});

/** For each number of right answers of n, whether the exact interval leaves out a half. */
function lookUp(n: number): boolean[] {
  // Every tenth look is enough to show it, and quick.
  if (n % 10 > 0) return [];
  return Array.from({ length: n + 1 }, (_, right) => {
    const { low, high } = exactInterval(right, n);
    return low > 0.5 || high < 0.5;
  });
}

Deno.test("anytimeTest() settles 10 points in about 30 rounds of 13 tasks, and 30 points in fewer than 10", () => {
  const medianOf = (mean: number): number => {
    const took = Array.from({ length: 101 }, (_, run) => {
      const [draw, source] = [stream("took", mean, run), shareFound(13, mean)];
      const rounds = Array.from({ length: 300 }, () => source.draw(draw));
      return anytimeTest(rounds, { threshold: 0.856, errorChance: 0.05 / 6 }).values ?? 301;
    });
    return took.sort((left, right) => left - right)[50]!;
  };
  ok(medianOf(0.756) <= 30);
  ok(medianOf(0.556) <= 9);
});

Deno.test("anytimeTest() refuses thresholds and chances outside (0, 1)", () => {
  throws(() => anytimeTest([1], { threshold: 85.6 }), {
    name: "RangeError",
    message: "Cannot test a mean as threshold must be in (0, 1): current value is 85.6",
  });
  throws(() => anytimeTest([1], { threshold: 0.5, errorChance: 0 }), {
    name: "RangeError",
    message: "Cannot test a mean as errorChance must be in (0, 1): current value is 0",
  });
});
