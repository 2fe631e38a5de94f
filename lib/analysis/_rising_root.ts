/**
 * Finds where a rising function crosses 0, to 14 decimals unless told otherwise, by halving. simple-statistics' `bisect` does the same with
 * three calls of the function a step, where one is enough for a function that rises.
 */
export function risingRoot(
  rising: (x: number) => number,
  range: { readonly low: number; readonly high: number; readonly within?: number },
): number {
  const { within = 1e-14 } = range;
  let { low, high } = range;
  while (high - low > within) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
