import type { MeanSequence, RoundUnits } from "./bettors.ts";
import { type Interval, normalBelow, risingRoot } from "./intervals.ts";

/** The number of looks at the data, equally spaced. */
const LOOKS = 10;

/** Below this chance of reaching the goal, asking on is futile. */
const FUTILE = 0.1;

/** The number of pairs at each look, and the bound of the score statistic there. */
export interface LookPlan {
  readonly sizes: readonly number[];
  readonly bounds: readonly number[];
}

/**
 * Plans looks at equal steps up to a number of pairs. The error is spent as `errorChance ln(1 + (e - 1) t)` of the share `t` of the
 * pairs (Lan and DeMets 1983, "Discrete sequential boundaries for clinical trials", the Pocock type), so the bounds are nearly flat.
 */
export function planLooks(pairs: number, errorChance: number): LookPlan {
  const looks = Math.min(LOOKS, pairs);
  const sizes = Array.from({ length: looks }, (_, at) => Math.ceil((at + 1) * pairs / looks));
  return { sizes, bounds: spendingBounds(sizes, { planned: pairs, errorChance }) };
}

/** The grid of the statistic: from this far below 0 to the bound. */
const LEAST = -8;
const CELLS = 400;

/**
 * Returns the bound at each look, such that the chance of the first crossing there is what the look spends; the last one spends
 * the rest. The density of the paths that have not crossed is integrated from look to look (Armitage, McPherson and Rowe 1969,
 * "Repeated significance tests on accumulating data").
 */
export function spendingBounds(
  sizes: readonly number[],
  { planned, errorChance }: { readonly planned: number; readonly errorChance: number },
): readonly number[] {
  const spent = sizes.map((size, at) =>
    at === sizes.length - 1 ? errorChance : errorChance * Math.log(1 + (Math.E - 1) * Math.min(1, size / planned))
  );
  const bounds: number[] = [];
  // Chances of the paths that have not crossed, at the middles of cells of the statistic; at first it is 0 and all paths are there.
  let paths: readonly { readonly z: number; readonly chance: number }[] = [{ z: 0, chance: 1 }];
  for (const [at, size] of sizes.entries()) {
    const before = at === 0 ? 0 : sizes[at - 1]!;
    const [keep, spread] = [Math.sqrt(before / size), Math.sqrt(1 - before / size)];
    const above = (bound: number): number =>
      paths.reduce((sum, { z, chance }) => sum + chance * normalBelow((keep * z - bound) / spread), 0);
    const spend = spent[at]! - (at === 0 ? 0 : spent[at - 1]!);
    const bound = risingRoot((bound) => spend - above(bound), { low: 0, high: 8, within: 1e-6 });
    bounds.push(bound);
    if (at === sizes.length - 1) break;
    const width = (bound - LEAST) / CELLS;
    const heights = Array.from({ length: CELLS }, (_, cell) => {
      const z = LEAST + (cell + 0.5) * width;
      const density = paths.reduce((sum, path) => sum + path.chance * normalDensity((z - keep * path.z) / spread), 0);
      return { z, chance: density / spread * width };
    });
    paths = heights.filter(({ chance }) => chance > 1e-12);
  }
  return bounds;
}

function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
}

/**
 * Opens an interval of a mean in [-1, 1] that narrows at planned looks only: the repeated confidence interval (Jennison and
 * Turnbull 1989, "Interim analyses: the repeated confidence interval approach") of {@linkcode scoreStatistic}. Both ends together
 * err at any look with a chance of about twice `errorChance`; unlike bets, the statistic is asymptotic.
 *
 * Asking on is futile once the chance that the last look excludes `floor` is below 10%, whatever is possible given the pairs so far
 * (predictive power: Spiegelhalter, Freedman and Blackburn 1986, "Monitoring clinical trials: conditional or predictive power?",
 * Controlled Clinical Trials 7). It does not bind: the error chance holds if asking continues.
 */
