// B(2k) / (2k)! for k from 1 to 6, B being the Bernoulli numbers.
const BERNOULLI_TERMS = [1 / 12, -1 / 720, 1 / 30_240, -1 / 1_209_600, 1 / 47_900_160, -691 / 1_307_674_368_000];

/**
 * Gives the Riemann zeta function, the sum of `k^-s` over all k from 1.
 *
 * Ten terms are added and the rest is taken from the Euler-Maclaurin formula with six corrections (DLMF 25.2.9). The
 * error is below 1e-12 of the value for every s above 1.
 *
 * @param s The exponent, above 1.
 * @returns The value, above 1.
 * @throws {RangeError} If `s` is not above 1.
 *
 * @example The sum of the inverse squares is pi^2 / 6
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(riemannZeta(2).toFixed(12), (Math.PI ** 2 / 6).toFixed(12));
 * ```
 */
export function riemannZeta(s: number): number {
  if (!(s > 1 && s < Infinity)) {
    throw new RangeError(`Cannot sum a zeta series as the exponent must be above 1: current value is ${s}`);
  }
  const last = 10;
  let sum = last ** (1 - s) / (s - 1) + last ** -s / 2;
  for (let k = 1; k < last; k++) sum += k ** -s;
  let rising = s;
  BERNOULLI_TERMS.forEach((term, place) => {
    sum += term * rising * last ** (-s - 2 * place - 1);
    rising *= (s + 2 * place + 1) * (s + 2 * place + 2);
  });
  return sum;
}
