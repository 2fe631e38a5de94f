import { linearRegression, linearRegressionLine, rSquared } from "simple-statistics";

/**
 * Fits a straight line to points by least squares.
 *
 * @param points Pairs of x and y.
 * @returns The line, and R², the share of the variance of y that it explains; NaN if y does not vary.
 */
export function linearFit(
  points: readonly (readonly [number, number])[],
): { readonly line: (x: number) => number; readonly rSquared: number } {
  const places = points.map((point) => [...point]);
  const line = linearRegressionLine(linearRegression(places));
  return { line, rSquared: rSquared(places, line) };
}
