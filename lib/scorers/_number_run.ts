/** Numbers in even steps, one after another in a list. */
export interface NumberRun {
  /** How many numbers. */
  readonly length: number;
  /** From one to the next; 0 where one number is said again and again. */
  readonly step: number;
  /** The first of them. */
  readonly from: number;
}

/** The least numbers that make a run. */
const LEAST_RUN = 5;

/**
 * Finds the longest stretch of a list in even steps of which at least half is not right, as of a model that goes on counting
 * by itself. Right counts can come in even steps by chance.
 *
 * @param numbers The list.
 * @param right The numbers that are right; one that is repeated is right once.
 * @returns The stretch; `null` where there is none of five numbers or more.
 */
export function longestRun(numbers: readonly number[], right: ReadonlySet<number>): NumberRun | null {
  let best: NumberRun | null = null;
  for (let start = 0; start + 1 < numbers.length;) {
    const step = numbers[start + 1]! - numbers[start]!;
    let end = start + 2;
    while (end < numbers.length && numbers[end]! - numbers[end - 1]! === step) end++;
    const stretch = new Set(numbers.slice(start, end));
    const length = end - start;
    const found = [...stretch].filter((number) => right.has(number)).length;
    if (length >= LEAST_RUN && 2 * found <= length && length > (best?.length ?? 0)) {
      best = { length, step, from: numbers[start]! };
    }
    // The last number of a stretch can be the first of the next.
    start = end - 1;
  }
  return best;
}
