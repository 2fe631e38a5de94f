import { sum } from "@/lib/base/mod.ts";
import {
  betaBelow,
  boundedMean,
  exactInterval,
  type Interval,
  logChoose,
  risingRoot,
  type RoundUnits,
} from "@/lib/statistics/mod.ts";

/** An interval of a mean in [-1, 1] that is given its rounds one by one. */
export interface Evidence {
  readonly add: (round: RoundUnits) => void;
  /** Ends the rounds, if that matters. */
  readonly finish?: () => void;
  readonly interval: () => Interval;
}

/** The counts of yes/no pairs: all, those that only the change gets right, and those that only the base does. */
export type PairCounts = Readonly<Record<"better" | "worse" | "pairs", number>>;

/**
 * Returns Tango's score statistic of a difference, in standard errors (Tango 1998, "Equivalence test and confidence interval for the
 * difference in proportions for the paired-sample design", Statistics in Medicine 17, 891–908).
 *
 * @param difference The share better minus the share worse under the null hypothesis, in (-1, 1).
 */
export function tangoScore({ better, worse, pairs }: PairCounts, difference: number): number {
  const found = better - worse - pairs * difference;
  if (found === 0) return 0;
  // The most likely share worse under the null is the larger root of `2 n q² + b q + c`; its share better is `q + difference`.
  const b = (2 * pairs - better + worse) * difference - better - worse;
  const c = -worse * difference * (1 - difference);
  const q = (Math.sqrt(Math.max(0, b * b - 8 * pairs * c)) - b) / (4 * pairs);
  const variance = pairs * (2 * q + difference * (1 - difference));
  return variance > 0 ? found / Math.sqrt(variance) : Math.sign(found) * Infinity;
}

/** The chance that the share of discordant pairs is outside the range searched, which is added to the p-value. */
const UNLIKELY = 1e-4;

/** The steps of the search over that range; a golden section follows. */
const STEPS = 30;

/**
 * Returns the exact unconditional p-value of yes/no pairs against differences up to a null: the largest chance, over the shares of
 * discordant pairs, of a score statistic at least as large (Hsueh, Liu and Chen 2001, "Unconditional exact tests for equivalence or
 * noninferiority for paired binary endpoints", Biometrics 57). Shares outside their 99.99% interval are left out and 0.0001 is
 * added (Berger and Boos 1994, "P values maximized over a confidence set for the nuisance parameter", JASA 89), as the largest
 * chance is often where nearly all pairs would differ.
 */
export function exactPairsTest(counts: PairCounts, difference: number): number {
  const { pairs } = counts;
  const seen = tangoScore(counts, difference) - 1e-9;
  // For each count of better pairs, the largest count of worse ones that is as extreme; it grows with them.
  const most: number[] = [];
  let worse = -1;
  for (let better = 0; better <= pairs; better++) {
    while (better + worse < pairs && tangoScore({ better, worse: worse + 1, pairs }, difference) >= seen) worse++;
    worse = Math.min(worse, pairs - better);
    most.push(worse);
  }
  // The shares of better pairs whose discordance is in its interval, but at least the size of the difference.
  const discordance = exactInterval(counts.better + counts.worse, pairs, 1 - UNLIKELY);
  const [low, high] = [discordance.low, discordance.high].map((share) =>
    (Math.max(share, Math.abs(difference)) + difference) / 2
  ) as [number, number];
  const chance = (place: number): number => chanceOfRegion(most, low + (high - low) * place, { pairs, difference });
  const chances = Array.from({ length: STEPS + 1 }, (_, step) => chance(step / STEPS));
  const best = chances.indexOf(Math.max(...chances));
  const around = { low: Math.max(0, best - 1) / STEPS, high: Math.min(STEPS, best + 1) / STEPS };
  return Math.min(1, highest(chance, around) + UNLIKELY);
}

