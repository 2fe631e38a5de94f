import { gammaln } from "simple-statistics";
import { sum } from "@/lib/base/mod.ts";

/** Both ends of an interval, as shares in [0, 1] or in percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the exact interval for a proportion, with the arguments of {@linkcode wilsonInterval} (Clopper and Pearson 1934), whose coverage is never below its level. Fractional
 * counts follow Korn and Graubard (1998), "Confidence intervals for proportions with small expected number of positive counts
 * estimated from survey data".
 */
export function exactInterval(successes: number, trials: number, level = 0.95): Interval {
  checkTrials(successes, trials, level);
  const tail = (1 - level) / 2;
  const failures = trials - successes;
  return {
    low: successes === 0 ? 0 : betaPoint(tail, { a: successes, b: failures + 1 }),
    high: failures === 0 ? 1 : betaPoint(1 - tail, { a: successes + 1, b: failures }),
  };
}

/**
 * Returns the mid-p interval for a proportion: {@linkcode exactInterval} with half the weight for the observed outcome (Lancaster
 * 1961, "Significance tests in discrete distributions"; Berry and Armitage 1995, "Mid-P confidence intervals: a brief review").
 *
 * For 5 to 500 trials at a level of 95% it covers 95 to 98% on average and never below 92%; the exact interval covers 97 to
 * 99%.
 *
 * @param unseen The weight of an answer that was not seen, in answers; above 1 if some answers weigh more than others.
 */
export function midInterval(successes: number, trials: number, level = 0.95, unseen = 1): Interval {
  checkTrials(successes, trials, level);
  const tail = (1 - level) / 2;
  const pointOf = (share: number): number =>
    risingRoot((p) => midTail(p, { successes, trials, unseen }) - share, { low: 0, high: 1 });
  return {
    low: successes === 0 ? 0 : pointOf(tail),
    high: successes === trials ? 1 : pointOf(1 - tail),
  };
}

/**
 * Returns the widest interval of a mean score of `n` samples, both in percent: of all scores from 0 to 100 with one mean, right and
 * wrong answers vary most (Bhatia and Davis 2000).
 */
export function widestInterval(score: number, n: number, level = 0.95): Interval {
  const { low, high } = midInterval(score / 100 * n, n, level);
  return { low: 100 * low, high: 100 * high };
}

/**
 * Returns the chance of some successes or more if `p` is true, with a weight for just as many, by default half of it (mid-p). It rises
 * with `p` from 0 to 1.
 */
function midTail(
  p: number,
  { successes, trials, unseen = 1, weight = 0.5 }:
    & Readonly<Record<"successes" | "trials", number>>
    & Partial<Readonly<Record<"unseen" | "weight", number>>>,
): number {
  const failures = trials - successes;
  const atLeast = successes === 0 ? 1 : betaBelow(p, { a: successes, b: failures + unseen });
  const above = failures === 0 ? 0 : betaBelow(p, { a: successes + unseen, b: failures });
  return weight * atLeast + (1 - weight) * above;
}

export function checkTrials(successes: number, trials: number, level: number): void {
  const action = "give an interval";
  need(trials > 0 && trials < Infinity, action, "trials must be above 0", trials);
  need(successes >= 0 && successes <= trials, action, `successes must be in [0, ${trials}]`, successes);
  need(level > 0 && level < 1, action, "level must be in (0, 1)", level);
}

/** Refuses an argument that does not hold: `Cannot give an interval as level must be in (0, 1): current value is 2`. */
export function need(holds: boolean, action: string, wanted: string, value: unknown): void {
  if (!holds) throw new RangeError(`Cannot ${action} as ${wanted}: current value is ${value}`);
}

/** A beta distribution with density proportional to `p^(a - 1) (1 - p)^(b - 1)`; both are above 0. */
interface BetaShape {
  readonly a: number;
  readonly b: number;
}

/**
 * Returns the cumulative distribution function of a beta distribution: the regularised incomplete beta function (DLMF 8.17).
 */
