import type { Interval } from "./intervals.ts";

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

/** An interval of a mean in [-1, 1] that is given its rounds one by one. */
export interface MeanSequence {
  readonly add: (round: RoundUnits) => void;
  /** Ends the sequence, if that matters: no further round comes. */
  readonly finish?: () => void;
  readonly interval: () => Interval;
}

/** Shares of a purse at stake; without any difference, the largest excludes a loss of 2% after 190 pairs. */
const STAKES = Array.from({ length: 8 }, (_, place) => 0.98 * (0.03 / 0.98) ** (place / 7));

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
 */
export function openMeanSequence(grid: readonly number[], errorChance: number): MeanSequence {
  const low = openLowEnd(grid, 1 / errorChance);
  const high = openLowEnd(grid.map((mean) => -mean).reverse(), 1 / errorChance);
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
): { readonly add: (values: readonly number[], parts: readonly number[]) => void; readonly end: () => number } {
  const purses = grid.map(() => new Float64Array(STAKES.length).fill(1 / STAKES.length));
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
    while (refuted < grid.length && purses[refuted]!.reduce((sum, purse) => sum + purse, 0) >= enough) refuted++;
  }
}
