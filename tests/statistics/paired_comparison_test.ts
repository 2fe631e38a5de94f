import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { drawPairs, pairs, type PairSource } from "./_draw_pairs.ts";
import { coverage } from "./_draw_scores.ts";
import { shuffle, stream } from "@/lib/random/mod.ts";
import { pairedComparison, unpairedComparison } from "@/lib/statistics/comparison.ts";

const SUITES: readonly (readonly [string, readonly PairSource[]])[] = [
  ["yes/no, 90 and 80%", [pairs(0.9, 0.8)]],
  ["yes/no, 99 and 97%", [pairs(0.99, 0.97)]],
  ["yes/no, 99 and 60%", [pairs(0.99, 0.6)]],
  ["quarters, 90 and 80%", [pairs(0.9, 0.8, 4)]],
  ["tenths, 70 and 60%", [pairs(0.7, 0.6, 10)]],
  ["13 tasks", [
    ...Array(5).fill(pairs(0.99, 0.985)),
    ...[0.95, 0.9, 0.85, 0.7].map((first) => pairs(first, first - 0.1)),
    pairs(0.97, 0.93, 4),
    pairs(0.9, 0.8, 5),
    pairs(0.8, 0.7, 10),
    pairs(0.98, 0.95, 4),
  ]],
];

function meanDifference(sources: readonly PairSource[]): number {
  return 100 * sources.reduce((sum, { first, second }) => sum + first - second, 0) / sources.length;
}

Deno.test.each([...SUITES])(
  "pairedComparison() covers the true difference in at least 93%% of seeded draws of 10 and 50 pairs a task: %s",
  (name, sources) => {
    for (const n of [10, 50]) {
      const share = coverage((draw) => {
        const { low, high } = pairedComparison(drawPairs(sources, n, draw), { draws: 99 });
        return { low, high, truth: meanDifference(sources) };
      }, `paired ${name} ${n}`);
      ok(share >= 0.93, `${n} pairs: covered ${share}`);
    }
  },
);

Deno.test("pairedComparison() of 500 pairs covers the true difference in 93 to 97% of draws: it is not idle", () => {
  const share = coverage((draw) => {
    const { low, high } = pairedComparison(drawPairs([pairs(0.9, 0.85)], 500, draw), { draws: 99 });
    return { low, high, truth: 5 };
  }, "500 pairs");
  ok(share >= 0.93 && share <= 0.97, `covered ${share}`);
});

Deno.test("pairedComparison() finds a difference more often than unpairedComparison() does with the same scores", () => {
  const found = { paired: 0, unpaired: 0 };
  for (let run = 0; run < 60; run++) {
    const drawn = drawPairs([pairs(0.9, 0.8, 4)], 60, stream("power", run));
    const groups = [{ first: drawn.map(({ first }) => first), second: drawn.map(({ second }) => second) }];
    found.paired += Number(pairedComparison(drawn, { draws: 199 }).p <= 0.05);
    found.unpaired += Number(unpairedComparison(groups, { draws: 199 }).p <= 0.05);
  }
  ok(found.paired > found.unpaired + 5, `${found.paired} and ${found.unpaired}`);
});

Deno.test("pairedComparison() weighs tasks alike, turns round with the models and does not depend on the order of pairs", () => {
  const uneven = [...Array(10).fill({ task: "a", first: 1, second: 0 }), { task: "b", first: 0, second: 0.5 }];
  equal(pairedComparison(uneven).difference, 25);
  const drawn = drawPairs([pairs(0.9, 0.7, 4), pairs(0.5, 0.6)], 20, stream("law"));
  const there = pairedComparison(drawn);
  const back = pairedComparison(drawn.map(({ task, first, second }) => ({ task, first: second, second: first })));
  for (const [one, other] of [[there.low, -back.high], [there.high, -back.low], [there.p, back.p]] as const) {
    ok(Math.abs(one - other) < 1e-9);
  }
  const shuffled = pairedComparison(shuffle(stream("order"), drawn));
  ok(Math.abs(shuffled.low - there.low) < 1e-9 && Math.abs(shuffled.p - there.p) < 0.02);
});

Deno.test("pairedComparison() of models that never differ keeps an interval, and of one pair tells nothing", () => {
  const same = pairedComparison(Array(25).fill({ task: "a", first: 1, second: 1 }));
  deepEqual([same.difference, same.p], [0, 1]);
  ok(same.low < -5 && same.high > 5);
  const one = pairedComparison([{ task: "a", first: 1, second: 0 }]);
  equal(one.p, 1);
  ok(one.low < 0 && one.high === 100, `${one.low} ${one.high}`);
});

Deno.test("pairedComparison() refuses no pairs and scores outside [0, 1]", () => {
  throws(() => pairedComparison([]), {
    name: "RangeError",
    message: "Cannot compare two models as they must share at least one sample: current value is 0",
  });
  throws(() => pairedComparison([{ task: "a", first: 90, second: 0 }]), {
    name: "RangeError",
    message: "Cannot estimate a mean as each value must be in [0, 1]: current value is 90",
  });
});
