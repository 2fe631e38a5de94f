import { mean as meanOf } from "simple-statistics";
import { boundedMean, kishSize, type WeightedValues } from "./bounded_mean.ts";
import { foldClusters, independent, unitsOf } from "./clusters.ts";
import { differenceInterval, type Interval, PSEUDO_ANSWERS, type ScoreWithInterval } from "./intervals.ts";
import { inPercent, meanInterval, meanOfMeans, meanOfScores } from "./mean_interval.ts";
import { permutationTest, SAME, type ScoreGroups, signFlipTest } from "./permutation_tests.ts";
import type { ScoredRecord } from "./repeats.ts";

/** The scores of two models on the same sample, in [0, 1]. */
export interface ScorePair extends Pick<ScoredRecord, "cluster"> {
  /** The first model's score. */
  readonly first: number;
  /** The second model's score. */
  readonly second: number;
}

/**
 * Compares two models on the same samples; each cell (a task at a length) has equal weight.
 *
 * Samples that share a cluster are averaged first ({@linkcode foldClusters}), so a question asked at six lengths is one pair. The
 * p-value is that of {@linkcode signFlipTest}, the interval that of {@linkcode pairedInterval}.
 *
 * @param draws Random sign patterns for the p-value, if there are too many to count them all.
 */
export function pairedComparison(
  cells: readonly (readonly ScorePair[])[],
  draws?: number,
): Interval & {
  /** The mean of the first model, in percent. */
  readonly first: number;
  /** The mean of the second model. */
  readonly second: number;
  /** First minus second, in points, with its 95% interval. */
  readonly difference: number;
  /** The p-value of the difference. */
  readonly p: number;
  /** Independent pairs, or independent scores of the first model. */
  readonly units: number;
} {
  const [first, second] = (["first", "second"] as const).map((model) =>
    100 * meanOf(cells.map((cell) => meanOfScores(cell.map((pair) => pair[model]))))
  ) as [number, number];
  const strata = foldPairs(cells);
  const weighed = strata.flatMap(({ share, gains: { values, weights } }) =>
    values.map((gain, at) => gain * weights[at]! * share)
  );
  const { low, high } = pairedInterval(strata);
  const { p } = signFlipTest(weighed, draws);
  return { first, second, difference: first - second, low, high, p, units: weighed.length };
}

/**
 * Compares two models on different samples, possibly of different number. The p-value is that of {@linkcode permutationTest},
 * the interval that of {@linkcode differenceInterval}.
 */
export function unpairedComparison(tasks: readonly ScoreGroups[], draws?: number): ReturnType<typeof pairedComparison> {
  const { p } = permutationTest(tasks, draws);
  const [first, second] = (["first", "second"] as const).map((group) =>
    inPercent(meanOfMeans(tasks.map((task) => meanInterval(independent(task[group])))))
  ) as [ScoreWithInterval, ScoreWithInterval];
  const { score, low, high } = differenceInterval(first, second);
  const units = tasks.reduce((sum, task) => sum + task.first.length, 0);
  return { first: first.score, second: second.score, difference: score, low, high, p, units };
}

/** The independent pairs of some cells, and their share of all cells. */
export interface PairStratum {
  readonly share: number;
  readonly cells: number;
  /** First minus second, with weights. */
  readonly gains: WeightedValues;
  readonly pairs: readonly ScorePair[];
}

/** Averages the pairs of each cluster, so that the result is independent pairs. */
export function foldPairs(cells: readonly (readonly ScorePair[])[]): readonly PairStratum[] {
  const samples = cells.flatMap((cell, at) =>
    cell.map(({ cluster, first, second }) => {
      // Scores computed in two ways, such as 0.1 + 0.2 and 0.3, are equal.
      const gain = Math.abs(first - second) <= SAME ? 0 : first - second;
      return { cell: String(at), cluster, values: [gain, first, second] };
    })
  );
  return foldClusters(samples).map((stratum) => ({
    share: stratum.cells / cells.length,
    cells: stratum.cells,
    gains: unitsOf(stratum),
    pairs: stratum.units.map(({ values: [, first, second] }) => ({ first: first!, second: second! })),
  }));
}

/**
 * Returns the exact 95% interval of the mean difference of pairs, in points. Each end errs in at most 2.5% of cases.
 *
 * It is {@linkcode boundedMean} scaled from [-1, 1], with all strata pooled by their weights, which can only widen it. For yes/no
 * pairs of which none differ its ends are the exact unconditional bounds: 183 such pairs exclude a loss of 2 points.
 */
