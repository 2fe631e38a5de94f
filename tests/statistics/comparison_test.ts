import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { gammaln } from "simple-statistics";
import { cases } from "../_cases.ts";
import { CHANCE, compareTaskPairs, coverage, drawPairs, pairs, type PairSource, shareFound, yesNo } from "./_draws.ts";
import { shuffle, stream } from "@/lib/random/mod.ts";
import { unpairedComparison } from "@/lib/statistics/depth_scores.ts";
import { independent } from "@/lib/statistics/units.ts";
import { meanInterval } from "@/lib/statistics/mean_interval.ts";
import {
  comparePairs,
  differenceInterval,
  pairedComparison,
  type PairedRow,
  pairRecords,
  type RunReply,
} from "@/lib/statistics/mod.ts";
import type { ScorePair } from "@/lib/statistics/comparison.ts";

/** Compares two models pair by pair, by task; the difference is first minus second. */
function compare(first: readonly RunReply[], second: readonly RunReply[]): readonly PairedRow[] {
  return comparePairs([pairRecords(second, first).pairs], { by: ["task"] }).rows[0]!;
}

/** A record of a sample; a value of `null` is a failed call, and "" an empty reply. */
function of(index: number, value: number | null | "", task = "vt"): RunReply {
  return {
    task,
    length: 4096,
    value: value === "" ? null : value,
    failed: value === null,
    noAnswer: value === "",
    record: { index, seed: "42" },
  };
}

Deno.test("pairRecords() pairs by sample, drops failed calls, and scores empty replies 0", () => {
  const first = Object.freeze([of(0, 1), of(1, 0.5), of(2, null), of(3, 1), of(4, "")]);
  const second = Object.freeze([of(4, 1), of(3, null), of(2, 1), of(1, 1), of(9, 0)]);
  const [row] = compare(first, second);
  deepEqual([row?.n, row?.other, row?.baseline], [2, 25, 100]);
});

Deno.test.each(
  [
    // One comparison, six pairs that all differ: 2 of 64 sign patterns; five: 2 of 32.
    [6, ["vt"], "other"],
    [5, ["vt"], null],
    // Two tasks of six: twice 2 in 64 is above 5%; of seven: twice 2 in 128 is below.
    [6, ["vt", "cwe"], null],
    [7, ["vt", "cwe"], "other"],
  ] as [number, string[], string | null][],
)("comparePairs() of %d pairs that all differ, in tasks %j: %j is higher", (n, tasks, higher) => {
  const model = (value: number) =>
    tasks.flatMap((task) => Array.from({ length: n }, (_, index) => of(index, value, task)));
  deepEqual(compare(model(1), model(0)).map((row) => row.higher), tasks.map(() => higher));
});

Deno.test("pairedComparison() of partial scores keeps its intervals", () => {
  const first = [{ first: 1, second: 0.5 }, { first: 0.25, second: 0.5 }, { first: 0.75, second: 0 }, {
    first: 0.5,
    second: 0.5,
  }];
  const other = [{ first: 1, second: 0 }, { first: 0.5, second: 0.75 }];
  const one = pairedComparison([first]);
  deepEqual([one.low.toFixed(6), one.high.toFixed(6), one.p.toFixed(6)], ["-40.014863", "68.559058", "0.500000"]);
  const two = pairedComparison([first, other]);
  deepEqual([two.low.toFixed(6), two.high.toFixed(6), two.p.toFixed(6)], ["-31.180125", "66.859782", "0.437500"]);
});

Deno.test("pairRecords() does not depend on the order of the records", () => {
  const first = Array.from({ length: 9 }, (_, index) => of(index, index / 9));
  const second = Array.from({ length: 9 }, (_, index) => of(index + 3, index / 9));
  const shuffled = pairRecords(shuffle(stream("a"), first), shuffle(stream("b"), second));
  deepEqual(shuffled, pairRecords(first, second));
});

Deno.test("pairRecords() refuses two records of one sample", () => {
  throws(() => pairRecords([of(7, 1), of(7, 0)], []), {
    name: "RangeError",
    message: "Cannot match samples as each must occur once per model: current value is vt, 4096 tokens, number 7 twice",
  });
});

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
  "comparePairs() covers the true difference in at least 93%% of seeded draws of 10 and 50 pairs a task: %s",
  (name, sources) => {
    for (const n of cases([10], [10, 50])) {
      // Intervals of graded scores take milliseconds each.
      const share = coverage(
        (draw) => {
          const { low, high } = compareTaskPairs(drawPairs(sources, n, draw), 99);
          return { low, high, truth: meanDifference(sources) };
        },
        `paired ${name} ${n}`,
        cases(250, 1000),
      );
      ok(share >= 0.93 - CHANCE, `${n} pairs: covered ${share}`);
    }
  },
);