export function betaBelow(p: number, { a, b }: BetaShape): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const power = gammaln(a + b) + a * Math.log(p) + b * Math.log1p(-p);
  // Subtle: the fraction converges fast only below the mean, so the other tail is computed above it.
  return p < (a + 1) / (a + b + 2)
    ? Math.exp(power - gammaln(a + 1) - gammaln(b)) * betaFraction(p, { a, b })
    : 1 - Math.exp(power - gammaln(a) - gammaln(b + 1)) * betaFraction(1 - p, { a: b, b: a });
}

/** Returns the logarithm of the number of ways to choose some of some things. */
export function logChoose(all: number, some: number): number {
  return gammaln(all + 1) - gammaln(some + 1) - gammaln(all - some + 1);
}

/** Returns the quantile of a beta distribution for a share in (0, 1). */
function betaPoint(share: number, shape: BetaShape): number {
  return risingRoot((p) => betaBelow(p, shape) - share, { low: 0, high: 1 });
}

/** Evaluates the continued fraction of DLMF 8.17.22 by Lentz's method. */
function betaFraction(p: number, { a, b }: BetaShape): number {
  const tiny = 1e-300;
  const awayFromZero = (value: number): number => Math.abs(value) < tiny ? tiny : value;
  let above = 1;
  let below = 1 / awayFromZero(1 - ((a + b) * p) / (a + 1));
  let fraction = below;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * p) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * p) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const step of [even, odd]) {
      below = 1 / awayFromZero(1 + step * below);
      above = awayFromZero(1 + step / above);
      change = above * below;
      fraction *= change;
    }
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return fraction;
}

/**
 * Finds the root of a rising function, to 14 decimals by default, by inverse quadratic interpolation where that is safe and
 * bisection elsewhere (Chandrupatla 1997, "A new hybrid quadratic/bisection algorithm"). It needs a tenth of the calls of
 * simple-statistics' `bisect`.
 */
export function risingRoot(
  rising: (x: number) => number,
  range: { readonly low: number; readonly high: number; readonly within?: number },
): number {
  const { within = 1e-14 } = range;
  // `near` is the last point, `far` the last one with the other sign, and `old` the one before `near`.
  let [near, far] = [range.low, range.high];
  let [atNear, atFar] = [rising(near), rising(far)];
  if (atNear >= 0) return near;
  if (atFar <= 0) return far;
  let step = 0.5;
  for (;;) {
    const x = near + step * (far - near);
    if (x === near || x === far) return x;
    const atX = rising(x);
    let [old, atOld] = [near, atNear];
    if (atX < 0 !== atNear < 0) {
      [old, atOld] = [far, atFar];
      [far, atFar] = [near, atNear];
    }
    [near, atNear] = [x, atX];
    const least = within / Math.abs(far - near);
    if (atNear === 0 || least > 0.5) return Math.abs(atNear) < Math.abs(atFar) ? near : far;
    const place = (near - far) / (old - far);
    const height = (atNear - atFar) / (atOld - atFar);
    const isSafe = height ** 2 < place && (1 - height) ** 2 < 1 - place;
    step = isSafe
      ? (atNear / (atFar - atNear)) * (atOld / (atFar - atOld)) +
        ((old - near) / (far - near)) * (atNear / (atOld - atNear)) * (atFar / (atOld - atFar))
      : 0.5;
    step = Math.min(1 - least, Math.max(least, step));
  }
}

/**
 * Pseudo-answers added so that scores without variation still have an interval. With fewer, some short lists of fractional scores
 * are covered below the level; with more, intervals are wider than needed.
 */
export const PSEUDO_ANSWERS = 2;

/** A score, or the difference of two, with its interval. */
export interface ScoreWithInterval extends Interval {
  readonly score: number;
}

/**
 * Returns the weighted mean of independent scores with its interval, from the intervals of all (Zou and Donner 2008, MOVER).
 *
 * @param weights One for each score, above 0, with any sum.
 * @throws {RangeError} If there is no score, or not one weight for each.
 */
