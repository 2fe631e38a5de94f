/**
 * Finds the greatest size whose cost is within a budget, for a cost that grows with size.
 *
 * Costs of prompts grow almost in proportion to size, so the next size is guessed by the straight line through the two
 * ends of the bracket: a handful of layouts instead of the scan of every size that RULER makes.
 *
 * @param budget The most that may be spent.
 * @param costOf What a size costs; called for whole sizes only.
 * @param least The least size; its cost must be within the budget.
 * @param most The greatest size there is.
 */
export function largestFit(
  budget: number,
  costOf: (size: number) => number,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  let low = least;
  let lowCost = costOf(low);
  let high = Math.min(most, 2 * least + 1);
  let highCost = costOf(high);
  while (highCost <= budget) {
    if (high === most) return most;
    const slope = Math.max((highCost - lowCost) / (high - low), 1e-9);
    const guess = Math.ceil(high + 1.02 * (budget - highCost) / slope) + 1;
    [low, lowCost] = [high, highCost];
    high = Math.min(most, Math.max(guess, high + 1));
    highCost = costOf(high);
  }
  for (let round = 0; high - low > 1; round++) {
    const share = (budget - lowCost) / (highCost - lowCost);
    // Every third round halves the bracket, so that a crooked cost cannot make the search crawl.
    const guess = round % 3 === 2 ? (low + high) >> 1 : Math.floor(low + share * (high - low));
    const middle = Math.min(high - 1, Math.max(low + 1, guess));
    const cost = costOf(middle);
    if (cost <= budget) [low, lowCost] = [middle, cost];
    else [high, highCost] = [middle, cost];
  }
  return low;
}
