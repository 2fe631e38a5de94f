import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../_cases.ts";
import { stream } from "@/lib/random/mod.ts";
import { compareThirds, depthCells, type ScoredRecord, summarise } from "@/lib/statistics/mod.ts";
import { permutationTest } from "@/lib/statistics/permutation_tests.ts";

type DeepRecord = ScoredRecord & { readonly depth: number };

const of = (depth: number, value: number | null, rest: Partial<DeepRecord> = {}): DeepRecord => ({
  ...{ task: "niah", length: 4096, failed: false, noAnswer: false },
  ...{ depth, value },
  ...rest,
});

Deno.test("depthCells() puts a depth on the line between two stretches into the later one, and 1 into the last", () => {
  const rows = depthCells([of(0, 1), of(0.2, 1), of(0.6, 1), of(1, 0)], { stretches: 5 });
  deepEqual(rows.map(({ stretch, from, to, n }) => [stretch, from, to, n]), [
    ["0 to 20%", 0, 20, 1],
    ["20 to 40%", 20, 40, 1],
    ["60 to 80%", 60, 80, 1],
    ["80 to 100%", 80, 100, 1],
  ]);
});

Deno.test("depthCells() has the interval that the same scores have without depths", () => {
  const replies = [of(0.1, 1), of(0.15, 0), of(0.05, 0.5)];
  const [row] = depthCells(replies, { stretches: 5 });
  const [plain] = summarise(replies);
  deepEqual([row?.score, row?.low, row?.high], [plain?.score, plain?.low, plain?.high]);
});

Deno.test("depthCells() keeps tasks in order of first appearance, and lengths and stretches rising", () => {
  const rows = depthCells([
    of(0.9, 1, { task: "b", length: 8192 }),
    of(0.1, 1, { task: "b", length: 8192 }),
    of(0.1, 1, { task: "b" }),
    of(0.1, 1, { task: "a" }),
  ], { stretches: 5 });
  deepEqual(rows.map(({ task, length, from }) => [task, length, from]), [
    ["b", 4096, 0],
    ["b", 8192, 0],
    ["b", 8192, 80],
    ["a", 4096, 0],
  ]);
});

Deno.test("depthCells() loses no reply: scored, failed and unscored ones add up", () => {
  const reply = fc.record({
    depth: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.constantFrom(0, 1, null),
    failed: fc.boolean(),
    noAnswer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(reply), fc.integer({ min: 1, max: 12 }), (drawn, stretches) => {
      const rows = depthCells(drawn.map((one) => of(one.depth, one.value, one)), { stretches });
      equal(rows.reduce((sum, { n, failed, unscored }) => sum + n + failed + unscored, 0), drawn.length);
    }),
  );
});

Deno.test("depthCells() refuses an impossible number of stretches, and a depth outside [0, 1], as compareThirds() does", () => {
  throws(() => depthCells([], { stretches: 0 }), {
    name: "RangeError",
    message: "Cannot average over depths as stretches must be a whole number from 1 to 100: current value is 0",
  });
  throws(() => depthCells([of(NaN, 1)]), /each depth must be in \[0, 1\]: current value is NaN/);
  throws(() => compareThirds([of(1.1, 1)]), /each depth must be in \[0, 1\]: current value is 1\.1/);
});

Deno.test("depthCells() gives each depth that was asked for a cell, and leaves failed calls out of the mean", () => {
  const asked = (length: number, depth: number | undefined, value: number | null, rest: Partial<DeepRecord> = {}) => ({
    ...{ task: "cdme_zh", length, value, failed: false, noAnswer: false, ...rest },
    record: depth === undefined ? {} : { depth },
  });
  const cells = depthCells([
    asked(2000, 0, 1),
    asked(1000, 1, 0.5),
    asked(1000, 1, null, { failed: true }),
    asked(1000, 1, 0, { noAnswer: true }),
    asked(1000, undefined, 1),
    asked(1000, 0.5, null, { failed: true }),
  ]);
  deepEqual(cells.map(({ length, depth, score, n, failed, noAnswer }) => [length, depth, score, n, failed, noAnswer]), [
    [1000, 50, null, 0, 1, 0],
    [1000, 100, 25, 2, 1, 1],
    [2000, 0, 100, 1, 0, 0],
  ]);
  equal(cells.some(({ stretch }) => stretch !== undefined), false);
});

Deno.test("depthCells() takes the place of the target before the depth that was asked for", () => {
  deepEqual(depthCells([{ ...of(0.4, 1), record: { depth: 0.5 } }]).map(({ depth }) => depth), [40]);
});

/** So many yes/no scores a third, spread evenly, right with the chance given for each third. */
function draw(
  chances: readonly [number, number, number],
  options: { n: number; seed: string; task?: string },
): DeepRecord[] {
  const { n, seed, task = "niah" } = options;
  const next = stream(seed, task);
  return Array.from(
    { length: 3 * n },
    (_, at) => of((at + 0.5) / (3 * n), next() < chances[Math.floor(at / n)]! ? 1 : 0, { task }),
  );
}