export function weightedMean(scores: readonly ScoreWithInterval[], weights: readonly number[]): ScoreWithInterval {
  const isMatched = scores.length > 0 && weights.length === scores.length;
  need(isMatched, "average scores", "there must be a weight for each", `${weights.length} for ${scores.length}`);
  const total = sum(weights);
  const shares = weights.map((weight) => weight / total);
  const reach = (distance: (score: ScoreWithInterval) => number): number =>
    Math.hypot(...scores.map((score, place) => shares[place]! * distance(score)));
  const score = sum(scores, (each, place) => shares[place]! * each.score);
  return {
    score,
    low: score - reach(({ score, low }) => score - low),
    high: score + reach(({ score, high }) => high - score),
  };
}

/**
 * Returns the one-sided p-value of the hypothesis that a true score is at most a value, both in percent: that of the number of yes/no
 * answers whose 95% interval has the same end.
 *
 * @param weight That of the score itself: by default a half, so that the p-value is 2.5% at the low end and 97.5% at the high end; 1
 *   for an exact test, and 0 for the complement of the exact test of the opposite.
 */
export function pAtMost(
  { score, low, high, n = Infinity }: ScoreWithInterval & { readonly n?: number },
  value: number,
  weight = 0.5,
): number {
  if (value > score) {
    return 1 - pAtMost({ score: 100 - score, low: 100 - high, high: 100 - low, n }, 100 - value, 1 - weight);
  }
  const trials = answersOf(score, low);
  if (trials === Infinity) return 0;
  const unseen = weight === 0.5 ? 1 : Math.max(1, 2 * trials / n - 1);
  return midTail(value / 100, { successes: score / 100 * trials, trials, weight, unseen });
}

/** Returns the number of yes/no answers whose 95% interval has this low end; without any uncertainty it is infinite. */
function answersOf(score: number, low: number): number {
  if (low >= score) return Infinity;
  const tailOf = (trials: number): number => midTail(low / 100, { successes: score / 100 * trials, trials });
  return Math.exp(risingRoot((log) => 0.025 - tailOf(Math.exp(log)), { low: -3, high: 25, within: 1e-6 }));
}

/** Returns a score in percent with its interval at another level, given that of 95%, in the same way as {@linkcode pAtMost}. */
export function atLevel<Score extends ScoreWithInterval>(mean: Score, level: number): Score {
  const lowOf = (score: number, low: number): number => {
    const trials = answersOf(score, low);
    return trials === Infinity ? score : 100 * midInterval(score / 100 * trials, trials, level).low;
  };
  const { score, low, high } = mean;
  return { ...mean, low: lowOf(score, low), high: 100 - lowOf(100 - score, 100 - high) };
}

/**
 * Returns the difference of two scores with its interval, from the intervals of both (Newcombe 1998, "Interval estimation for the
 * difference between independent proportions", method 10; correlated scores: Newcombe 1998, "Improved confidence intervals for the
 * difference between binomial proportions based on paired data"; any means: Zou and Donner 2008, MOVER).
 *
 * @param second The score to subtract, in the same unit and at the same level.
 * @param correlation That of the two scores, in [-1, 1]: 0 for different samples.
 * @returns `first - second` and its interval.
 * @throws {RangeError} If the correlation is outside [-1, 1].
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const first = { score: 90, low: 87, high: 93 };
 * const second = { score: 80, low: 76, high: 84 };
 * deepEqual(differenceInterval(first, second), { score: 10, low: 5, high: 15 });
 * ```
 */
export function differenceInterval(
  first: ScoreWithInterval,
  second: ScoreWithInterval,
  correlation = 0,
): ScoreWithInterval {
  need(correlation >= -1 && correlation <= 1, "give an interval", "correlation must be in [-1, 1]", correlation);
  const score = first.score - second.score;
  const reach = (left: number, right: number): number =>
    Math.sqrt(Math.max(0, left * left + right * right - 2 * correlation * left * right));
  return {
    score,
    low: score - reach(first.score - first.low, second.high - second.score),
    high: score + reach(first.high - first.score, second.score - second.low),
  };
}
