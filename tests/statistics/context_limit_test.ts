import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { stream } from "@/lib/random/mod.ts";
import { type ContextLimit, contextLimits, knobCells, type ScoredRecord } from "@/lib/statistics/mod.ts";
import type { GridCell } from "@/lib/statistics/context_limit.ts";

/** Ten scores whose mean is a number of tenths. */
function tenths(right: number): number[] {
  return Array.from({ length: 10 }, (_, index) => index < right ? 1 : 0);
}

function column(difficulty: number, ...means: readonly (readonly [size: number, tenths: number])[]): GridCell[] {
  return means.map(([size, right]) => ({ size, difficulty, scores: tenths(right) }));
}

function limitOf(cells: readonly GridCell[], level = 0.75): number {
  return contextLimits(cells, { level })[0]!.limit;
}

Deno.test("contextLimits() finds the crossing on a scale of doublings", () => {
  // From 0.9 at 4,000 to 0.6 at 16,000, two doublings; 0.75 is half-way: 4,000 * 4^(1/2).
  equal(Math.round(limitOf(column(1, [1000, 10], [4000, 9], [16_000, 6]))), 8000);
  equal(Math.round(limitOf(column(1, [1000, 10], [4000, 9], [16_000, 6]), 0.6)), 16_000);
});

Deno.test("contextLimits() gives 0 where accuracy never reaches the level, and the greatest size where it never falls", () => {
  const [never, always] = [column(1, [1000, 5], [2000, 3]), column(1, [1000, 9], [2000, 8])];
  deepEqual([never, always].map((cells) => contextLimits(cells)[0]!).map(({ limit, isBeyond }) => [limit, isBeyond]), [
    [0, false],
    [2000, true],
  ]);
});

Deno.test("contextLimits() takes the first fall after the level is reached", () => {
  // As LLaMA 3.1 405b on several needles: poor on the smallest haystack, good on larger ones.
  const late = column(1, [1000, 2], [2000, 10], [4000, 5], [8000, 10]);
  // From 1 at 2,000 to 0.5 at 4,000: half-way.
  equal(Math.round(limitOf(late)), Math.round(2000 * Math.SQRT2));
});

Deno.test("contextLimits() interpolates over difficulties that were not tested", () => {
  const cells = [...column(2, [1000, 10], [4000, 10]), ...column(10, [1000, 10], [4000, 2])];
  // Of difficulty 6, half-way, accuracy is 1 and 0.6: 0.75 is at 5/8 of two doublings.
  const [found] = contextLimits(cells, { difficulties: [6] });
  equal(Math.round(found!.limit), Math.round(1000 * 4 ** (0.25 / 0.4)));
});

Deno.test("contextLimits() skips sizes that a difficulty was not tested at", () => {
  const cells = [...column(2, [1000, 10], [4000, 10]), ...column(25, [4000, 10], [8000, 5])];
  const [two, many] = contextLimits(cells);
  deepEqual([two!.limit, two!.isBeyond], [4000, true]);
  equal(Math.round(many!.limit), Math.round(4000 * 2 ** 0.5));
});

Deno.test("contextLimits() never gives a harder task a longer limit where every cell is lower", () => {
  const limits = contextLimits(
    [2, 4, 6].flatMap((difficulty) => column(difficulty, [1000, 11 - difficulty], [8000, 8 - difficulty])),
    { level: 0.5 },
  ).map(({ limit }) => limit);
  deepEqual(limits, limits.toSorted((left, right) => right - left));
});

/** True scores at rising sizes: a fall through the level, a fall that ends just above it, flat ones on both sides, and one with a rise. */
const CURVES = [
  [0.98, 0.95, 0.85, 0.6, 0.3],
  [1, 1, 0.8, 0.7, 0.5],
  [0.95, 0.9, 0.85, 0.8, 0.78],
  [0.74, 0.74, 0.74, 0.74, 0.74],
  [0.76, 0.76, 0.76, 0.76, 0.76],
  [0.6, 0.9, 0.9, 0.5, 0.4],
];

