import { median } from "simple-statistics";
import { meanInterval } from "../intervals/mean_interval.ts";
import type { ExplainedReply } from "./failure_rows.ts";

/** How far from the target the distractors stand that were given instead of it, at one task and length. */
export interface DistractorDistance {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** Distractors given. */
  readonly n: number;
  /** The median of their distances from the target, as a difference of depths in [0, 1]. */
  readonly medianAway: number;
  /**
   * The mean share of the other distractors that stand nearer to the target, in [0, 1]: about 0.5 where distractors are picked
   * wherever they stand, and near 0 where the nearest ones are. `null` where there is no other.
   */
  readonly nearer: number | null;
  /** The low end of the 95% interval of that mean; `null` where there is none. */
  readonly low: number | null;
  /** The high end of that interval; `null` where there is none. */
  readonly high: number | null;
}

/**
 * Tells whether distractors that are given for an answer stand near it, as RULER (section 5) saw of Yi-34B: "values from the
 * vicinity of the target".
 *
 * @param replies Replies with their ways of failing.
 * @returns A row for each task and length at which a distractor with a place was given; variables of other chains are
 *   distractors too.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const mode = { class: "distractor", why: "said 7654321", evidence: [{ said: "7654321", away: -0.25, nearer: 0 }] } as const;
 * const [row] = distractorDistances([{ task: "niah", length: 4096, value: 0, failed: false, modes: [mode] }]);
 * equal(row?.medianAway, 0.25);
 * ```
 */
export function distractorDistances(replies: readonly ExplainedReply[]): DistractorDistance[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
    return lengths.flatMap(([length, ofLength]) => {
      const given = ofLength.flatMap(({ modes }) => modes).filter(({ class: way }) => GIVEN.has(way))
        .flatMap(({ evidence }) => evidence).filter(({ away }) => away !== undefined);
      if (given.length === 0) return [];
      const shares = given.map(({ nearer }) => nearer).filter((share) => share !== undefined);
      const { mean: nearer, low, high } = shares.length > 0
        ? meanInterval(shares)
        : { mean: null, low: null, high: null };
      const medianAway = median(given.map(({ away = 0 }) => Math.abs(away)));
      return [{ task, length, n: given.length, medianAway, nearer, low, high }];
    });
  });
}

const GIVEN: ReadonlySet<string> = new Set(["distractor", "other chain"]);