export function exactPairedInterval(strata: readonly PairStratum[]): Interval {
  const values = strata.flatMap(({ gains }) => gains.values.map((gain) => (gain + 1) / 2));
  const weights = strata.flatMap(({ share, gains }) => gains.weights.map((weight) => weight * share));
  const { low, high } = boundedMean({ values, weights }, { tail: 0.025, kind: "exact" });
  return { low: 100 * (2 * low - 1), high: 100 * (2 * high - 1) };
}

/**
 * Returns the mean difference of independent pairs in points with its 95% interval.
 *
 * The difference is the mean gain minus the mean loss. Each has the interval of a mean, which keeps its width where none of a few
 * pairs differ, and {@linkcode differenceInterval} combines them. For yes/no scores they are the two discordant shares, which are
 * also the basis of Tango's score interval and of Bonett and Price's adjusted one (both recommended by Fagerland, Lydersen and
 * Laake 2014, "Recommended tests and confidence intervals for paired binomial proportions"). Newcombe (1998), method 10, combines
 * the means of both models instead. It covers only 80% where nearly all pairs agree or a task has one or two of them.
 *
 * Coverage is at least 92% for 3 to 60 yes/no pairs of which 1% to all differ (exact), and 95 to 99% on average; simulated, at
 * least 93% for tasks of one or two pairs, for shares, and for 13 tasks of 10 and 50 pairs.
 */
function pairedInterval(strata: readonly PairStratum[]): ScoreWithInterval {
  const [gain, loss] = [1, -1].map((sign) =>
    inPercent(meanOfMeans(strata.map(({ cells, gains: { values, weights } }) => ({
      cells,
      ...meanInterval({ values: values.map((each) => Math.max(0, sign * each)), weights }),
    }))))
  ) as [ScoreWithInterval, ScoreWithInterval];
  return differenceInterval(gain, loss, correlationOfGains(strata));
}

/**
 * Returns the correlation of mean gain and mean loss. It is below 0, as a pair has only one of them.
 *
 * The moments of a task are shrunk by two pseudo-answers towards those of all pairs, as in `meanOfMeans`. All pairs include one
 * more full gain and one more full loss (Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial
 * proportions based on paired data").
 */
function correlationOfGains(strata: readonly PairStratum[]): number {
  const all = momentsOf(independent([...strata.flatMap(({ gains }) => gains.values), 1, -1]));
  const variance = { both: 0, gain: 0, loss: 0 };
  for (const { share, gains } of strata) {
    const n = kishSize(gains.weights);
    const [gain, loss, gainSquare, lossSquare] = momentsOf(gains).map((own, at) =>
      (n * own + PSEUDO_ANSWERS * all[at]!) / (n + PSEUDO_ANSWERS)
    ) as [number, number, number, number];
    variance.both -= share ** 2 * gain * loss / n;
    variance.gain += share ** 2 * (gainSquare - gain ** 2) / n;
    variance.loss += share ** 2 * (lossSquare - loss ** 2) / n;
  }
  // Rounding can make it less than -1 where all pairs are full gains or losses.
  return Math.max(-1, variance.both / Math.sqrt(variance.gain * variance.loss));
}

/** Returns the means of the gains, of the losses, and of their squares. */
function momentsOf({ values, weights }: WeightedValues): readonly number[] {
  const parts = [1, -1].map((sign) => values.map((each) => Math.max(0, sign * each)));
  return [...parts, ...parts.map((part) => part.map((each) => each ** 2))]
    .map((part) => part.reduce((sum, each, at) => sum + weights[at]! * each, 0));
}

/** Returns the correlation of the two models' means over tasks; 0 where one of them has no variation. */
export function correlationOfMeans(tasks: readonly (readonly ScorePair[])[]): number {
  const sum = { both: 0, first: 0, second: 0 };
  for (const task of tasks) {
    const n = task.length;
    const mean = (key: "first" | "second"): number => task.reduce((total, pair) => total + pair[key], 0) / n;
    const [first, second] = [mean("first"), mean("second")];
    for (const pair of task) {
      const [left, right] = [(pair.first - first) / n, (pair.second - second) / n];
      sum.both += left * right;
      sum.first += left * left;
      sum.second += right * right;
    }
  }
  if (sum.first === 0 || sum.second === 0) return 0;
  return Math.max(-1, Math.min(1, sum.both / Math.sqrt(sum.first * sum.second)));
}
