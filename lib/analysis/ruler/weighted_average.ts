import { sum } from "simple-statistics";

/**
 * How much each length weighs: `equal`, or linear in the rank of the length, as RULER's `wAvg`: rising (`increasing`,
 * long contexts weigh more) or falling (`decreasing`). A list gives any other weights, one a score.
 */
export type Weighting = "equal" | "increasing" | "decreasing" | readonly number[];

/**
 * Gives the weights of a weighting, which add up to 1.
 *
 * RULER's weights go by rank, not by tokens: 1/21, 2/21 to 6/21 for six lengths (section 4 says "linearly"; the printed
 * averages agree with these weights and with no others tried).
 *
 * @param count How many scores are weighed, from 1.
 * @param weighting How.
 * @returns `count` weights.
 * @throws {RangeError} If a list has another number of weights, a negative one, or nothing but zeros.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(rankWeights(3, "increasing"), [1 / 6, 2 / 6, 3 / 6]);
 * ```
 */
export function rankWeights(count: number, weighting: Weighting): readonly number[] {
  const raw = Array.from({ length: count }, (_, rank) => {
    if (weighting === "equal") return 1;
    if (weighting === "increasing") return rank + 1;
    if (weighting === "decreasing") return count - rank;
    return weighting[rank] ?? NaN;
  });
  if (typeof weighting !== "string" && weighting.length !== count) {
    throw new RangeError(
      `Cannot weigh scores as the weights must be ${count}, one a score: current value is ${weighting.length}`,
    );
  }
  const total = sum(raw);
  if (!(total > 0 && total < Infinity) || raw.some((weight) => weight < 0)) {
    throw new RangeError(
      `Cannot weigh scores as weights must be at least 0, and one above 0: current value is [${raw.join(", ")}]`,
    );
  }
  return raw.map((weight) => weight / total);
}

/**
 * Averages the scores of one model over the lengths.
 *
 * @param scores One score a length, lengths rising; `null` where a length has no score.
 * @param weighting How much each length weighs.
 * @returns The average, in the unit of the scores; `null` where a score that weighs something is missing or there is
 * none.
 * @throws {RangeError} If the weights do not fit the scores.
 *
 * @example GPT-4 in RULER's Table 3: 89.0 and 94.1
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const scores = [96.6, 96.3, 95.2, 93.2, 87.0, 81.2];
 * equal(weightedAverage(scores, "increasing")?.toFixed(1), "89.0");
 * equal(weightedAverage(scores, "decreasing")?.toFixed(1), "94.1");
 * ```
 */
export function weightedAverage(scores: readonly (number | null)[], weighting: Weighting): number | null {
  if (scores.length === 0) return null;
  const weights = rankWeights(scores.length, weighting);
  if (scores.some((score, place) => score === null && weights[place]! > 0)) return null;
  return sum(scores.map((score, place) => (score ?? 0) * weights[place]!));
}
