import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { betaBelow, betaPoint } from "@/lib/statistics/intervals.ts";

Deno.test("betaBelow() equals the sums of binomial chances that it stands for", () => {
  // P(at least 3 of 5) at p = 0.4: 10 * 0.4^3 * 0.6^2 + 5 * 0.4^4 * 0.6 + 0.4^5 = 0.31744.
  equal(betaBelow(0.4, { a: 3, b: 3 }).toFixed(12), "0.317440000000");
  // The uniform distribution, and the density 2p.
  equal(betaBelow(0.3, { a: 1, b: 1 }).toFixed(12), "0.300000000000");
  equal(betaBelow(0.3, { a: 2, b: 1 }).toFixed(12), "0.090000000000");
});

Deno.test("betaPoint() gives SciPy 1.17.1's beta.ppf", () => {
  const cases = [
    [0.025, 20.3, 5.7, 0.6066025326387205],
    [0.975, 21.3, 4.7, 0.9388365803272892],
    [0.025, 5400.3, 1100.7, 0.8214762537341405],
    [0.975, 1.001, 39.999, 0.0881463115353971],
  ] as const;
  for (const [share, a, b, want] of cases) ok(Math.abs(betaPoint(share, { a, b }) - want) < 1e-12);
});

Deno.test("betaBelow() is undone by betaPoint(), and by taking the other end", () => {
  const shape = fc.record({
    a: fc.double({ min: 1, max: 500, noNaN: true }),
    b: fc.double({ min: 1, max: 500, noNaN: true }),
  });
  fc.assert(fc.property(shape, fc.double({ min: 0.001, max: 0.999, noNaN: true }), ({ a, b }, share) => {
    const p = betaPoint(share, { a, b });
    ok(Math.abs(betaBelow(p, { a, b }) - share) < 1e-8);
    ok(Math.abs(betaBelow(1 - p, { a: b, b: a }) - (1 - share)) < 1e-8);
  }));
  equal(betaBelow(-0.1, { a: 2, b: 2 }), 0);
  equal(betaBelow(1.1, { a: 2, b: 2 }), 1);
});
