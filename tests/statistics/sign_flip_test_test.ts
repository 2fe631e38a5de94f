import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { stream } from "@/lib/random/mod.ts";
import { signFlipTest } from "@/lib/statistics/permutation_tests.ts";

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

Deno.test("signFlipTest() does not depend on order, unit or side", () => {
  fc.assert(fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 12 }), (differences) => {
    const { p } = signFlipTest(differences);
    ok(Math.abs(signFlipTest(differences.toReversed()).p - p) < 1e-9);
    ok(Math.abs(signFlipTest(differences.map((one) => -one)).p - p) < 1e-9);
    ok(p > 0 && p <= 1);
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

Deno.test("signFlipTest() of differences multiplied by any positive number is the same, counted or drawn", () => {
  const sizes = fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 30 });
  const unit = fc.double({ min: 1e-120, max: 1e120, noNaN: true });
  fc.assert(fc.property(sizes, unit, unit, (whole, divisor, factor) => {
    const differences = whole.map((size) => size / divisor);
    const options = { draws: 99 };
    const { p, isExact } = signFlipTest(differences, options);
    const multiplied = signFlipTest(differences.map((one) => one * factor), options);
    deepEqual([multiplied.isExact, multiplied.p.toFixed(9)], [isExact, p.toFixed(9)]);
    ok(p > 0 && p <= 1);
  }));
});

Deno.test("signFlipTest() is never 0, not even where the chance is smaller than any number", () => {
  equal(signFlipTest(Array(3000).fill(1)).p, Number.MIN_VALUE);
  ok(signFlipTest(Array(900).fill(100 / 3)).p > 0);
});

Deno.test("signFlipTest() draws signs where there are too many sums, near the exact value, never 0 and the same again", () => {
  // 40 sizes of two differences each: 3^40 sums.
  const differences = Array.from({ length: 80 }, (_, at) => (at % 3 === 0 ? -1 : 1) * (1 + Math.floor(at / 2) / 100));
  const drawn = signFlipTest(differences, { seed: "a" });
  ok(!drawn.isExact);
  deepEqual(signFlipTest(differences, { seed: "a" }), drawn);
  // Nearly one size: so many heads of 80 throws, exactly.
  const near = signFlipTest(Array.from({ length: 80 }, (_, at) => at % 3 === 0 ? -1 : 1)).p;
  ok(Math.abs(drawn.p - near) < 0.006, `${drawn.p} and ${near}`);
  equal(signFlipTest(Array.from({ length: 80 }, (_, at) => 1 + at / 100), { draws: 999 }).p, 1 / 1000);
});

Deno.test("signFlipTest() is below 5% in at most 5% of 1,000 runs without a difference", () => {
  const low = Array.from({ length: 1000 }, (_, run) => {
    const draw = stream("no difference", run);
    return signFlipTest(Array.from({ length: 30 }, () => Math.round(3 * draw()) / 3 - Math.round(3 * draw()) / 3)).p;
  }).filter((p) => p <= 0.05).length;
  ok(low >= 25 && low <= 62, `${low}`);
});

Deno.test("signFlipTest() of no difference at all is 1", () => {
  equal(signFlipTest([]).p, 1);
  equal(signFlipTest([0, 0]).p, 1);
  equal(signFlipTest([0.5]).p, 1);
});

Deno.test.each([[NaN], [Infinity], [-Infinity]])("signFlipTest() refuses a difference of %d", (wrong) => {
  throws(() => signFlipTest([1, wrong]), {
    name: "RangeError",
    message: `Cannot flip signs as each difference must be a finite number: current value is ${wrong}`,
  });
});

Deno.test("signFlipTest() refuses a number of draws outside its range", () => {
  throws(() => signFlipTest([1], { draws: 10 }), {
    name: "RangeError",
    message: "Cannot draw permutations as draws must be a whole number from 99 to 1,000,000: current value is 10",
  });
});
