import type { Draw } from "@/lib/random/mod.ts";

/**
 * Draws a mean that scores could have come from: the Bayesian bootstrap (Rubin 1981) over the scores, with half a right and
 * half a wrong answer added (Jeffreys' prior), so that scores all alike keep a width.
 *
 * For right and wrong answers it is a draw from Beta(right + 1/2, wrong + 1/2).
 *
 * @param scores In [0, 1]; at least one.
 */
export function posteriorMean(scores: readonly number[], draw: Draw): number {
  const right = halfWeight(draw);
  let weights = right + halfWeight(draw);
  let sum = right;
  for (const score of scores) {
    const weight = -Math.log(1 - draw());
    weights += weight;
    sum += weight * score;
  }
  return sum / weights;
}

/** Draws from the gamma distribution of shape 1/2: half the square of a normal number (Box and Muller 1958). */
function halfWeight(draw: Draw): number {
  return -Math.log(1 - draw()) * Math.cos(2 * Math.PI * draw()) ** 2;
}
