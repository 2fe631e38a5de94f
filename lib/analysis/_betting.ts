/** How much of the largest bet that cannot ruin the bettor each of several bettors stakes on every value. */
const STAKES = Array.from({ length: 8 }, (_, place) => 0.9 * 0.02 ** (place / 7));

/**
 * Finds where evidence that the mean of some values lies above a number becomes strong.
 *
 * Bettors begin with 1 between them and stake constant shares of what they have on each next value being above `mean`; were
 * the mean of the values at most that, they could not expect to win, and by Ville's inequality the chance that what they
 * have together ever reaches `wealth` would be at most `1 / wealth`, however long one watches (Waudby-Smith and Ramdas
 * 2024, "Estimating means of bounded random variables by betting", section 4 and appendix B: a grid of constant bets).
 *
 * @param values Independent draws of one distribution on [0, 1], in the order they came.
 * @param claim `mean`, the number; `wealth`, what counts as strong.
 * @returns How many of the values it took, or `null` where they were not enough.
 */
export function whenAbove(
  values: readonly number[],
  claim: { readonly mean: number; readonly wealth: number },
): number | null {
  const { mean, wealth } = claim;
  const place = mean <= 0 ? values.findIndex((value) => value > mean) : findWealth(values, { mean, wealth });
  return place < 0 ? null : place + 1;
}

/** The same for a mean below the number. */
export function whenBelow(
  values: readonly number[],
  { mean, wealth }: { readonly mean: number; readonly wealth: number },
): number | null {
  return whenAbove(values.map((value) => 1 - value), { mean: 1 - mean, wealth });
}

function findWealth(
  values: readonly number[],
  { mean, wealth }: { readonly mean: number; readonly wealth: number },
): number {
  const purses = STAKES.map(() => 1 / STAKES.length);
  return values.findIndex((value) => {
    let sum = 0;
    for (let place = 0; place < STAKES.length; place++) {
      purses[place]! *= 1 + STAKES[place]! * (value / mean - 1);
      sum += purses[place]!;
    }
    return sum >= wealth;
  });
}
