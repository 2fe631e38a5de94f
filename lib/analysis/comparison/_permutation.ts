/** What parts two sums or two ratios by less than this share of their size is rounding: they are the same. */
export const SAME = 1e-12;

/** How many random permutations a test may draw. */
export const DRAWS = {
  usual: 9999,
  check(draws: number): void {
    if (Number.isInteger(draws) && draws >= 99 && draws <= 1_000_000) return;
    throw new RangeError(
      `Cannot draw permutations as draws must be a whole number from 99 to 1,000,000: current value is ${draws}`,
    );
  },
};
