import { equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { riemannZeta } from "@/lib/benchmarks/ruler/frequencies.ts";

Deno.test.each(
  [
    [1.2, 5.591582441177751],
    [1.5, 2.612375348685488],
    [2, Math.PI ** 2 / 6],
    [3, 1.2020569031595942],
    [3.5, 1.1267338673170567],
    [4, Math.PI ** 4 / 90],
    [50, 1.0000000000000009],
  ] as [number, number][],
)("riemannZeta() of %d is %d, to 12 digits (DLMF 25.6; SciPy 1.17.1)", (s, want) => {
  ok(Math.abs(riemannZeta(s) / want - 1) < 1e-12);
});

Deno.test("riemannZeta() has the values that frequent words need: 5.5916, 3.9319, 2.6124, 1.6449, 1.3415, 1.2021, 1.1267", () => {
  const values = [1.2, 1.3, 1.5, 2, 2.5, 3, 3.5].map((s) => riemannZeta(s).toFixed(4));
  equal(values.join(), "5.5916,3.9319,2.6124,1.6449,1.3415,1.2021,1.1267");
});

Deno.test("riemannZeta() lies between its bounds 1/(s - 1) and 1 + 1/(s - 1), and falls", () => {
  fc.assert(fc.property(fc.double({ min: 1.001, max: 30, noNaN: true }), (s) => {
    ok(riemannZeta(s) > Math.max(1, 1 / (s - 1)) && riemannZeta(s) < 1 + 1 / (s - 1));
    ok(riemannZeta(s + 0.01) < riemannZeta(s));
  }));
});

Deno.test("riemannZeta() refuses an exponent of 1 or less", () => {
  throws(() => riemannZeta(1), {
    name: "RangeError",
    message: "Cannot sum a zeta series as the exponent must be above 1: current value is 1",
  });
});
