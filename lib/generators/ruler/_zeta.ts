/** Terms that are added one by one; the rest of the series is then known to 15 digits. */
const TERMS = 40;

/**
 * The Riemann zeta function of a number above 1: the sum of `k ** -power` over all whole k from 1.
 *
 * Euler and Maclaurin's formula (Edwards, "Riemann's Zeta Function", section 6.4) up to the third Bernoulli number.
 */
export function zeta(power: number): number {
  let sum = 0;
  for (let term = 1; term < TERMS; term++) sum += term ** -power;
  const last = TERMS ** -power;
  const second = power * last / TERMS;
  const fourth = second * (power + 1) * (power + 2) / TERMS ** 2;
  const sixth = fourth * (power + 3) * (power + 4) / TERMS ** 2;
  return sum + last * TERMS / (power - 1) + last / 2 + second / 12 - fourth / 720 + sixth / 30_240;
}
