import { decidedByDifference, type Finding, notAsked, pointsText } from "./findings.ts";
import { differenceInterval, type ScoreWithInterval } from "./intervals.ts";
import { inPercent, meanOfClusters } from "./mean_interval.ts";
import type { ClusteredSample, RunReply } from "./units.ts";

/** Two groups of replies that are compared. */
export interface GroupComparison<Reply extends RunReply = RunReply> {
  /** Returns the group of a reply; replies of other groups are left out. */
  of(reply: Reply): string | number | undefined;
  readonly groups: readonly [first: string | number | undefined, second: string | number | undefined];
  /** Returns what both groups must have in common, such as the length; these cells weigh the same. */
  alike(reply: Reply): string | number;
  /** Returns what is averaged, in [0, 1]; by default the score. */
  value?(reply: Reply): number | null;
}

/**
 * Compares the means of two groups of replies over the cells that both have. Replies that share a cluster count once.
 *
 * @returns The first group less the second, in points with its 95% interval, the `scores` of both in percent, and the numbers of
 *   their replies; `null` if the groups are the same or share no cell.
 */
export function compareGroups<Reply extends RunReply>(
  replies: readonly Reply[],
  comparison: GroupComparison<Reply>,
):
  | ScoreWithInterval & {
    readonly units: number;
    readonly scores: readonly [ScoreWithInterval, ScoreWithInterval];
    readonly sizes: readonly [number, number];
  }
  | null {
  const { of, groups: [one, other], alike, value = (reply) => reply.value } = comparison;
  const samplesOf = (group: string | number | undefined): ClusteredSample[] =>
    replies.filter((reply) => of(reply) === group && value(reply) !== null).map((reply) => (
      { cell: String(alike(reply)), cluster: reply.cluster, values: [value(reply)!] }
    ));
  const [first, second] = [samplesOf(one), samplesOf(other)];
  const shared = new Set(first.map(({ cell }) => cell)).intersection(new Set(second.map(({ cell }) => cell)));
  if (one === undefined || other === undefined || one === other || shared.size === 0) return null;
  const [left, right] = [first, second].map((all) => all.filter(({ cell }) => shared.has(cell)));
  const means = [meanOfClusters(left!), meanOfClusters(right!)] as const;
  const scores = [inPercent(means[0]), inPercent(means[1])] as const;
  const units = Math.min(means[0].n, means[1].n);
  return { ...differenceInterval(...scores), units, scores, sizes: [left!.length, right!.length] };
}

/**
 * Judges whether the first of two groups of replies scores higher, by {@linkcode compareGroups} and {@linkcode decidedByDifference}.
 *
 * @param comparison `words`: the difference, such as `Forward less backward`. `isRate`: what is averaged has no floor and no ceiling.
 */
export function decidedByGroups<Reply extends RunReply>(
  replies: readonly Reply[],
  comparison: GroupComparison<Reply> & { readonly words: string; readonly bar?: number; readonly isRate?: boolean },
): Finding {
  const found = compareGroups(replies, comparison);
  if (found === null) return notAsked("There are no replies to compare.");
  const observed = `${comparison.words}: ${pointsText(found)}, of ${found.sizes.join(" and ")} replies.`;
  const { bar = 0, isRate = false } = comparison;
  return decidedByDifference(found, observed, isRate ? { bar } : { bar, scores: found.scores });
}
