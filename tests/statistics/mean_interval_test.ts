import { meanInterval, meanOfMeans } from "@/lib/statistics/mean_interval.ts";
import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { CHANCE, coverage, mixture, type ScoreSource, shareFound, UNIFORM, yesNo } from "./_draws.ts";
import { independent } from "@/lib/statistics/units.ts";
import { exactInterval, midInterval, shareCoverage } from "@/lib/statistics/mod.ts";

const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });

Deno.test("meanInterval() is the mid-p interval for yes/no scores", () => {
  const values = Object.freeze([1, 0, 1, 1, 1, 0, 1, 1, 1, 1]);
  const { mean, low, high, n, effectiveSize } = meanInterval(independent(values));
  const mid = midInterval(8, 10);
  equal(mean, 0.8);
  equal(n, 10);
  ok(Math.abs(effectiveSize - 10) < 1e-9);
  ok(Math.abs(low - mid.low) < 1e-9 && Math.abs(high - mid.high) < 1e-9);
});

Deno.test("meanInterval() of shares is narrower than of yes/no answers with the same mean", () => {
  const shares = meanInterval(independent(Array.from({ length: 100 }, (_, index) => index % 2 === 0 ? 0.75 : 1)));
  const { low, high } = midInterval(0.875 * shares.effectiveSize, shares.effectiveSize);
  ok(Math.abs(high - low - (shares.high - shares.low)) < 1e-4);
  ok(shares.high - shares.low < 0.6 * (exactInterval(87.5, 100).high - exactInterval(87.5, 100).low));
});

Deno.test("meanInterval() contains the mean, stays in [0, 1], mirrors and never depends on the order", () => {
  fc.assert(fc.property(scores, (values) => {
    const { mean, low, high } = meanInterval(independent(values));
    const mirrored = meanInterval(independent(values.map((value) => 1 - value)));
    ok(0 <= low && low <= mean + 1e-9 && mean - 1e-9 <= high && high <= 1 && high - low > 1e-6);
    ok(Math.abs(mirrored.low - (1 - high)) < 1e-6 && Math.abs(mirrored.high - (1 - low)) < 1e-6);
    deepEqual(meanInterval(independent(values.toReversed())), { ...meanInterval(independent(values)) });
  }));
});

/** How often the interval of some scores of a source holds its mean. */
function coverageOf(source: ScoreSource, n: number, seed = `${source.name} ${n}`): number {
  return coverage((draw) => {
    const { low, high } = meanInterval(independent(Array.from({ length: n }, () => source.draw(draw))));
    return { low, high, truth: source.mean };
  }, seed);
}

const sources = [
  yesNo(0.5),
  yesNo(0.9),
  yesNo(0.99),
  shareFound(3, 0.85),
  shareFound(4, 0.98),
  shareFound(10, 0.6),
  UNIFORM,
  mixture("mostly 1, seldom 0.75, rarely 0", [[1, 0.8], [0.75, 0.18], [0, 0.02]]),
];

Deno.test.each(sources.map((source) => [source.name, source] as const))(
  "meanInterval() at 95%% covers the true mean in at least 93%% of seeded draws of 5, 25 and 100 scores: %s",
  (_name, source) => {
    for (const n of [5, 25, 100]) {
      const share = coverageOf(source, n);
      ok(share >= 0.93 - CHANCE, `${source.name}, ${n} scores: covered ${share}`);
    }
  },
);

Deno.test("meanInterval() of 500 shares covers the true mean in 93% to 97.5% of seeded draws: it is not idle", () => {
  const share = coverageOf(shareFound(5, 0.8), 500, "500 shares");
  ok(share >= 0.93 - CHANCE && share <= 0.975 + CHANCE, `covered ${share}`);
});

Deno.test("meanInterval() of almost equal scores with one zero in a hundred covers at least 93%", () => {
  const source = mixture("seldom wholly wrong", [[0.8, 0.99], [0, 0.01]]);
  const share = coverageOf(source, 200, source.name);
  ok(share >= 0.93 - CHANCE, `covered ${share}`);
});

Deno.test("meanInterval() refuses an empty list and scores outside [0, 1]", () => {
  throws(() => meanInterval(independent([])), {
    name: "RangeError",
    message: "Cannot estimate a mean as values must hold at least one number: current value is 0",
  });
  for (const [value, said] of [[1.2, "1.2"], [-0.1, "-0.1"], [NaN, "NaN"]] as const) {
    throws(() => meanInterval(independent([1, value])), {
      name: "RangeError",
      message: `Cannot estimate a mean as each value must be in [0, 1]: current value is ${said}`,
    });
  }
});

const taskScores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });

