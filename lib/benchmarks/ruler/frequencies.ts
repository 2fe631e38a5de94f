import { type Figure, lineChart, panels } from "@/lib/figures/mod.ts";

/** How often the word of a rank stands in a text. */
interface WordFrequency {
  /** From 1, the most frequent word. */
  readonly rank: number;
  /** How often the formula lets the word appear; need not be whole. */
  readonly frequency: number;
  /** How often it appears in a text: the frequency, floored. */
  readonly count: number;
}

/** Options for {@linkcode commonWordFrequencies}, named as RULER's CWE task has them. */
interface CommonWordOptions {
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
interface FrequentWordOptions {
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

// B(2k) / (2k)! for k from 1 to 6, B being the Bernoulli numbers.
const BERNOULLI_TERMS = [1 / 12, -1 / 720, 1 / 30_240, -1 / 1_209_600, 1 / 47_900_160, -691 / 1_307_674_368_000];

/**
 * Gives the Riemann zeta function, the sum of `k^-s` over all k from 1.
 *
 * Ten terms are added and the rest is taken from the Euler-Maclaurin formula with six corrections (DLMF 25.2.9). The
 * error is below 1e-12 of the value for every s above 1.
 *
 * @param s The exponent, above 1.
 * @returns The value, above 1.
 * @throws {RangeError} If `s` is not above 1.
 *
 * @example The sum of the inverse squares is pi^2 / 6
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(riemannZeta(2).toFixed(12), (Math.PI ** 2 / 6).toFixed(12));
 * ```
 */
export function riemannZeta(s: number): number {
  if (!(s > 1 && s < Infinity)) {
    throw new RangeError(`Cannot sum a zeta series as the exponent must be above 1: current value is ${s}`);
  }
  const last = 10;
  let sum = last ** (1 - s) / (s - 1) + last ** -s / 2;
  for (let k = 1; k < last; k++) sum += k ** -s;
  let rising = s;
  BERNOULLI_TERMS.forEach((term, place) => {
    sum += term * rising * last ** (-s - 2 * place - 1);
    rising *= (s + 2 * place + 1) * (s + 2 * place + 2);
  });
  return sum;
}

/** Options for {@linkcode frequencyFigure}. */
export interface FrequencyFigureOptions {
  /** Uncommon words of the first panel; they grow with the context. */
  readonly uncommon: number;
  /** The number of words N of the second panel, that frequencies are shares of. */
  readonly words: number;
  /** Exponents of the second panel, each above 1. */
  readonly alphas: readonly number[];
  /** The ranks that the second panel shows, from 1. */
  readonly ranks?: number;
}

/**
 * Draws Figure 1 of the RULER paper from its formulas: how often words stand in the two aggregation tasks, by rank.
 *
 * @param options How many words, and which exponents.
 * @returns The figure, two panels.
 * @throws {RangeError} If an exponent is not above 1.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * match(await frequencyFigure({ uncommon: 20, words: 1000, alphas: [1.5, 2] }).svg(), /Common words extraction/);
 * ```
 */
export function frequencyFigure(options: FrequencyFigureOptions): Figure {
  const { uncommon, words, alphas, ranks = 100 } = options;
  const shared = {
    x: "rank",
    y: "frequency",
    xTitle: "Rank of the word",
    yTitle: "Occurrences",
    origin: "published",
    caption: "Occurrences by rank.",
    height: 220,
  } as const;
  const common = lineChart(commonWordFrequencies({ uncommon }), {
    ...shared,
    xSpacing: "linear",
    title: "Common words extraction",
    n: `10 common and ${uncommon} other words`,
  });
  const byAlpha = alphas.flatMap((alpha) =>
    frequentWordFrequencies({ alpha, words, ranks }).map((row) => ({ ...row, alpha: `α = ${alpha}` }))
  );
  const frequent = lineChart(byAlpha, {
    ...shared,
    xSpacing: "log",
    ySpacing: "log",
    series: "alpha",
    seriesTitle: "Exponent",
    palette: "viridis",
    title: "Frequent words extraction",
    n: `N = ${words.toLocaleString("en-US")} words, before rounding down`,
  });
  return panels([common, frequent], {
    title: "Word frequencies of the two aggregation tasks, by rank",
    caption:
      "Figure 1 of the paper, from its formulas (section 3.3). Left: common words stand 30 times, all others 3 times. Right: rank k stands k^-α N/ζ(α) times; rank 1 is the noise that is not asked for.",
  });
}
