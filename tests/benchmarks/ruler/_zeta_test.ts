import { equal, ok } from "node:assert/strict";
import { zeta } from "@/lib/benchmarks/ruler/frequent_words.ts";

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
