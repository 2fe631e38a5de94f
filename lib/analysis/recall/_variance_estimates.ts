import type { CrossedDesign } from "./_crossed_design.ts";
import { decompose, type Part } from "./_decompose.ts";

/** Below this share of the squared mean, differences are rounding. */
const ROUNDING = 1e-12;

/**
 * Estimates the share of each factor, of their interactions, and of noise, which together are 1; all are 0 where nothing differs.
 *
 * A part's sum of squares is reduced by what noise alone adds to it, its degrees of freedom times the mean square of noise (Kelley
 * 1935, "An unbiased correlation ratio measure"; Okada 2013 compares it with other measures); below 0 it is taken as 0.
 */
export function estimateShares(design: CrossedDesign, values: Float64Array): readonly number[] {
  const { mean, factors, interactions, noise } = decompose(design, values);
  const meanSquare = noise.squares / noise.freedom;
  const cleared = ({ squares, freedom }: Part): number => Math.max(0, squares - freedom * meanSquare);
  const together = design.repeats > 1 ? cleared(interactions) : 0;
  const parts = [...factors.map(cleared), together, (values.length - 1) * meanSquare];
  const total = parts.reduce((sum, part) => sum + part, 0);
  const differs = total > ROUNDING * values.length * (mean * mean + 1);
  return parts.map((part) => differs ? part / total : 0);
}
