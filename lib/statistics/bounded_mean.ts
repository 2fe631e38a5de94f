import { risingRoot } from "./intervals.ts";

/** Values in [0, 1] with their weights in a mean, which add up to 1. */
export interface WeightedValues {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/**
 * The number of equally weighted values that carry as much information: 1 / Σ weight² (Kish 1965, "Survey sampling").
 */
export function kishSize(weights: readonly number[]): number {
  return 1 / weights.reduce((sum, weight) => sum + weight * weight, 0);
}

/**
 * A confidence interval for the mean of values in [0, 1] of any distribution.
 *
 * Each end is a quantile of the mean under random Dirichlet weights, with one unseen value added: 0 for the low end and 1 for
 * the high end (Gaffke 2005, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
 * variable"; Learned-Miller and Thomas 2020, arXiv 1905.06208). For values of 0 and 1 that is the exact interval of Clopper
 * and Pearson. With `mid` both distributions are averaged, and values of 0 and 1 get the mid-p interval. Unequal weights enter
 * as Dirichlet shapes that add up to {@linkcode kishSize}.
 *
 * @param tail The error rate of each end, in (0, 0.5).
 */
export function boundedMean(
  { values, weights }: WeightedValues,
  { tail, kind }: { readonly tail: number; readonly kind: "exact" | "mid" },
): { readonly low: number; readonly high: number } {
  const size = kishSize(weights);
  const shapes = new Map<number, number>();
  // Sorted, so that the order of the values cannot change the last digit.
  const sorted = values.map((value, at) => ({ value, shape: weights[at]! * size }))
    .toSorted((left, right) => left.value - right.value || left.shape - right.shape);
  for (const { value, shape } of sorted) shapes.set(value, (shapes.get(value) ?? 0) + shape);
  const withUnseen = (unseen: number): readonly Mass[] => {
    const all = new Map(shapes).set(unseen, (shapes.get(unseen) ?? 0) + 1);
    return [...all].map(([value, shape]) => ({ value, shape }));
  };
  const [zero, one] = [withUnseen(0), withUnseen(1)];
  const point = (below: (mean: number) => number, share: number): number =>
    risingRoot((mean) => below(mean) - share, { low: 0, high: 1, within: WITHIN });
  const ends = kind === "exact"
    ? [(mean: number): number => meanBelow(mean, zero), (mean: number): number => meanBelow(mean, one)] as const
    : Array<(mean: number) => number>(2).fill((mean) => (meanBelow(mean, zero) + meanBelow(mean, one)) / 2);
  return {
    low: values.every((value) => value === 0) ? 0 : point(ends[0]!, tail),
    high: values.every((value) => value === 1) ? 1 : point(ends[1]!, 1 - tail),
  };
}

const WITHIN = 1e-8;

/** A value with its shape in a Dirichlet distribution. */
interface Mass {
  readonly value: number;
  readonly shape: number;
}

/**
 * The probability that the mean of some values under Dirichlet weights is below a number.
 *
 * Dirichlet weights are gamma variables over their sum, so this is the probability that Σ gamma (value − mean) is below 0. It is
 * integrated numerically along the line through the saddle point of its moment generating function, where nothing oscillates
 * (Lugannani and Rice 1980, "Saddle point approximation for the distribution of the sum of independent random variables"); the
 * error is below 1e-8.
 */
function meanBelow(mean: number, masses: readonly Mass[]): number {
  const terms = masses.map(({ value, shape }) => ({ gap: value - mean, shape }));
  const least = terms.reduce((low, { gap }) => Math.min(low, gap), Infinity);
  const most = terms.reduce((high, { gap }) => Math.max(high, gap), -Infinity);
  if (least >= -EDGE) return 0;
  if (most <= EDGE) return 1;
  // The smaller tail is computed; the transform exists between 1 / least and 1 / most.
  const isLow = terms.reduce((sum, { gap, shape }) => sum + shape * gap, 0) > 0;
  const end = isLow ? 1 / least : 1 / most;
  const slope = (at: number): number =>
    terms.reduce((sum, { gap, shape }) => sum + shape * gap / (1 - at * end * gap), 0) * end - 1 / at;
  const saddle = end * risingRoot(slope, { low: 1e-12, high: 1 - 1e-12, within: 1e-3 });
  const curve = terms.reduce((sum, { gap, shape }) => sum + shape * (gap / (1 - saddle * gap)) ** 2, 1 / saddle ** 2);
  const unit = 1 / Math.sqrt(curve);
  const height = terms.reduce((sum, { gap, shape }) => sum - shape * Math.log(1 - saddle * gap), 0) -
    Math.log(Math.abs(saddle));
  let sum = 0.5;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const y = unit * Math.sinh(step * STEP);
    let size = -0.5 * Math.log(saddle * saddle + y * y) - height;
    let angle = -Math.atan2(y, saddle);
    for (const { gap, shape } of terms) {
      const [real, imaginary] = [1 - saddle * gap, -y * gap];
      size -= 0.5 * shape * Math.log(real * real + imaginary * imaginary);
      angle -= shape * Math.atan2(imaginary, real);
    }
    // The angle at the saddle itself is 0 or, left of 0, a half turn.
    sum += Math.exp(size) * Math.cos(isLow ? angle + Math.PI : angle) * Math.cosh(step * STEP);
    if (size + step * STEP < NEGLIGIBLE) break;
  }
  const tail = Math.min(1, Math.max(0, Math.exp(height) * sum * STEP * unit / Math.PI));
  return isLow ? tail : 1 - tail;
}

/** Values this close to the mean are at it. */
const EDGE = 1e-13;
/** The step of the trapezoidal rule, in units of sinh⁻¹, and where it ends. */
const STEP = 0.16;
const MOST_STEPS = 400;
const NEGLIGIBLE = -20;