/** Returns the chance of at most `most[better]` worse pairs, if a pair is better with a share and worse with `share - difference`. */
function chanceOfRegion(
  most: readonly number[],
  share: number,
  { pairs, difference }: { readonly pairs: number; readonly difference: number },
): number {
  const [first, last] = usual(pairs, share);
  const worse = share < 1 ? Math.min(1, Math.max(0, share - difference) / (1 - share)) : 0;
  let sum = 0;
  for (let better = Math.max(0, first); better <= Math.min(pairs, last); better++) {
    const [left, count] = [pairs - better, most[better]!];
    const [low, high] = usual(left, worse);
    if (count < 0 || count < low) continue;
    const below = count >= Math.min(left, high) ? 1 : betaBelow(1 - worse, { a: left - count, b: count + 1 });
    sum += below * binomial(better, { pairs, share });
  }
  return sum;
}

/** Returns a range that a binomial number leaves with a chance below 1e-11. */
function usual(trials: number, share: number): readonly [low: number, high: number] {
  const reach = 7 * Math.sqrt(trials * share * (1 - share)) + 16;
  return [Math.floor(trials * share - reach), Math.ceil(trials * share + reach)];
}

function binomial(count: number, { pairs, share }: { readonly pairs: number; readonly share: number }): number {
  if (share <= 0 || share >= 1) return count === (share <= 0 ? 0 : pairs) ? 1 : 0;
  return Math.exp(logChoose(pairs, count) + count * Math.log(share) + (pairs - count) * Math.log1p(-share));
}

/** Returns the largest value of a function with one maximum in a range, by golden section (Kiefer 1953). */
function highest(value: (x: number) => number, range: { readonly low: number; readonly high: number }): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let { low, high } = range;
  let best = Math.max(value(low), value(high));
  for (let step = 0; step < 10; step++) {
    const [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
    const [atLeft, atRight] = [value(left), value(right)];
    best = Math.max(best, atLeft, atRight);
    if (atLeft < atRight) low = left;
    else high = right;
  }
  return best;
}

/**
 * Opens an interval of a mean in [-1, 1] that exists only once all pairs are there.
 *
 * Yes/no differences of equal weight have the differences that {@linkcode exactPairsTest} does not reject. Pairs of several cells
 * are pooled, which can only make it wider unless cells differ widely. Graded scores, means of several questions and unequal
 * weights have {@linkcode boundedMean}, which holds for any distribution but needs more pairs where changes are small.
 */
export function openFixed(errorChance: number): Evidence {
  const [values, weights]: [number[], number[]] = [[], []];
  let now: Interval = { low: -1, high: 1 };
  return {
    add: (round) => {
      values.push(...round.values);
      weights.push(...round.weights);
    },
    finish: () => {
      if (values.length > 0) now = fixedInterval({ values, weights }, errorChance);
    },
    interval: () => now,
  };
}

function fixedInterval({ values, weights }: RoundUnits, errorChance: number): Interval {
  if (values.every((value) => Number.isInteger(value)) && weights.every((weight) => weight === weights[0])) {
    const pairs = values.length;
    const [better, worse] = [1, -1].map((sign) => values.filter((value) => value === sign).length) as [number, number];
    // The difference whose exact test is just significant.
    const lowEnd = (counts: PairCounts): number => {
      if (counts.worse === pairs) return -1;
      const excess = (difference: number): number => exactPairsTest(counts, difference) - errorChance;
      return risingRoot(excess, { low: -1 + 1e-6, high: (counts.better - counts.worse) / pairs, within: 1e-6 });
    };
    return { low: lowEnd({ better, worse, pairs }), high: -lowEnd({ better: worse, worse: better, pairs }) };
  }
  const total = sum(weights);
  const scaled = { values: values.map((value) => (value + 1) / 2), weights: weights.map((weight) => weight / total) };
  const { low, high } = boundedMean(scaled, "exact", errorChance);
  return { low: 2 * low - 1, high: 2 * high - 1 };
}
