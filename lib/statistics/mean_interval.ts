import { gammaln, mean as meanOf } from "simple-statistics";
import { boundedMean, kishSize, type WeightedValues } from "./bounded_mean.ts";
import { type ClusteredSample, foldClusters, unitsOf } from "./clusters.ts";
import { type Interval, midInterval, PSEUDO_ANSWERS, risingRoot, type ScoreWithInterval } from "./intervals.ts";

/** The mean of some scores with its interval, as shares in [0, 1]. */
export interface MeanEstimate extends Interval {
  /** The mean. */
  readonly mean: number;
  /** Number of independent units. */
  readonly n: number;
  /** How many independent yes/no answers carry as much information. */
  readonly effectiveSize: number;
  /**
   * The weight in a mean of means: the number of tasks at a length that it stands for.
   *
   * @default {1}
   */
  readonly cells?: number;
}

/**
 * The mean of independent scores in [0, 1] with a 95% confidence interval.
 *
 * Yes/no scores get the mid-p interval, {@linkcode midInterval}; others get {@linkcode boundedMean}, of which that is a special
 * case. Neither end goes past what an unseen 0 or 1 allows, so a list of equal scores keeps its doubt. Simulated coverage is at
 * least 93% for 5 to 500 yes/no answers, thirds, tenths and continuous scores, and for nearly equal scores of which 1 to 10% are 0.
 *
 * @param scores At least one, each in [0, 1]: {@linkcode independent} values, or {@linkcode unitsOf} clusters.
 * @throws {RangeError} If there is no value or one is outside [0, 1].
 */
export function meanInterval({ values, weights }: WeightedValues): MeanEstimate {
  const mean = weightedMeanOf(values, weights);
  const [n, size] = [values.length, kishSize(weights)];
  if (values.every((value) => value === 0 || value === 1)) {
    return { mean, n, effectiveSize: size, ...midInterval(mean * size, size) };
  }
  const { low, high } = boundedMean({ values, weights }, { tail: 0.025, kind: "mid" });
  return { mean, n, effectiveSize: sizeOf(mean, high - low), low, high };
}

/** The number of yes/no answers whose mean has an interval of this width. */
function sizeOf(mean: number, width: number): number {
  const widthOf = (size: number): number => {
    const { low, high } = midInterval(mean * size, size);
    return high - low;
  };
  return Math.exp(risingRoot((log) => width - widthOf(Math.exp(log)), { low: -3, high: 20, within: 1e-4 }));
}

/** A mean with its interval, in percent. */
export function inPercent({ mean, low, high }: Pick<MeanEstimate, "mean" | "low" | "high">): ScoreWithInterval {
  return { score: 100 * mean, low: 100 * low, high: 100 * high };
}

/**
 * The mean of scores in [0, 1].
 *
 * @throws {RangeError} If there is no value or one is outside [0, 1].
 */
export function meanOfScores(values: readonly number[]): number {
  return weightedMeanOf(values, values.map(() => 1 / values.length));
}

function weightedMeanOf(values: readonly number[], weights: readonly number[]): number {
  if (values.length === 0) {
    throw new RangeError("Cannot estimate a mean as values must hold at least one number: current value is 0");
  }
  const wrong = values.find((value) => !(value >= 0 && value <= 1));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot estimate a mean as each value must be in [0, 1]: current value is ${wrong}`);
  }
  // Equal weights are divided out at the end, and values sorted, so that their order cannot change the last digit.
  if (weights.every((weight) => weight === weights[0])) return meanOf(sorted(values));
  return Math.min(1, sorted(values.map((value, at) => value * weights[at]!)).reduce((sum, part) => sum + part, 0));
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((left, right) => left - right);
}

// Closer to 0 or 1 than this, a variance is only rounding error.
const EDGE = 1e-9;

/**
 * The unweighted mean of several means, such as RULER's 13 tasks, with its 95% interval.
 *
 * A task's variance is `p (1 - p) / effectiveSize`, where `p` is its mean shrunk by two pseudo-answers towards the mean of all
 * tasks, so that a task without a failure is not taken as certain. The interval is the mid-p interval of the number of yes/no
 * answers with the variance of the mean.
 *
 * @param estimates At least one, independent of each other: one for each stratum of {@linkcode foldClusters}.
 * @returns The mean of the means; `n` is the number of all units.
 * @throws {RangeError} If there is no estimate.
 */
export function meanOfMeans(estimates: readonly MeanEstimate[]): MeanEstimate {
  if (estimates.length === 0) {
    throw new RangeError("Cannot estimate a mean of means as there must be at least one mean: current value is 0");
  }
  // One stratum keeps its own interval, which is better than that of its effective size.
  if (estimates.length === 1) return estimates[0]!;
  const cells = estimates.reduce((sum, estimate) => sum + (estimate.cells ?? 1), 0);
  const mean =
    sorted(estimates.map((estimate) => (estimate.cells ?? 1) * estimate.mean)).reduce((sum, part) => sum + part, 0) /
    cells;
  const variances = estimates.map((estimate) => {
    const share = (estimate.cells ?? 1) / cells;
    const size = estimate.effectiveSize;
    const drawn = (size * estimate.mean + PSEUDO_ANSWERS * mean) / (size + PSEUDO_ANSWERS);
    // Without any failure, or any success, only the spread of the answers over tasks matters.
    const spread = mean > EDGE && mean < 1 - EDGE ? (drawn * (1 - drawn)) / (mean * (1 - mean)) : 1;
    return (share * share * spread) / size;
  });
  const effectiveSize = 1 / variances.reduce((sum, variance) => sum + variance, 0);
  const n = estimates.reduce((sum, estimate) => sum + estimate.n, 0);
  return { mean, n, effectiveSize, ...midInterval(mean * effectiveSize, effectiveSize) };
}

/** The mean of cell means with its 95% interval, in which samples that share a cluster count once: {@linkcode foldClusters}. */
export function meanOfClusters(samples: readonly ClusteredSample[]): MeanEstimate {
  const estimate = meanOfMeans(
    foldClusters(samples).map((stratum) => ({ cells: stratum.cells, ...meanInterval(unitsOf(stratum)) })),
  );
  const cells = [...Map.groupBy(samples, ({ cell }) => cell).values()];
  // One cell has its plain mean, to the last digit.
  return cells.length === 1 ? { ...estimate, mean: meanOfScores(cells[0]!.map(({ values }) => values[0]!)) } : estimate;
}

/**
 * The exact coverage of an interval for a proportion, summed over all numbers of successes.
 *
 * @param options `share`, the true one, is inside (0, 1).
 */
export function shareCoverage(
  interval: (successes: number, trials: number) => Interval,
  options: { readonly trials: number; readonly share: number },
): number {
  const { trials, share } = options;
  let covered = 0;
  for (let successes = 0; successes <= trials; successes++) {
    const { low, high } = interval(successes, trials);
    const ways = gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1);
    const chance = Math.exp(ways + successes * Math.log(share) + (trials - successes) * Math.log1p(-share));
    if (low <= share && share <= high) covered += chance;
  }
  // Rounding can take the sum above 1.
  return Math.min(1, covered);
}