Deno.test("comparePairs() of 500 pairs covers the true difference in 93 to 97% of draws: it is not idle", () => {
  const share = coverage((draw) => {
    const { low, high } = compareTaskPairs(drawPairs([pairs(0.9, 0.85)], 500, draw), 99);
    return { low, high, truth: 5 };
  }, "500 pairs");
  ok(share >= 0.93 - CHANCE && share <= 0.97 + CHANCE, `covered ${share}`);
});

Deno.test("comparePairs() finds a difference more often than unpairedComparison() does with the same scores", () => {
  const found = { paired: 0, unpaired: 0 };
  for (let run = 0; run < 60; run++) {
    const drawn = drawPairs([pairs(0.9, 0.8, 4)], 60, stream("power", run));
    const groups = [{ first: drawn.map(({ first }) => first), second: drawn.map(({ second }) => second) }];
    found.paired += Number(compareTaskPairs(drawn, 199).p <= 0.05);
    found.unpaired += Number(unpairedComparison(groups, 199).p <= 0.05);
  }
  ok(found.paired > found.unpaired + 5, `${found.paired} and ${found.unpaired}`);
});

Deno.test("comparePairs() gives tasks equal weight, changes sign with the models swapped and does not depend on the order of pairs", () => {
  const uneven = [...Array(10).fill({ task: "a", first: 1, second: 0 }), { task: "b", first: 0, second: 0.5 }];
  equal(compareTaskPairs(uneven).difference, 25);
  const drawn = drawPairs([pairs(0.9, 0.7, 4), pairs(0.5, 0.6)], 20, stream("law"));
  const there = compareTaskPairs(drawn);
  const back = compareTaskPairs(drawn.map(({ task, first, second }) => ({ task, first: second, second: first })));
  for (const [one, other] of [[there.low, -back.high], [there.high, -back.low], [there.p, back.p]] as const) {
    ok(Math.abs(one - other) < 1e-9);
  }
  const shuffled = compareTaskPairs(shuffle(stream("order"), drawn));
  ok(Math.abs(shuffled.low - there.low) < 1e-9 && Math.abs(shuffled.p - there.p) < 0.02);
});

Deno.test("comparePairs() of models that never differ keeps an interval, and of one pair decides nothing", () => {
  const same = compareTaskPairs(Array(25).fill({ task: "a", first: 1, second: 1 }));
  deepEqual([same.difference, same.p], [0, 1]);
  ok(same.low < -5 && same.high > 5);
  const one = compareTaskPairs([{ task: "a", first: 1, second: 0 }]);
  equal(one.p, 1);
  ok(one.low < 0 && one.high === 100, `${one.low} ${one.high}`);
});

Deno.test("pairedComparison() of Bentur's 21 children before and after a transplantation is near the recommended intervals", () => {
  // 1 had it both times, 1 only before, 7 only after, 12 never. Tango's score interval with Laud's correction of its skewness
  // (ratesci's scorepairci) is -52.8 to -1.8, Bonett and Price's -50.8 to -1.4; see Fagerland, Lydersen and Laake (2014).
  const { difference, low, high } = pairedComparison([yesNoPairs({ n: 21, gains: 1, losses: 7, both: 1 })]);
  ok(Math.abs(difference + 100 * 6 / 21) < 1e-9);
  ok(Math.abs(low + 52.5) < 2.5 && Math.abs(high + 1.6) < 2.5, `${low} ${high}`);
});

Deno.test("pairedComparison() of 15 pairs in nine tasks of which one differs has 0 well inside its interval", () => {
  const same = { first: 1, second: 1 };
  const tasks = [[same], ...Array(6).fill([same, same]), [same], [{ first: 1, second: 0 }]];
  const { difference, low, high, p } = pairedComparison(tasks);
  deepEqual([difference.toFixed(1), p], ["11.1", 1]);
  ok(low < -5 && high > 25, `${low} ${high}`);
});

