import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../_cases.ts";
import { compareTaskPairs, type TaskPair } from "./_draws.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { unpairedComparison } from "@/lib/statistics/depth_scores.ts";
import { independent } from "@/lib/statistics/units.ts";
import { meanInterval } from "@/lib/statistics/mean_interval.ts";
import {
  expectedInterval,
  minimumDetectableDifference,
  planSamples,
  type SamplePlanOptions,
} from "@/lib/statistics/mod.ts";

Deno.test("planSamples() gives Fleiss, Levin and Paik's 40 against 60%: 97 in each group, 107 with steps of yes/no scores", () => {
  // z = 1.960 and 0.842; (1.960 sqrt(2 * 0.5 * 0.5) + 0.842 sqrt(0.24 + 0.24))² / 0.2² = 96.8, and 2 / 0.2 more.
  deepEqual(planSamples(20, { score: 60, paired: false }), { samples: 107, calls: 107 });
  const square = (1.959964 * Math.sqrt(0.5) + 0.841621 * Math.sqrt(0.48)) ** 2 / 0.04;
  equal(Math.ceil(square + 10), 107);
});

Deno.test("planSamples() gives Connor's number for pairs of which 30% differ", () => {
  // 60 and 50%, 0.3 = 0.6 * 0.5 + 0.4 * 0.5 - 2 r sqrt(0.24 * 0.25): (1.96 sqrt(0.3) + 0.842 sqrt(0.3 - 0.01))² / 0.01.
  const correlation = (0.5 - 0.3) / (2 * Math.sqrt(0.24 * 0.25));
  const connor = (1.959964 * Math.sqrt(0.3) + 0.841621 * Math.sqrt(0.29)) ** 2 / 0.01;
  equal(planSamples(10, { score: 60, correlation }).samples, Math.ceil(connor + 10));
});

Deno.test("planSamples() needs a thirteenth of the samples per task for the mean of 13 equal tasks", () => {
  const one = planSamples(3, { score: 90 });
  const all = planSamples(3, { score: 90, tasks: 13 });
  ok(Math.abs(all.calls - one.calls) < 13);
  deepEqual(planSamples(3, { score: Array(13).fill(90) }), all);
  // Ten tasks near 100% vary little.
  ok(planSamples(3, { score: [...Array(10).fill(99), 70, 60, 50] }).samples < all.samples);
});

const options = fc.record({
  score: fc.integer({ min: 50, max: 100 }),
  tasks: fc.integer({ min: 1, max: 13 }),
  paired: fc.boolean(),
  correlation: fc.double({ min: 0, max: 0.8, noNaN: true }),
});

Deno.test("planSamples() needs more for a smaller difference, more power, a higher level and more comparisons; less where correlated", () => {
  fc.assert(fc.property(options, fc.integer({ min: 2, max: 40 }), (wanted, difference) => {
    const { samples } = planSamples(difference, wanted);
    ok(planSamples(difference / 2, wanted).samples >= samples);
    for (const more of [{ power: 0.9 }, { level: 0.99 }, { comparisons: 20 }, { correlation: 0 }]) {
      ok(planSamples(difference, { ...wanted, ...more }).samples >= samples, JSON.stringify(more));
    }
    // Both are approximations: of a few dozen samples they can miss by one.
    ok(planSamples(difference, { ...wanted, paired: false }).samples >= samples - 1);
  }));
});

/** Two models that find each of some facts with chances; a share of samples are alike for both, and the rest independent. */
interface World {
  readonly better: number;
  readonly worse: number;
  readonly alike: number;
  readonly facts: number;
}

function drawPair(
  { better, worse, alike, facts }: World,
  draw: Draw,
): { readonly first: number; readonly second: number } {
  const isAlike = draw() < alike;
  const found = { first: 0, second: 0 };
  for (let fact = 0; fact < facts; fact++) {
    const luck = draw();
    found.first += Number(luck < better);
    found.second += Number((isAlike ? luck : draw()) < worse);
  }
  return { first: found.first / facts, second: found.second / facts };
}

function planFor({ better, worse, alike }: World, more: Partial<SamplePlanOptions>): number {
  const variance = Math.sqrt(better * (1 - better) * worse * (1 - worse));
  return planSamples(100 * (better - worse), {
    score: 100 * better,
    correlation: more.paired === false ? 0 : alike * (worse - better * worse) / variance,
    ...more,
  }).samples;
}

/** How much farther the power of few runs is off: two standard errors of 80% in 60. */
const CHANCE = cases(0.1, 0);

const WORLDS: readonly (readonly [string, World, number, number])[] = [
  ["yes/no, 10 points", { better: 0.9, worse: 0.8, alike: 0.5, facts: 1 }, 1, 300],
  ["yes/no, 20 points", { better: 0.9, worse: 0.7, alike: 0.5, facts: 1 }, 1, 300],
  ["quarters, 10 points", { better: 0.9, worse: 0.8, alike: 0.5, facts: 4 }, 1, 100],
  ["tenths, 20 points", { better: 0.9, worse: 0.7, alike: 0.5, facts: 10 }, 1, 100],
  ["the mean of 13 tasks, 5 points", { better: 0.9, worse: 0.85, alike: 0.5, facts: 1 }, 13, 150],
];

