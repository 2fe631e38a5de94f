import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { stream } from "@/lib/random/mod.ts";
import { adjustPValues, permutationTest, signFlipTest } from "@/lib/statistics/permutation_tests.ts";

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
    // Scores of 57 differ where they are more than 57 × 1e-12 apart.
    ["apart by less than rounding", { first: [57 + 5e-11, 57], second: [57, 57] }, 1],
    ["apart by more than rounding", { first: [57 + 5e-9, 57 + 5e-9], second: [57, 57] }, 1 / 3],
    ["below 0, apart by rounding", { first: [-57 - 5e-11, -57], second: [-57, -57] }, 1],
    ["on both sides of 0", { first: [1e-13, 1e-13], second: [-1e-13, -1e-13] }, 1 / 3],
    ["the same but for rounding, in percent", { first: [100 * 0.57, 57], second: [57, 57] }, 1],
    // 1 and 2 against 0 and 3 are the same mean: the division seen is as near as can be, and all six are as far.
    ["means that are the same but for rounding", { first: [0, 0.3], second: [0.1, 0.2] }, 1],
  ] as [string, { first: number[]; second: number[] }, number][],
)("permutationTest() counts exactly whatever the size: %s", (_name, task, p) => {
  deepEqual(permutationTest([task]), { p, isExact: true });
});