Deno.test("compareThirds() gives the p-value of the permutation test of two groups, and Holm's correction for three", () => {
  // Two against two: of the 6 divisions of 1, 1, 0, 0 two are as far apart as the one seen, so that p = 2/6.
  const { rows } = compareThirds([of(0, 1), of(0.2, 1), of(0.4, 0), of(0.5, 0), of(0.9, 1), of(1, 1)]);
  const alone = permutationTest([{ first: [1, 1], second: [0, 0] }]).p;
  equal(alone, 2 / 6);
  deepEqual(rows.map(({ p }) => p), [alone, alone, 1]);
  deepEqual(rows.map(({ adjusted }) => adjusted), [1, 1, 1]);
  deepEqual(rows.map(({ difference }) => difference), [100, -100, 0]);
  deepEqual(rows.map(({ nLeft, nRight }) => [nLeft, nRight]), [[2, 2], [2, 2], [2, 2]]);
});

Deno.test.each([
  ["the middle", [0.9, 0.4, 0.9], "middle"],
  ["the first", [0.4, 0.9, 0.9], "first"],
  ["the last", [0.9, 0.9, 0.4], "last"],
  ["the last of a score that falls all the way", [0.95, 0.65, 0.3], "last"],
  ["none of a score that falls early and stays there", [0.9, 0.4, 0.4], null],
  ["none where all are alike", [0.6, 0.6, 0.6], null],
] as [string, [number, number, number], string | null][])("compareThirds() finds %s", (_name, chances, want) => {
  const replies = ["a", "b"].flatMap((task) => draw(chances, { n: 40, seed: "found", task }));
  equal(compareThirds(replies, 999).lost, want);
});

Deno.test.each(
  [
    ["asked at six lengths at one depth", true],
    ["asked at six lengths at depths of their own", false],
  ] as const,
)("compareThirds() shows a difference in at most 5%% of runs of questions %s", (_, isFixed) => {
  const runs = cases(8, 200);
  const shown = Array.from({ length: runs }, (_, run) => {
    const draw = stream("shared questions", `${isFixed}`, run);
    const replies = Array.from({ length: 12 }, (_, question) => {
      const [value, depth] = [Number(draw() < 0.5), draw()];
      return Array.from(
        { length: 6 },
        (_, at) => of(isFixed ? depth : draw(), value, { length: 1000 * (1 + at), cluster: `${question}` }),
      );
    }).flat();
    return compareThirds(replies, 99).rows.some(({ higher }) => higher !== null);
  }).filter(Boolean).length;
  ok(shown <= 0.05 * runs + 2 * Math.sqrt(0.0475 * runs), `${shown} of ${runs}`);
});

Deno.test("compareThirds() counts the depths of a third that share a text once", () => {
  const asked = ["a", "b"].flatMap((cluster) => [0, 0.1, 0.2, 0.9].map((depth) => of(depth, 1, { cluster })));
  deepEqual(compareThirds(asked).rows.map(({ nLeft, nRight }) => [nLeft, nRight]), [[0, 0], [0, 0], [2, 2]]);
});

Deno.test("compareThirds() gives no task more weight on one side: a hard task asked late in the context does not make a lost end", () => {
  const easy = Array.from({ length: 12 }, (_, at) => of(at / 36, 1, { task: "easy" }));
  const hard = Array.from({ length: 12 }, (_, at) => of(2 / 3 + at / 36, 0, { task: "hard" }));
  const { rows, finding } = compareThirds([...easy, ...hard]);
  equal(rows[2]?.cells, 0);
  equal(rows[2]?.difference, null);
  equal(finding, "No two thirds of the context can be compared");
});

Deno.test("compareThirds() skips failed calls and replies without a score, and counts an empty reply as 0", () => {
  const { rows } = compareThirds([
    of(0, 1),
    of(0.1, null, { failed: true }),
    of(0.1, null),
    of(0.5, null, { noAnswer: true }),
  ]);
  deepEqual([rows[0]?.nLeft, rows[0]?.nRight, rows[0]?.rightScore], [1, 1, 0]);
});

Deno.test("compareThirds() does not depend on the order of the replies where it counts exactly", () => {
  const scores = fc.array(
    fc.record({ depth: fc.double({ min: 0, max: 1, noNaN: true }), value: fc.constantFrom(0, 0.5, 1) }),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(scores, (drawn) => {
      const replies = drawn.map(({ depth, value }) => of(depth, value));
      const [one, other] = [compareThirds(replies), compareThirds(replies.toReversed())];
      deepEqual(one.rows.map(({ p, cells }) => [p, cells]), other.rows.map(({ p, cells }) => [p, cells]));
    }),
    { numRuns: 50 },
  );
});
