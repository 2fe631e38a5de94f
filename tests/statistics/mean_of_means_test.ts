import { equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { coverage, mixture, shareFound, yesNo } from "./_draw_scores.ts";
import { meanInterval, meanOfMeans, midInterval } from "@/lib/statistics/mod.ts";

const task = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });

Deno.test("meanOfMeans() of one task is its own interval", () => {
  fc.assert(fc.property(task, (values) => {
    const one = meanInterval(values);
    const { mean, low, high, n } = meanOfMeans([one]);
    equal(n, one.n);
    ok(Math.abs(mean - one.mean) < 1e-9 && Math.abs(low - one.low) < 1e-6 && Math.abs(high - one.high) < 1e-6);
  }));
});

Deno.test("meanOfMeans() of 13 tasks without a failure is the mid-p interval of all their answers", () => {
  const { low, high, n } = meanOfMeans(Array(13).fill(meanInterval(Array(25).fill(1))));
  equal(n, 325);
  ok(Math.abs(low - midInterval(325, 325).low) < 1e-9);
  equal(high, 1);
});

Deno.test("meanOfMeans() takes a mean that only rounding parts from 1 for 1", () => {
  const almost = { mean: 1 - 2 ** -53, n: 10, effectiveSize: 10, low: 0.69, high: 1 };
  ok(Math.abs(meanOfMeans([almost, almost]).low - midInterval(20, 20).low) < 1e-9);
});

Deno.test("meanOfMeans() weighs tasks alike, whatever their number of samples", () => {
  const { mean } = meanOfMeans([meanInterval([1]), meanInterval(Array(99).fill(0))]);
  equal(mean, 0.5);
});

Deno.test("meanOfMeans() tells little of tasks that split evenly between always and never: 1 / effective size is the sum of variances", () => {
  // Two tasks of 10, means 1 and 0: each is drawn to (10 + 2 * 0.5) / 12 = 11/12; the variance is 2/4 * (11/144) / 10.
  const { effectiveSize } = meanOfMeans([meanInterval(Array(10).fill(1)), meanInterval(Array(10).fill(0))]);
  ok(Math.abs(effectiveSize - 0.25 / (0.5 * (11 / 144) / 10)) < 1e-9);
});

Deno.test("meanOfMeans() holds the mean, stays in [0, 1] and does not depend on the order of tasks", () => {
  fc.assert(fc.property(fc.array(task, { minLength: 1, maxLength: 13 }), (tasks) => {
    const estimates = tasks.map((values) => meanInterval(values));
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
  "meanOfMeans() at 95%% covers the true mean in at least 92%% of 2,000 seeded draws of 5 and 25 samples a task: %s",
  (name, sources) => {
    const truth = sources.reduce((sum, { mean }) => sum + mean, 0) / sources.length;
    for (const n of [5, 25]) {
      const share = coverage((draw) => {
        const tasks = sources.map((source) => meanInterval(Array.from({ length: n }, () => source.draw(draw))));
        return { ...meanOfMeans(tasks), truth };
      }, `${name} ${n}`);
      // The mid-p interval's worst is 92%: here 65 yes/no answers of which 90% are right.
      ok(share >= 0.92, `${name}, ${n} samples: covered ${share}`);
    }
  },
);

Deno.test("meanOfMeans() refuses no tasks", () => {
  throws(() => meanOfMeans([]), {
    name: "RangeError",
    message: "Cannot estimate a mean of means as there must be at least one mean: current value is 0",
  });
});