/** Scores of several facts vary less than yes/no scores, for which a plan is made. */
const most = (wanted: number, { facts }: World): number => facts > 1 ? 1 : wanted + CHANCE;

Deno.test.each([...WORLDS])(
  "planSamples() has a power of 80%% for the paired test, within 7 points in simulated runs: %s",
  (name, world, tasks, simulated) => {
    const runs = cases(60, simulated);
    const samples = planFor(world, { tasks });
    const found = Array.from({ length: runs }, (_, run) => {
      const draw = stream("paired power", name, run);
      const pairs = Array.from({ length: samples * tasks }, (_, at): TaskPair => (
        { task: `task ${at % tasks}`, ...drawPair(world, draw) }
      ));
      return compareTaskPairs(pairs, 399).p <= 0.05;
    }).filter((isFound) => isFound).length;
    ok(found / runs >= 0.73 - CHANCE && found / runs <= most(0.87, world), `${samples} samples: power ${found / runs}`);
  },
);

Deno.test.each([...WORLDS])(
  "planSamples() has a power of 80%% for the unpaired test, within 8 points in simulated runs: %s",
  (name, world, tasks, simulated) => {
    const runs = cases(60, Math.min(simulated, 200));
    const samples = planFor(world, { tasks, paired: false });
    const found = Array.from({ length: runs }, (_, run) => {
      const draw = stream("unpaired power", name, run);
      const groups = Array.from({ length: tasks }, () => ({
        first: Array.from({ length: samples }, () => drawPair(world, draw).first),
        second: Array.from({ length: samples }, () => drawPair(world, draw).second),
      }));
      return unpairedComparison(groups, 99).p <= 0.05;
    }).filter((isFound) => isFound).length;
    ok(found / runs >= 0.72 - CHANCE && found / runs <= most(0.88, world), `${samples} samples: power ${found / runs}`);
  },
);

Deno.test.each(
  [
    [0, {}, "difference must be above 0 and at most the lowest score, 90: current value is 0"],
    [95, {}, "difference must be above 0 and at most the lowest score, 90: current value is 95"],
    [5, { score: 0 }, "score must be in (0, 100], one number or one a task: current value is 0"],
    [5, { score: [] }, "score must be in (0, 100], one number or one a task: current value is "],
    [5, { tasks: 0 }, "tasks must be a whole number from 1: current value is 0"],
    [5, { correlation: 1 }, "correlation must be in [0, 1): current value is 1"],
    [5, { power: 0.5 }, "power must be in (0.5, 1): current value is 0.5"],
    [5, { level: 95 }, "level must be in (0.5, 1): current value is 95"],
    [5, { comparisons: 1.5 }, "comparisons must be a whole number from 1: current value is 1.5"],
  ] as const,
)("planSamples(%d) refuses %j", (difference, changes, message) => {
  throws(() => planSamples(difference, { score: 90, ...changes }), {
    name: "RangeError",
    message: `Cannot plan samples as ${message}`,
  });
});

Deno.test("minimumDetectableDifference() is the inverse of planSamples()", () => {
  const range = fc.record({
    score: fc.oneof(fc.integer({ min: 20, max: 100 }), fc.constantFrom([90, 60], [60, 90], [100, 80, 40])),
    tasks: fc.integer({ min: 1, max: 13 }),
    paired: fc.boolean(),
  }).map(({ tasks, ...options }) => typeof options.score === "number" ? { ...options, tasks } : options);
  fc.assert(fc.property(range, fc.integer({ min: 1, max: 5000 }), (options, samples) => {
    const lowest = Math.min(...[options.score].flat());
    const difference = minimumDetectableDifference(samples, options);
    // Few samples cannot tell the worst task apart from a model that scores 0.
    if (difference === null) return ok(planSamples(lowest, options).samples > samples);
    ok(planSamples(Math.min(lowest, difference + 1e-3), options).samples <= samples);
    if (difference > 0.1) ok(planSamples(difference - 0.1, options).samples >= samples);
  }));
});

Deno.test("minimumDetectableDifference() refuses less than one sample, and what planSamples() refuses", () => {
  throws(() => minimumDetectableDifference(0, { score: 90 }), {
    name: "RangeError",
    message: "Cannot plan samples as samples must be at least 1: current value is 0",
  });
  throws(() => minimumDetectableDifference(10, { score: 90, power: 2 }), { name: "RangeError" });
});

Deno.test("expectedInterval() is the interval of as many answers, and narrows with samples and tasks", () => {
  const { low, high } = meanInterval(independent(Array.from({ length: 52 }, (_, at) => at % 2)));
  const found = expectedInterval(4, { score: 50, tasks: 13 });
  ok(Math.abs(found.low - 100 * low) < 1e-9 && Math.abs(found.high - 100 * high) < 1e-9);
  const widthOf = (samples: number, tasks: number): number => {
    const { low, high } = expectedInterval(samples, { score: 80, tasks });
    return high - low;
  };
  ok(widthOf(10, 1) > widthOf(20, 1) && widthOf(10, 1) > widthOf(10, 2));
  throws(() => expectedInterval(0, { score: 50 }), { name: "RangeError", message: /as trials must be above 0/ });
});
