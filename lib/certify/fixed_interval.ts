import { sum } from "@/lib/base/mod.ts";
import { boundedMean, type Interval, risingRoot, type RoundUnits, signFlipTest } from "@/lib/statistics/mod.ts";

/** An interval of a mean in [-1, 1] that is given its rounds one by one. */
export interface Evidence {
  readonly add: (round: RoundUnits) => void;
  /** Ends the rounds, if that matters. */
  readonly finish?: () => void;
  readonly interval: () => Interval;
}

/**
 * Opens the interval {@linkcode boundedMean}, which exists only once all pairs are there and holds for any distribution in [-1, 1].
 *
 * For yes/no scores it accepts the same losses as the exact unconditional test of Hsueh, Liu and Chen (2001), or one pair fewer. Pairs
 * of several cells are pooled, which can only make it wider unless cells differ widely.
 */
export function openFixed(errorChance: number): Evidence {
  return openAtOnce(({ values, weights }) => {
    const total = sum(weights);
    const scaled = { values: values.map((value) => (value + 1) / 2), weights: weights.map((weight) => weight / total) };
    const { low, high } = boundedMean(scaled, "exact", errorChance);
    return { low: 2 * low - 1, high: 2 * high - 1 };
  });
}

/**
 * Opens the interval of the means that the sign-flip test does not reject: exact if differences are symmetric about their mean, as those
 * of a change without effect are about 0.
 */
export function openSigns(errorChance: number): Evidence {
  return openAtOnce(({ values, weights }) => {
    const total = sum(weights);
    const mean = sum(values, (value, at) => value * weights[at]!) / total;
    const highEnd = (gains: readonly number[], low: number): number => {
      const shifted = (shift: number): number[] => gains.map((gain, at) => (gain - shift) * weights[at]! / total);
      const excess = (shift: number): number => 2 * errorChance - signFlipTest(shifted(shift), DRAWS).p;
      return excess(1) <= 0 ? 1 : risingRoot(excess, { low, high: 1, within: 1e-4 });
    };
    return { low: -highEnd(values.map((value) => -value), -mean), high: highEnd(values, mean) };
  });
}

/** Sign patterns of each test. */
const DRAWS = 1999;

function openAtOnce(intervalOf: (units: RoundUnits) => Interval): Evidence {
  const [values, weights]: [number[], number[]] = [[], []];
  let now: Interval = { low: -1, high: 1 };
  return {
    add: (round) => {
      values.push(...round.values);
      weights.push(...round.weights);
    },
    finish: () => {
      if (values.length > 0) now = intervalOf({ values, weights });
    },
    interval: () => now,
  };
}