Deno.test("contextLimits() has intervals that contain the true limit in at least 95% of draws, of the worst curve and number of samples", () => {
  const gridOf = (scoresOf: (truth: number) => readonly number[], curve: readonly number[]): readonly GridCell[] =>
    curve.map((truth, at) => ({ size: 1000 * 2 ** at, difficulty: 1, scores: scoresOf(truth) }));
  const trials = cases(15, 1000);
  for (const samples of [5, 20]) {
    for (const [place, curve] of CURVES.entries()) {
      for (const facts of [1, 3]) {
        const limit = limitOf(gridOf((truth) => [truth], curve));
        const draw = stream("coverage of limits", samples, place, facts);
        const found = (truth: number): number =>
          Array.from({ length: facts }, () => Number(draw() < truth)).reduce((sum, one) => sum + one, 0) / facts;
        const missed = Array.from({ length: trials }, () => {
          const [range] = contextLimits(gridOf((truth) => Array.from({ length: samples }, () => found(truth)), curve));
          return limit < range!.low - 1e-6 || limit > range!.high + 1e-6;
        }).filter(Boolean).length;
        ok(missed <= 0.05 * trials + 2 * Math.sqrt(0.0475 * trials), `${curve}, ${samples} samples: ${missed} missed`);
      }
    }
  }
});

Deno.test("contextLimits() counts the fewest independent samples of a size, and wider intervals over more sizes", () => {
  const [four, eight] = [4, 8].map((sizes) =>
    contextLimits(column(1, ...Array.from({ length: sizes }, (_, at) => [1000 * 2 ** at, 9 - at] as const)))[0]!
  ) as [ContextLimit, ContextLimit];
  ok(four.units === 10 && eight.high > four.high, JSON.stringify([four, eight]));
});

Deno.test("contextLimits() refuses what is not a grid", () => {
  const cells = column(2, [1000, 9]);
  const refused = (message: string, ...args: Parameters<typeof contextLimits>): void =>
    throws(() => contextLimits(...args), { name: "RangeError", message: `Cannot find a context limit as ${message}` });
  refused("there must be at least one cell: current value is 0", []);
  refused("each cell must have a size above 0 and at least one score: current value is size 0 with 1 scores", [
    { size: 0, difficulty: 1, scores: [1] },
  ]);
  refused("level must be in (0, 1]: current value is 0", cells, { level: 0 });
  const apart = [...column(2, [1000, 9]), ...column(6, [2000, 9])];
  const around = "a size must have difficulties around the one wanted: current value is 4";
  refused(around, apart, { difficulties: [4] });
  refused("each difficulty must be one from 2 to 2: current value is 3", cells, { difficulties: [3] });
});

const tasks = { "n=2": { options: { needles: 2, placement: "random" } }, "n=5": { options: { needles: 5 } } };

function reply(task: string, value: number | null, depth?: number): ScoredRecord {
  const record = depth === undefined ? {} : { depth };
  return { task, length: 1000, value, failed: value === null, noAnswer: false, record };
}

Deno.test("knobCells() takes sizes in tokens, and leaves out what has no such knob or no score", () => {
  const replies = [reply("n=2", 1), reply("n=5", 0), reply("n=5", null), reply("other", 1)];
  deepEqual(knobCells(replies, { tasks, knob: "needles" }), [
    { size: 1000, difficulty: 2, scores: [1] },
    { size: 1000, difficulty: 5, scores: [0] },
  ]);
  deepEqual(knobCells(replies, { tasks, knob: "placement" }), []);
});

Deno.test("knobCells() takes the depth of each sample, unless the task has one", () => {
  const single = { grid: { options: {} }, middle: { options: { depth: 0.5 } } };
  const cells = knobCells([reply("grid", 1, 0.3), reply("grid", 0, 0.9), reply("middle", 1, 0.9)], {
    tasks: single,
    knob: "depth",
  });
  deepEqual(cells.map(({ difficulty }) => difficulty), [0.3, 0.5, 0.9]);
});

Deno.test("knobCells() averages the samples that share a text, and without a knob takes all tasks", () => {
  const of = (value: number | null, cluster?: string) => ({ ...reply("n=2", value), cluster });
  const shared = [of(1, "a"), of(0, "b"), of(0, "a"), of(null, "b"), of(1)];
  deepEqual(knobCells(shared, { tasks, knob: "needles" })[0]!.scores, [0.5, 0, 1]);
  deepEqual(knobCells([...shared, reply("other", 0)]), [{ size: 1000, difficulty: 0, scores: [0.5, 0, 1, 0] }]);
});
