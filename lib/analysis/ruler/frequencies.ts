import { riemannZeta } from "./riemann_zeta.ts";

/** How often the word of a rank stands in a text. */
export interface WordFrequency {
  /** From 1, the most frequent word. */
  readonly rank: number;
  /** How often the formula lets the word appear; need not be whole. */
  readonly frequency: number;
  /** How often it appears in a text: the frequency, floored. */
  readonly count: number;
}

/** Options for {@linkcode commonWordFrequencies}, named as RULER's CWE task has them. */
export interface CommonWordOptions {
  /**
   * How many common words there are.
   *
   * @default {10}
   */
  readonly common?: number;
  /**
   * How often each common word appears.
   *
   * @default {30}
   */
  readonly commonFrequency?: number;
  /** How many uncommon words there are; this grows with the context. */
  readonly uncommon: number;
  /**
   * How often each uncommon word appears.
   *
   * @default {3}
   */
  readonly uncommonFrequency?: number;
}

/**
 * Gives the word frequencies of a common-words sample by rank: two plateaus (RULER, section 3.3 and Figure 1, left).
 *
 * @param options How many words of each kind, and how often each appears.
 * @returns A frequency for each word, the common ones first.
 * @throws {RangeError} If a number is not whole or is below 0.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const counts = commonWordFrequencies({ uncommon: 2 }).map(({ count }) => count);
 * deepEqual(counts, [30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 3, 3]);
 * ```
 */
export function commonWordFrequencies(options: CommonWordOptions): readonly WordFrequency[] {
  const { common = 10, commonFrequency = 30, uncommon, uncommonFrequency = 3 } = options;
  for (const [name, value] of Object.entries({ common, commonFrequency, uncommon, uncommonFrequency })) {
    checkCount(name, value);
  }
  return Array.from({ length: common + uncommon }, (_, place) => {
    const frequency = place < common ? commonFrequency : uncommonFrequency;
    return { rank: place + 1, frequency, count: frequency };
  });
}

/** Options for {@linkcode frequentWordFrequencies}, named as RULER's FWE task has them. */
export interface FrequentWordOptions {
  /**
   * How steeply frequencies fall with rank, above 1.
   *
   * @default {2}
   */
  readonly alpha?: number;
  /** The number of words N that the frequencies are shares of. */
  readonly words: number;
  /** How many ranks to give. */
  readonly ranks: number;
}

/**
 * Gives the word frequencies of a frequent-words sample by rank: `k^-alpha N / zeta(alpha)` for rank k (RULER, section
 * 3.3 and Figure 1, right). The zeta function sums over all ranks, so the counts of a text add up to less than N. Rank
 * 1 is the noise, ranks 2 to 4 are asked.
 *
 * @param options The exponent, the number of words, and how many ranks.
 * @returns A frequency for each rank.
 * @throws {RangeError} If a number is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const counts = frequentWordFrequencies({ words: 1000, ranks: 4 }).map(({ count }) => count);
 * deepEqual(counts, [607, 151, 67, 37]);
 * ```
 */
export function frequentWordFrequencies(options: FrequentWordOptions): readonly WordFrequency[] {
  const { alpha = 2, words, ranks } = options;
  checkCount("words", words);
  checkCount("ranks", ranks);
  const scale = words / riemannZeta(alpha);
  return Array.from({ length: ranks }, (_, place) => {
    const frequency = (place + 1) ** -alpha * scale;
    return { rank: place + 1, frequency, count: Math.floor(frequency) };
  });
}

function checkCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 0) {
    throw new RangeError(`Cannot count words as ${name} must be a whole number from 0: current value is ${value}`);
  }
}
