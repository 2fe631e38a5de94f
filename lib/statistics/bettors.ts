import type { Interval } from "./intervals.ts";
import { sum } from "@/lib/base/mod.ts";

/**
 * Bets on one round: each score multiplies a purse by `1 + stake * part * gain`, and the purses are changed.
 *
 * @param purses One for each stake.
 * @param round `gains`: each score less its expectation, in units that no stake below 1 is ruined by; `parts`: in (0, 1].
 * @returns The wealth of all purses together.
 */
export function bet(
  purses: number[] | Float64Array,
  stakes: readonly number[],
  { gains, parts }: { readonly gains: readonly number[]; readonly parts: readonly number[] },
): number {
  let wealth = 0;
  for (let place = 0; place < stakes.length; place++) {
    let purse = purses[place]!;
    for (let at = 0; at < gains.length; at++) purse *= 1 + stakes[place]! * parts[at]! * gains[at]!;
    purses[place] = purse;
    wealth += purse;
  }
  return wealth;
}

/** The independent differences of a round, in [-1, 1], with their weights in the mean. */
export interface RoundUnits {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/** Shares of a purse at stake; without any difference, the largest excludes a loss of 2% after 190 pairs. */
const STAKES = Array.from({ length: 8 }, (_, place) => 0.98 * (0.03 / 0.98) ** (place / 7));

const EQUAL_SHARES = STAKES.map(() => 1 / STAKES.length);

/**
 * Returns the share of the first money at each stake, for a forecast of the share of pairs that differ if nothing is lost.
 *
 * Against a mean of `-margin`, a stake grows at a rate `g` (Kelly 1956, "A new interpretation of information rate"), and by the time
 * at which the best one has `1 / errorChance` it has `errorChance ^ (-g / best g)`. That is its share for a forecast, and the mean of
 * three forecasts is used, since a change may flip fewer replies: all of these flips, a quarter of them, and nearly none. Any shares
 * keep the error chance; a forecast of too many or too few flips only takes more pairs.
 *
 * @param flips The forecast, in [0, 1].
 */
export function stakeShares(
  flips: number,
  { margin, errorChance }: { readonly margin: number; readonly errorChance: number },
): readonly number[] {
  const ofForecast = (share: number): readonly number[] => {
    const rates = STAKES.map((stake) => {
      const [none, up] = [margin, 1 + margin].map((gain) => Math.log1p(stake * gain / (1 - margin))) as [
        number,
        number,
      ];
      return (1 - share) * none + share * (up + Math.log1p(-stake)) / 2;
    });
    const best = Math.max(...rates);
    const shares = rates.map((rate) => errorChance ** -Math.max(-1, rate / best));
    const whole = sum(shares);
    return shares.map((each) => each / whole);
  };
  const all = [flips, flips / 4, LEAST_FLIPS].map((share) => ofForecast(Math.max(LEAST_FLIPS, share)));
  return STAKES.map((_, at) => sum(all, (shares) => shares[at]! / all.length));
}

/** The smallest forecast of flips. */
const LEAST_FLIPS = 0.002;

/**
 * Opens a confidence sequence: the chance that its interval ever leaves out the true mean, at any round, is at most twice
 * `errorChance`, so the scores may decide when to stop (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
 * variables by betting", Journal of the Royal Statistical Society B 86(1), section 4).
 *
 * Against each mean `m` of a grid bettors have purses, and a difference `d` multiplies them by `1 + stake (d - m) / (1 + m)`. If
 * the true mean over the mix is at most `m`, a round's expected factor is at most 1, as the product over the mix is at most the
 * power of its average (Spertus, Sridhar and Stark 2024, "Sequential stratified inference for the mean"). By Ville's inequality
 * the purses ever hold `1 / errorChance` with at most that chance, and then the mean is above `m`. The factor falls as `m` rises,
 * so the means refuted so far are those up to one point. The high end is the low end of the negated differences.
 *
 * @param grid Rising means, in (-1, 1); a verdict needs only the means it is about.
 * @param shares The share of the first money at each stake, fixed before the first round ({@linkcode stakeShares}).
 */
export function openMeanSequence(
  grid: readonly number[],
  errorChance: number,
  shares: readonly number[] = EQUAL_SHARES,
): { readonly add: (round: RoundUnits) => void; readonly interval: () => Interval } {
  const low = openLowEnd(grid, 1 / errorChance, shares);
  const high = openLowEnd(grid.map((mean) => -mean).reverse(), 1 / errorChance, shares);
  return {
    add: ({ values, weights }) => {
      const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
      const parts = weights.map((weight) => weight / heaviest);
      low.add(values, parts);
      high.add(values.map((value) => -value), parts);
    },
    interval: () => ({ low: low.end(), high: -high.end() }),
  };
}

/** Opens the low end of a confidence sequence: the highest mean of the grid that was ever refuted, at first -1. */
function openLowEnd(
  grid: readonly number[],
  enough: number,
  shares: readonly number[],
): { readonly add: (values: readonly number[], parts: readonly number[]) => void; readonly end: () => number } {
  const purses = grid.map(() => Float64Array.from(shares));
  let refuted = 0;
  return {
    add: (values, parts) => {
      const gains = [...values];
      // Means above the first that is not refuted may be refuted later, so all of them are bet against.
      for (let at = grid.length - 1; at >= refuted; at--) {
        const mean = grid[at]!;
        for (let one = 0; one < values.length; one++) gains[one] = (values[one]! - mean) / (1 + mean);
        const wealth = bet(purses[at]!, STAKES, { gains, parts });
        if (at === refuted && wealth >= enough) advance(at);
      }
    },
    end: () => refuted === 0 ? -1 : grid[refuted - 1]!,
  };

  function advance(at: number): void {
    refuted = at + 1;
    while (refuted < grid.length && sum(purses[refuted]!) >= enough) refuted++;
  }
}
