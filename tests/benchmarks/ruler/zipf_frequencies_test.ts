import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { zeta, zipfFrequencies } from "@/lib/benchmarks/ruler/frequent_words.ts";

Deno.test("zipfFrequencies() gives floor(N / (k^2 * zeta(2))) for alpha 2", () => {
  // zeta(2) = 1.644934: 1000 / 1.644934 = 607.9, and a 4th, 9th, 16th … of it.
  deepEqual(zipfFrequencies({ alpha: 2, vocabulary: 8 })(1000), [607, 151, 67, 37, 24, 16, 12, 9]);
});

Deno.test("zipfFrequencies() leaves out words that would appear less than once, and words beyond the vocabulary", () => {
  deepEqual(zipfFrequencies({ alpha: 2, vocabulary: 100 })(60), [36, 9, 4, 2, 1, 1]);
  deepEqual(zipfFrequencies({ alpha: 2, vocabulary: 4 })(60), [36, 9, 4, 2]);
});

Deno.test("zipfFrequencies() parts ranks that would be tied", () => {
  // By the formula ranks 2 to 5 of 40 words would be 3, 2, 1, 1 (40 * 0.078 = 3.1, 0.048 = 1.9, 0.034 = 1.4, 0.026 = 1.04).
  const [, second, third, fourth, fifth] = zipfFrequencies({ alpha: 1.2, vocabulary: 100 })(40);
  deepEqual([second, third, fourth, fifth], [4, 3, 2, 1]);
});

Deno.test("zipfFrequencies() never ties asked ranks with each other or the next, and never falls as the text grows", () => {
  fc.assert(fc.property(
    fc.double({ min: 1.001, max: 10, noNaN: true }),
    fc.integer({ min: 4, max: 400 }),
    fc.integer({ min: 1, max: 100_000 }),
    (alpha, vocabulary, scale) => {
      const frequencies = zipfFrequencies({ alpha, vocabulary });
      const counts = frequencies(scale);
      const [, second, third, fourth] = counts as [number, number, number, number];
      const next = Math.max(0, ...counts.slice(4));
      ok(second > third && third > fourth && fourth > next);
      const longer = frequencies(scale + 1);
      ok(counts.every((count, rank) => count <= longer[rank]!));
    },
  ));
});

Deno.test("zeta() gives Euler's values at even numbers", () => {
  ok(Math.abs(zeta(2) - Math.PI ** 2 / 6) < 1e-14);
  ok(Math.abs(zeta(4) - Math.PI ** 4 / 90) < 1e-14);
});

// Published tables: OEIS A078434 for 3/2, A002117 for 3; the others as RULER's scipy gives them, to four places.
for (
  const [power, value] of [[1.5, 2.612375348685488], [3, 1.202056903159594], [1.2, 5.5916], [1.3, 3.9319], [
    2.5,
    1.3415,
  ], [3.5, 1.1267]] as const
) {
  Deno.test(`zeta(${power}) is ${value}`, () => {
    const places = String(value).split(".")[1]!.length;
    ok(Math.abs(zeta(power) - value) <= 0.5 * 10 ** -Math.min(places, 14));
  });
}

Deno.test("zeta() near 1 is 1 / (power - 1) plus Euler's constant", () => {
  ok(Math.abs(zeta(1.0001) - (10_000 + 0.5772156649)) < 1e-5);
});

Deno.test("zeta() of a large number is hardly more than 1", () => {
  equal(zeta(60), 1);
});

Deno.test("zeta() lies between its bounds 1/(power - 1) and 1 + 1/(power - 1), and falls", () => {
  fc.assert(fc.property(fc.double({ min: 1.001, max: 30, noNaN: true }), (power) => {
    ok(zeta(power) > Math.max(1, 1 / (power - 1)) && zeta(power) < 1 + 1 / (power - 1));
    ok(zeta(power + 0.01) < zeta(power));
  }));
});
