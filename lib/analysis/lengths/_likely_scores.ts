import { normalPoint, normalReach } from "../intervals/_normal.ts";
import type { ScoreWithInterval } from "../intervals/difference_interval.ts";

/** How many values stand for a score that is not certain. */
const POINTS = 64;

/**
 * Gives equally likely values of a true score: the middles of as many equal shares of a distribution that is normal on
 * either side of the measured score, with the spread that its interval has on that side.
 */
export function likelyScores({ score, low, high }: ScoreWithInterval, level: number): readonly number[] {
  const reach = normalReach(level);
  return Array.from({ length: POINTS }, (_, place) => {
    const errors = normalPoint((place + 0.5) / POINTS) / reach;
    return score + errors * (errors < 0 ? score - low : high - score);
  });
}