Deno.test("meanOfMeans() of one task is its own interval", () => {
  fc.assert(fc.property(taskScores, (values) => {
    const one = meanInterval(independent(values));
    const { mean, low, high, n } = meanOfMeans([one]);
    equal(n, one.n);
    ok(Math.abs(mean - one.mean) < 1e-9 && Math.abs(low - one.low) < 1e-6 && Math.abs(high - one.high) < 1e-6);
  }));
});

Deno.test("meanOfMeans() of 13 tasks without a failure is the mid-p interval of all their answers", () => {
  const { low, high, n } = meanOfMeans(Array(13).fill(meanInterval(independent(Array(25).fill(1)))));
  equal(n, 325);
  ok(Math.abs(low - midInterval(325, 325).low) < 1e-9);
  equal(high, 1);
});

Deno.test("meanOfMeans() is wide where tasks are always or never right: 1 / effective size is the sum of variances", () => {
  // Two tasks of 10, means 1 and 0: each is drawn to (10 + 2 * 0.5) / 12 = 11/12. That of equal tasks would lose
  // 10 (1 - 1/2) / 12² of its variance, so the variance is 2/4 * (11/144) / (1 - 5/144) / 10.
  const { effectiveSize } = meanOfMeans([
    meanInterval(independent(Array(10).fill(1))),
    meanInterval(independent(Array(10).fill(0))),
  ]);
  ok(Math.abs(effectiveSize - 0.25 / (0.5 * (11 / 139) / 10)) < 1e-9);
});

Deno.test("meanOfMeans() contains the mean, stays in [0, 1] and does not depend on the order of tasks", () => {
  fc.assert(fc.property(fc.array(taskScores, { minLength: 1, maxLength: 13 }), (tasks) => {
    const estimates = tasks.map((values) => meanInterval(independent(values)));
    const { mean, low, high } = meanOfMeans(estimates);
    const other = meanOfMeans(estimates.toReversed());
    ok(0 <= low && low <= mean + 1e-9 && mean - 1e-9 <= high && high <= 1 && high > low);
    ok(Math.abs(other.low - low) < 1e-6 && Math.abs(other.high - high) < 1e-6);
  }));
});

const suites = [
  ["13 tasks, all nearly perfect", Array(13).fill(yesNo(0.99))],
  ["13 tasks, all alike", Array(13).fill(yesNo(0.9))],
  ["13 tasks of every kind", [
    ...Array(4).fill(yesNo(0.99)),
    yesNo(0.9),
    yesNo(0.9),
    shareFound(4, 0.98),
    shareFound(4, 0.9),
    mixture("all or the first", [[1, 0.9], [0.2, 0.1]]),
    shareFound(10, 0.6),
    shareFound(3, 0.85),
    yesNo(0.5),
    yesNo(0.8),
  ]],
  ["2 tasks", [yesNo(0.5), yesNo(0.9)]],
] as const;

Deno.test.each([...suites])(
  "meanOfMeans() at 95%% covers the true mean in at least 92%% of seeded draws of 5 and 25 samples a task: %s",
  (name, sources) => {
    const truth = sources.reduce((sum, { mean }) => sum + mean, 0) / sources.length;
    for (const n of [5, 25]) {
      const share = coverage((draw) => {
        const tasks = sources.map((source) =>
          meanInterval(independent(Array.from({ length: n }, () => source.draw(draw))))
        );
        return { ...meanOfMeans(tasks), truth };
      }, `${name} ${n}`);
      // The mid-p interval's worst is 92%: here 65 yes/no answers of which 90% are right.
      ok(share >= 0.92 - CHANCE, `${name}, ${n} samples: covered ${share}`);
    }
  },
);

Deno.test("meanOfMeans() refuses no tasks", () => {
  throws(() => meanOfMeans([]), {
    name: "RangeError",
    message: "Cannot estimate a mean of means as there must be at least one mean: current value is 0",
  });
});

Deno.test("shareCoverage() is the chance of the numbers of successes whose interval contains the share: 1 - 0.9^3 - 0.1^3", () => {
  const middle = (successes: number): { readonly low: number; readonly high: number } =>
    successes === 1 || successes === 2 ? { low: 0, high: 1 } : { low: 0.5, high: 0.6 };
  ok(Math.abs(shareCoverage(middle, { trials: 3, share: 0.1 }) - (1 - 0.9 ** 3 - 0.1 ** 3)) < 1e-12);
});

Deno.test("meanOfMeans() of ones is 1, in whatever order their weights are added", () => {
  const estimates = [0.5, 0.1, 0.8, 0.4].map((cells) => ({ ...meanInterval(independent([1, 1, 1])), cells }));
  const { mean, high } = meanOfMeans(estimates);
  deepEqual([mean, high], [1, 1]);
});
