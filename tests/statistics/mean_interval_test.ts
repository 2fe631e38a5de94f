import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { coverage, mixture, shareFound, UNIFORM, yesNo } from "./_draw_scores.ts";
import { exactInterval, meanInterval, midInterval, wilsonInterval } from "@/lib/statistics/mod.ts";

const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });

Deno.test("meanInterval() is the mid-p interval for yes/no scores", () => {
  const values = Object.freeze([1, 0, 1, 1, 1, 0, 1, 1, 1, 1]);
  const { mean, low, high, n, effectiveSize } = meanInterval(values);
  const mid = midInterval(8, 10);
  equal(mean, 0.8);
  equal(n, 10);
  ok(Math.abs(effectiveSize - 10) < 1e-9);
  ok(Math.abs(low - mid.low) < 1e-9 && Math.abs(high - mid.high) < 1e-9);
});

Deno.test("meanInterval() of ones only is as wide as Wilson's, and no point", () => {
  for (const n of [5, 25, 500]) {
    const { low, high } = meanInterval(Array(n).fill(1));
    const wilson = wilsonInterval(n, n);
    ok(Math.abs((high - low) / (wilson.high - wilson.low) - 1) < 0.25);
  }
});

Deno.test("meanInterval() of shares is narrower than of yes/no answers with the same mean", () => {
  const shares = meanInterval(Array.from({ length: 100 }, (_, index) => index % 2 === 0 ? 0.75 : 1));
  // Variance (1/8)², of yes/no answers 7/64: the design effect is drawn from 1/7 to 1 by 2 of 102 answers.
  const drawn = (100 * 0.875 + 1) / 102;
  const pseudo = 2 * drawn * (1 - drawn);
  ok(Math.abs(100 / shares.effectiveSize - (100 / 64 + pseudo) / ((700 / 64) + pseudo)) < 1e-9);
  ok(shares.high - shares.low < 0.6 * (exactInterval(87.5, 100).high - exactInterval(87.5, 100).low));
});

Deno.test("meanInterval() holds the mean, stays in [0, 1], mirrors and never depends on the order", () => {
  fc.assert(fc.property(scores, (values) => {
    const { mean, low, high } = meanInterval(values);
    const mirrored = meanInterval(values.map((value) => 1 - value));
    ok(0 <= low && low <= mean + 1e-9 && mean - 1e-9 <= high && high <= 1 && high - low > 1e-6);
    ok(Math.abs(mirrored.low - (1 - high)) < 1e-6 && Math.abs(mirrored.high - (1 - low)) < 1e-6);
    deepEqual(meanInterval(values.toReversed()), { ...meanInterval(values) });
  }));
});

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
  "meanInterval() at 95%% covers the true mean in at least 93%% of 2,000 seeded draws of 5, 25 and 100 scores: %s",
  (_name, source) => {
    for (const n of [5, 25, 100]) {
      const share = coverage((draw) => {
        const { low, high } = meanInterval(Array.from({ length: n }, () => source.draw(draw)));
        return { low, high, truth: source.mean };
      }, `${source.name} ${n}`);
      ok(share >= 0.93, `${source.name}, ${n} scores: covered ${share}`);
    }
  },
);

Deno.test("meanInterval() of 500 shares covers the true mean in 93% to 97.5% of seeded draws: it is not idle", () => {
  const source = shareFound(5, 0.8);
  const share = coverage((draw) => {
    const { low, high } = meanInterval(Array.from({ length: 500 }, () => source.draw(draw)));
    return { low, high, truth: source.mean };
  }, "500 shares");
  ok(share >= 0.93 && share <= 0.975, `covered ${share}`);
});

Deno.test("meanInterval() of scores nearly alike but for one zero in a hundred covers at least 85%: the limit of the method", () => {
  const source = mixture("seldom wholly wrong", [[0.8, 0.99], [0, 0.01]]);
  const share = coverage((draw) => {
    const { low, high } = meanInterval(Array.from({ length: 200 }, () => source.draw(draw)));
    return { low, high, truth: source.mean };
  }, "seldom wholly wrong");
  ok(share >= 0.85 && share < 0.93, `covered ${share}`);
});

Deno.test("meanInterval() refuses an empty list and scores outside [0, 1]", () => {
  throws(() => meanInterval([]), {
    name: "RangeError",
    message: "Cannot estimate a mean as values must hold at least one number: current value is 0",
  });
  for (const [value, said] of [[1.2, "1.2"], [-0.1, "-0.1"], [NaN, "NaN"]] as const) {
    throws(() => meanInterval([1, value]), {
      name: "RangeError",
      message: `Cannot estimate a mean as each value must be in [0, 1]: current value is ${said}`,
    });
  }
});
