import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { stream } from "@/lib/random/mod.ts";
import { permutationTest } from "@/lib/statistics/permutation_tests.ts";

Deno.test("permutationTest() gives Fisher's lady tasting tea: 2 of 70 divisions of eight cups (1935, section 5)", () => {
  deepEqual(permutationTest([{ first: [1, 1, 1, 1], second: [0, 0, 0, 0] }]), { p: 2 / 70, isExact: true });
});

Deno.test("permutationTest() keeps the sizes of unequal groups: one against nine has ten divisions", () => {
  const nine = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85];
  const { p, isExact } = permutationTest([{ first: [1], second: nine }]);
  equal(Math.round(10 * p), 1);
  ok(isExact);
  // Every division into halves, whatever the sizes given, would count 252.
  ok(Math.abs(10 * p - Math.round(10 * p)) < 1e-12);
});

Deno.test.each(
  [
    ["in percent", { first: [100, 200 / 3, 100], second: [100 / 3, 0] }, 1 / 10],
    ["in millions", { first: [9e6, 8e6, 1e7], second: [1e6, 3e6] }, 1 / 10],
    ["far from 0", { first: [1e6 + 9, 1e6 + 8, 1e6 + 10], second: [1e6 + 1, 1e6 + 3] }, 1 / 10],
    ["the same but for rounding", { first: [0.1 + 0.2, 0.3], second: [0.3, 0.3] }, 1],
    ["the same but for rounding, in percent", { first: [100 * 0.57, 57], second: [57, 57] }, 1],
    // 1 and 2 against 0 and 3 are the same mean: the division seen is as near as can be, and all six are as far.
    ["means that are the same but for rounding", { first: [0, 0.3], second: [0.1, 0.2] }, 1],
  ] as [string, { first: number[]; second: number[] }, number][],
)("permutationTest() counts exactly whatever the size: %s", (_name, task, p) => {
  deepEqual(permutationTest([task]), { p, isExact: true });
});

Deno.test("permutationTest() of scores in another unit or with another zero is the same, and never 0", () => {
  const group = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ first: group, second: group }), { minLength: 1, maxLength: 2 }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      fc.integer({ min: -100, max: 100 }),
      (tasks, factor, zero) => {
        const change = (scores: readonly number[]): number[] => scores.map((score) => score * factor + zero * factor);
        const changed = tasks.map(({ first, second }) => ({ first: change(first), second: change(second) }));
        const { p } = permutationTest(tasks, { draws: 99 });
        equal(permutationTest(changed, { draws: 99 }).p, p);
        ok(p > 0 && p <= 1);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("permutationTest() refuses scores that are no finite numbers", () => {
  throws(() => permutationTest([{ first: [1], second: [NaN] }]), {
    name: "RangeError",
    message: "Cannot compare two groups as each score must be a finite number: current value is NaN",
  });
});

Deno.test("permutationTest() draws near the exact value, never 0 and the same again", () => {
  const task = { first: [1, 1, 0.5, 0.75, 1, 0.5, 1], second: [0.5, 0.25, 1, 0, 0.5, 0.75, 0.5, 0.25] };
  const exact = permutationTest([task]);
  ok(exact.isExact);
  // A second task in which nothing differs leaves the first to decide.
  const still = { first: [1, 1], second: [1, 1] };
  const drawn = permutationTest([task, still], { seed: "a" });
  ok(!drawn.isExact);
  ok(Math.abs(drawn.p - exact.p) < 0.01, `${drawn.p} and ${exact.p}`);
  deepEqual(permutationTest([task, still], { seed: "a" }), drawn);
  const far = { first: Array(30).fill(1), second: Array(30).fill(0) };
  equal(permutationTest([far], { draws: 999 }).p, 1 / 1000);
});

Deno.test("permutationTest() turns round with its groups and is 1 where nothing differs", () => {
  const [first, second] = [[0.5, 1, 1], [0, 0.25, 0.5, 0.25]];
  equal(permutationTest([{ first, second }]).p, permutationTest([{ first: second, second: first }]).p);
  equal(permutationTest([{ first: [1, 1], second: [1, 1, 1] }]).p, 1);
  equal(permutationTest([{ first: [1], second: [0] }]).p, 1);
});

Deno.test("permutationTest() is below 5% in about 5% of 600 runs where groups of 40 and 8 differ in spread, not in mean", () => {
  const low = Array.from({ length: 600 }, (_, run) => {
    const draw = stream("other spread", run);
    const first = Array.from({ length: 40 }, () => 0.45 + 0.1 * draw());
    const second = Array.from({ length: 8 }, () => draw());
    return permutationTest([{ first, second }], { draws: 199 }).p;
  }).filter((p) => p <= 0.05).length;
  // A difference of means that is not measured in standard errors comes below 5% in a third of such runs.
  ok(low >= 15 && low <= 54, `${low} of 600`);
});

Deno.test("permutationTest() refuses groups without a score", () => {
  const message = "Cannot compare two groups as each must hold at least one score: current value is 0";
  for (const tasks of [[], [{ first: [], second: [1] }], [{ first: [1], second: [] }]]) {
    throws(() => permutationTest(tasks), { name: "RangeError", message });
  }
});
