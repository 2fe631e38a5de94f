import { risingRoot } from "./_rising_root.ts";

/**
 * The share of a standard normal distribution below `x`, to 15 decimals (Marsaglia 2004, "Evaluating the Normal
 * Distribution", Journal of Statistical Software 11(4)). simple-statistics reads a table of four decimals instead.
 */
export function normalBelow(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let sum = x;
  let term = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI);
}

/** The point below which a share of the standard normal distribution lies; the share is inside (0, 1). */
export function normalPoint(share: number): number {
  return risingRoot((x) => normalBelow(x) - share, { low: -8, high: 8 });
}

/** How many standard errors a two-sided interval reaches to each side: 1.96 for a level of 0.95. */
export function normalReach(level: number): number {
  return normalPoint((1 + level) / 2);
}