Deno.test("permutationTest() does not depend on the scores' unit or zero, and is never 0", () => {
  const group = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ first: group, second: group }), { minLength: 1, maxLength: 2 }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      fc.integer({ min: -100, max: 100 }),
      (tasks, factor, zero) => {
        const change = (scores: readonly number[]): number[] => scores.map((score) => score * factor + zero * factor);
        const changed = tasks.map(({ first, second }) => ({ first: change(first), second: change(second) }));
        const { p } = permutationTest(tasks, 99);
        equal(permutationTest(changed, 99).p, p);
        ok(p > 0 && p <= 1);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("permutationTest() refuses scores that are not finite", () => {
  throws(() => permutationTest([{ first: [1], second: [NaN] }]), {
    name: "RangeError",
    message: "Cannot test a difference as each score must be a finite number: current value is NaN",
  });
});

Deno.test("permutationTest() draws near the exact value, never 0 and the same again", () => {
  const task = { first: [1, 1, 0.5, 0.75, 1, 0.5, 1], second: [0.5, 0.25, 1, 0, 0.5, 0.75, 0.5, 0.25] };
  const exact = permutationTest([task]);
  ok(exact.isExact);
  // A second task in which nothing differs leaves the first to decide.
  const still = { first: [1, 1], second: [1, 1] };
  const drawn = permutationTest([task, still]);
  ok(!drawn.isExact);
  ok(Math.abs(drawn.p - exact.p) < 0.01, `${drawn.p} and ${exact.p}`);
  deepEqual(permutationTest([task, still]), drawn);
  const far = { first: Array(30).fill(1), second: Array(30).fill(0) };
  equal(permutationTest([far], 999).p, 1 / 1000);
});

Deno.test("permutationTest() is the same with groups swapped and 1 where nothing differs", () => {
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
    return permutationTest([{ first, second }], 199).p;
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

// Heights of crossed less self-fertilised maize in eighths of an inch (Darwin; Fisher 1935, section 17).
const DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

Deno.test("signFlipTest() gives Fisher's count for Darwin's maize: 1,726 of 32,768 (1935, section 21)", () => {
  const { p, isExact } = signFlipTest(Object.freeze(DARWIN));
  equal(Math.round(p * 32_768), 1726);
  ok(isExact);
});

Deno.test("signFlipTest() of yes/no scores is McNemar's exact test: 59 against 31 of 90 pairs that differ", () => {
  const { p, isExact } = signFlipTest([...Array(59).fill(1), ...Array(31).fill(-1), ...Array(410).fill(0)]);
  // Twice the chance of at most 31 heads in 90 throws.
  let [chance, tail] = [2 ** -90, 0];
  for (let heads = 0; heads <= 31; heads++) {
    tail += chance;
    chance *= (90 - heads) / (heads + 1);
  }
  ok(Math.abs(p - 2 * tail) < 1e-12);
  ok(isExact);
});

Deno.test("signFlipTest() counts all sign patterns, as trying each of them does", () => {
  const some = fc.array(fc.constantFrom<number>(-1, -0.75, -0.5, 0, 0.25, 0.5, 1), { maxLength: 10 });
  fc.assert(fc.property(some, (differences) => {
    const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
    const patterns = 2 ** differences.length;
    const beyond = Array.from({ length: patterns }, (_, pattern) =>
      Math.abs(differences.reduce((sum, one, at) =>
        sum + (pattern & (1 << at) ? one : -one), 0)) >= seen - 1e-12)
      .filter((isBeyond) =>
        isBeyond
      ).length;
    ok(Math.abs(signFlipTest(differences).p - beyond / patterns) < 1e-9);
  }));
});

Deno.test.each(
  [
    ["five in percent", Array(5).fill(100 / 3), 2 / 32],
    ["five as large as numbers get", Array(5).fill(1e308), 2 / 32],
    ["five as small as numbers get", Array(5).fill(5e-324), 2 / 32],
    ["ten, in tokens", Array(10).fill(1_000_000 / 7), 2 / 1024],
    // |±1 ±2 ±3| reaches 6 in 2 of 8 ways, and 4 in 4.
    ["three sizes, all to one side", [100 / 3, 200 / 3, 100], 2 / 8],
    ["three sizes, the smallest to the other side", [-100 / 3, 200 / 3, 100], 4 / 8],
    // 0.1 + 0.2 is more than 0.3 by rounding alone: the sum is 0, and all eight are as far.
    ["a sum that is 0 but for rounding", [10, 20, -30], 1],
    ["a sum that is 0 but for rounding, in shares", [0.1, 0.2, -0.3], 1],
    ["differences that are rounding beside a real one", [1e-14, -50, 1e-15], 1],
  ] as [string, number[], number][],
)("signFlipTest() counts exactly whatever the size: %s", (_name, differences, p) => {
  const found = signFlipTest(Object.freeze(differences));
  ok(Math.abs(found.p - p) < 1e-9, `${found.p} is not ${p}`);
  ok(found.isExact);
});

Deno.test("signFlipTest() does not depend on the unit of the differences, counted or drawn", () => {
  const sizes = fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 30 });
  const unit = fc.double({ min: 1e-120, max: 1e120, noNaN: true });
  fc.assert(fc.property(sizes, unit, unit, (whole, divisor, factor) => {
    const differences = whole.map((size) => size / divisor);
    const draws = 99;
    const { p, isExact } = signFlipTest(differences, draws);
    const multiplied = signFlipTest(differences.map((one) => one * factor), draws);
    deepEqual([multiplied.isExact, multiplied.p.toFixed(9)], [isExact, p.toFixed(9)]);
    ok(p > 0 && p <= 1);
  }));
});

Deno.test("signFlipTest() is never 0, even where the p-value underflows", () => {
  equal(signFlipTest(Array(3000).fill(1)).p, Number.MIN_VALUE);
  ok(signFlipTest(Array(900).fill(100 / 3)).p > 0);
});

Deno.test("signFlipTest() draws signs if there are too many sums: near the exact value, never 0, reproducible", () => {
  // 40 sizes of two differences each: 3^40 sums.
  const differences = Array.from({ length: 80 }, (_, at) => (at % 3 === 0 ? -1 : 1) * (1 + Math.floor(at / 2) / 100));
  const drawn = signFlipTest(differences);
  ok(!drawn.isExact);
  deepEqual(signFlipTest(differences), drawn);
  // Nearly one size: so many heads of 80 throws, exactly.
  const near = signFlipTest(Array.from({ length: 80 }, (_, at) => at % 3 === 0 ? -1 : 1)).p;
  ok(Math.abs(drawn.p - near) < 0.006, `${drawn.p} and ${near}`);
  equal(signFlipTest(Array.from({ length: 80 }, (_, at) => 1 + at / 100), 999).p, 1 / 1000);
});

Deno.test("signFlipTest() is below 5% in at most 5% of 1,000 runs without a difference", () => {
  const low = Array.from({ length: 1000 }, (_, run) => {
    const draw = stream("no difference", run);
    return signFlipTest(Array.from({ length: 30 }, () => Math.round(3 * draw()) / 3 - Math.round(3 * draw()) / 3)).p;
  }).filter((p) => p <= 0.05).length;
  ok(low >= 25 && low <= 62, `${low}`);
});

Deno.test.each([[NaN], [Infinity], [-Infinity]])("signFlipTest() refuses a difference of %d", (wrong) => {
  throws(() => signFlipTest([1, wrong]), {
    name: "RangeError",
    message: `Cannot test a difference as each score must be a finite number: current value is ${wrong}`,
  });
});

Deno.test("signFlipTest() refuses a number of draws outside its range", () => {
  throws(() => signFlipTest([1], 10), {
    name: "RangeError",
    message: "Cannot draw permutations as draws must be a whole number from 99 to 1,000,000: current value is 10",
  });
});

function rounded(values: readonly (number | null)[]): readonly (number | null)[] {
  return values.map((value) => value === null ? null : Number(value.toFixed(6)));
}

Deno.test('adjustPValues() gives the values of R\'s p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")', () => {
  const values = Object.freeze([0.01, 0.02, 0.03, 0.04, 0.05]);
  deepEqual(rounded(adjustPValues(values)), [0.05, 0.08, 0.09, 0.09, 0.09]);
});

Deno.test("adjustPValues() keeps order and gaps, and no value falls", () => {
  const some = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 20 });
  fc.assert(fc.property(some, (values) => {
    const holm = adjustPValues(values);
    values.forEach((value, at) => {
      if (value === null) return equal(holm[at], null);
      ok(value <= holm[at]! + 1e-12 && holm[at]! <= 1);
      values.forEach((other, there) => {
        if (other !== null && other <= value) ok(holm[there]! <= holm[at]! + 1e-12);
      });
    });
    deepEqual(adjustPValues(values.toReversed()).toReversed(), holm);
  }));
});

Deno.test("adjustPValues() refuses what is not a p-value", () => {
  throws(() => adjustPValues([0.5, 5]), {
    name: "RangeError",
    message: "Cannot adjust p-values as each must be in [0, 1]: current value is 5",
  });
});

Deno.test("permutationTest() counts every drawn division that is as far as the observed one", () => {
  const still = { first: [1, 1], second: [1, 1] };
  deepEqual(permutationTest([still, still], 99), { p: 1, isExact: false });
});

Deno.test("signFlipTest() counts up to 100,000 different sums exactly", () => {
  // 99,999 equal differences have 100,000 different sums, and 100,000 have one more.
  const isExact = (count: number): boolean => signFlipTest(Array(count).fill(1), 99).isExact;
  deepEqual([99_999, 100_000].map(isExact), [true, false]);
});