export function openLooks(
  { plan, floor, errorChance }: { readonly plan: LookPlan; readonly floor: number; readonly errorChance: number },
): MeanSequence {
  const sample = openSample();
  const planned = plan.sizes.at(-1)!;
  const done: number[] = [];
  let [pairs, isFutile] = [0, false];
  let now: Interval = { low: -1, high: 1 };

  function look(bound: number): void {
    const low = lowEnd(sample.units(1), bound);
    const high = -lowEnd(sample.units(-1), bound);
    now = { low: Math.max(now.low, low), high: Math.min(now.high, high) };
    const share = Math.min(1, pairs / planned);
    const expected = scoreStatistic(sample.units(1), floor) / Math.sqrt(share);
    isFutile = share < 1 && normalBelow((expected - plan.bounds.at(-1)!) * Math.sqrt(share / (1 - share))) < FUTILE;
    done.push(pairs);
  }

  return {
    add: (round) => {
      sample.add(round);
      pairs += round.pairs;
      const due = plan.sizes.findLastIndex((size) => size <= pairs);
      if (due >= 0 && (done.at(-1) ?? 0) < plan.sizes[due]!) look(plan.bounds[due]!);
    },
    finish: () => {
      if (pairs === 0 || pairs === done.at(-1)) return;
      // Fewer pairs than planned have scores: the last look spends the rest of the error.
      look(spendingBounds([...done, pairs], { planned, errorChance }).at(-1)!);
    },
    interval: () => now,
    isFutile: () => isFutile,
  };
}

/** Returns the mean whose score statistic is at the bound. */
function lowEnd(sample: WeighedSample, bound: number): number {
  return risingRoot((mean) => bound - scoreStatistic(sample, mean), { low: -1 + 1e-9, high: 1 - 1e-9, within: 1e-9 });
}

/** The distinct values of a sample, with the shares of their weights, and the same of squared weights. */
export interface WeighedSample {
  readonly values: readonly number[];
  readonly shares: readonly number[];
  /** Their sum is 1 / the number of equally weighted units with the same information. */
  readonly squares: readonly number[];
}

/** Opens a sample that is given its rounds one by one; `units` may be negated. */
function openSample(): {
  readonly add: (round: RoundUnits) => void;
  readonly units: (sign: 1 | -1) => WeighedSample;
} {
  const found = new Map<number, { mass: number; square: number }>();
  let total = 0;
  return {
    add: ({ values, weights }: RoundUnits): void => {
      for (const [at, value] of values.entries()) {
        const entry = found.get(value) ?? { mass: 0, square: 0 };
        entry.mass += weights[at]!;
        entry.square += weights[at]! ** 2;
        found.set(value, entry);
        total += weights[at]!;
      }
    },
    units: (sign: 1 | -1): WeighedSample => ({
      values: [...found.keys()].map((value) => sign * value),
      shares: [...found.values()].map(({ mass }) => mass / total),
      squares: [...found.values()].map(({ square }) => square / total ** 2),
    }),
  };
}

/**
 * Returns the score statistic of a mean in [-1, 1] against a null mean: the distance in standard errors that the null implies.
 *
 * The variance is that of the most likely distribution on [-1, 1] with the null mean. For yes/no pairs, whose differences are -1, 0
 * and 1, this is Tango's statistic (Tango 1998, "Equivalence test and confidence interval for the difference in proportions for the
 * paired-sample design", Statistics in Medicine 17); for graded scores it is that of an empirical likelihood (Owen 2001,
 * "Empirical likelihood", section 2.4) to which the ends of the range are added, so that equal differences have a variance too.
 */
export function scoreStatistic({ values, shares, squares }: WeighedSample, mean: number): number {
  const found = values.reduce((sum, value, at) => sum + shares[at]! * value, 0);
  if (found === mean) return 0;
  if (found < mean) return -scoreStatistic({ values: values.map((value) => -value), shares, squares }, -mean);
  // Subtle: at a tilt of 1 the weight of the range's low end, which may be unseen, is unlimited.
  const scaled = values.map((value) => (value - mean) / (1 + mean));
  const slope = (tilt: number): number =>
    scaled.reduce((sum, gap, at) => sum - shares[at]! * gap / (1 + tilt * gap), 0);
  const tilt = risingRoot(slope, { low: 0, high: 1, within: 1e-10 });
  const ratios = scaled.map((gap) => 1 / (1 + tilt * gap));
  const unseen = Math.max(0, 1 - ratios.reduce((sum, ratio, at) => sum + shares[at]! * ratio, 0));
  const information = squares.reduce((sum, square) => sum + square, 0);
  const variance = unseen * information +
    scaled.reduce((sum, gap, at) => sum + squares[at]! * ratios[at]! * gap * gap, 0);
  return (found - mean) / (1 + mean) / Math.sqrt(variance);
}