Deno.test("pairedComparison() covers the true difference of 5, 9 and 15 yes/no pairs with a chance of at least 92.5%, however few differ", () => {
  for (const n of [5, 9, 15]) {
    const counts = Array.from(
      { length: n + 1 },
      (_, gains) => Array.from({ length: n + 1 - gains }, (_, losses) => [gains, losses]),
    );
    const outcomes = counts.flat().map(([gains, losses]) => ({
      ...{ gains: gains!, losses: losses! },
      ...pairedComparison([yesNoPairs({ n, gains: gains!, losses: losses! })]),
    }));
    for (const differing of [0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 0.95, 1]) {
      for (const gaining of [0, 0.2, 0.5].map((share) => share * differing)) {
        const truth = 100 * (2 * gaining - differing);
        const covered = outcomes.filter(({ low, high }) => low <= truth + 1e-9 && truth <= high + 1e-9)
          .reduce(
            (sum, { gains, losses }) =>
              sum + chanceOf([gains, losses, n - gains - losses], [gaining, differing - gaining, 1 - differing]),
            0,
          );
        ok(covered >= 0.925, `${n} pairs, ${differing} differ, ${gaining} gain: covered ${covered}`);
      }
    }
  }
});

Deno.test("pairedComparison() of tasks of one or two pairs covers the true difference in at least 93% of seeded draws", () => {
  for (const lost of [0.05, 0.3]) {
    const share = coverage((draw) => {
      const tasks = [1, 2, 2, 1, 2, 2, 2, 1, 2].map((n) =>
        Array.from({ length: n }, () => draw() < lost ? { first: 0, second: 1 } : { first: 1, second: 1 })
      );
      return { ...pairedComparison(tasks), truth: -100 * lost };
    }, `few pairs ${lost}`);
    ok(share >= 0.93 - CHANCE, `${lost} lost: covered ${share}`);
  }
});

/** Pairs of yes/no scores: so many gained, lost and right in both; the rest wrong in both. */
function yesNoPairs(
  { n, gains, losses, both = 0 }: {
    readonly n: number;
    readonly gains: number;
    readonly losses: number;
    readonly both?: number;
  },
): readonly ScorePair[] {
  return Array.from(
    { length: n },
    (_, at): ScorePair =>
      at < gains
        ? { first: 1, second: 0 }
        : at < gains + losses
        ? { first: 0, second: 1 }
        : at < gains + losses + both
        ? { first: 1, second: 1 }
        : { first: 0, second: 0 },
  );
}

/** The multinomial probability of some counts. */
function chanceOf(counts: readonly number[], shares: readonly number[]): number {
  const n = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce(
    (chance, count, at) => chance * shares[at]! ** count / Math.round(Math.exp(gammaln(count + 1))),
    Math.round(Math.exp(gammaln(n + 1))),
  );
}

Deno.test("unpairedComparison() of one task is Newcombe's interval of the two means", () => {
  const [first, second] = [[1, 1, 1, 0, 1, 1, 1, 1], [1, 0, 0, 1, 0]];
  const { low, high, difference } = unpairedComparison([{ first, second }]);
  const [left, right] = [first, second].map((scores) => meanInterval(independent(scores))).map((
    { mean, low, high },
  ) => ({
    score: 100 * mean,
    low: 100 * low,
    high: 100 * high,
  }));
  const wanted = differenceInterval(left!, right!);
  ok(Math.abs(low - wanted.low) < 1e-6 && Math.abs(high - wanted.high) < 1e-6);
  equal(difference, wanted.score);
});

Deno.test("unpairedComparison() covers the true difference in at least 93% of draws of unequal groups", () => {
  const [left, right] = [yesNo(0.95), shareFound(4, 0.85)];
  const share = coverage((draw) => {
    const first = Array.from({ length: 40 }, () => left.draw(draw));
    const second = Array.from({ length: 15 }, () => right.draw(draw));
    return { ...unpairedComparison([{ first, second }], 99), truth: 10 };
  }, "unpaired");
  ok(share >= 0.93 - CHANCE, `covered ${share}`);
});

Deno.test("unpairedComparison() refuses a model without a score", () => {
  throws(() => unpairedComparison([{ first: [], second: [1] }]), {
    name: "RangeError",
    message: "Cannot compare two groups as each must hold at least one score: current value is 0",
  });
});
