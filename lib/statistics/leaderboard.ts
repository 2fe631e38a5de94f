import { differenceInterval, type ScoreWithInterval } from "./intervals.ts";
import { inPercent, meanOfClusters } from "./mean_interval.ts";
import type { ClusteredSample } from "./clusters.ts";
import { meanOfRepeats, type ScoredRecord, scoreOf } from "./repeats.ts";

/** A model's mean over its tasks and lengths, and at each length. */
export interface LeaderboardRow extends ScoreWithInterval {
  readonly name: string;
  /** Samples scored. */
  readonly n: number;
  /** Independent units among them: a question or text that several share counts once. */
  readonly units: number;
  /** The means over tasks, lengths rising. */
  readonly lengths: readonly (ScoreWithInterval & { readonly length: number })[];
}

/**
 * Ranks models by the mean of their scores, the highest first; every task at a length weighs the same.
 *
 * @param models What each was asked: the same samples, or the ranks mean little. Failed calls are left out.
 * @throws {RangeError} If a model has no score.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (value: number) => ({ task: "vt", length: 4096, value, failed: false, noAnswer: false });
 * const rows = leaderboard([{ name: "a", records: [of(0), of(1)] }, { name: "b", records: [of(1), of(1)] }]);
 * deepEqual(rows.map(({ name, score }) => [name, score]), [["b", 100], ["a", 50]]);
 * ```
 */
export function leaderboard(
  models: readonly { readonly name: string; readonly records: readonly ScoredRecord[] }[],
): readonly LeaderboardRow[] {
  return models.map(({ name, records }): LeaderboardRow => {
    const samples = samplesOf(records, ({ task, length }) => JSON.stringify([task, length]));
    const lengths = [...Map.groupBy(samples, ({ length }) => length)].sort(([left], [right]) => left - right);
    const all = meanOfClusters(samples);
    return {
      ...{ name, n: samples.length, units: all.n },
      ...inPercent(all),
      lengths: lengths.map(([length, ofLength]) => ({ length, ...inPercent(meanOfClusters(ofLength)) })),
    };
  }).toSorted((left, right) => right.score - left.score);
}

/**
 * Names the highest of some means, as far as the 95% intervals of their differences decide it.
 *
 * @param means At least one, each with a name; the models are taken as independent.
 * @param what What they are, such as `mean`.
 */
export function highestFinding(
  means: readonly (ScoreWithInterval & { readonly name: string })[],
  what: string,
): string {
  const isBelow = (one: ScoreWithInterval): boolean => means.some((other) => differenceInterval(one, other).high < 0);
  const open = means.filter((mean) => !isBelow(mean));
  const [first, second] = open;
  if (first === undefined) return "Nothing can be ranked";
  if (means.length === 1) return `The ${what} of ${first.name} is ${first.score.toFixed(1)}`;
  if (second === undefined) return `${first.name} has the highest ${what}, ${first.score.toFixed(1)}`;
  const names = open.length > MOST_NAMED
    ? `${open.length} of ${means.length}`
    : `${open.slice(0, -1).map(({ name }) => name).join(", ")} and ${open.at(-1)!.name}`;
  return `The intervals leave open which of ${names} has the highest ${what}`;
}

const MOST_NAMED = 3;

/** A model's mean score in a task, over all lengths. */
export interface ModelTaskScore {
  readonly model: string;
  readonly task: string;
  /** The mean in percent. */
  readonly score: number;
  /** The low end of its 95% interval; `null` where it is not known, as of a published mean. */
  readonly low: number | null;
  /** The high end. */
  readonly high: number | null;
  /** Samples scored; `null` where that is not known. */
  readonly n: number | null;
}

/**
 * Averages the samples of each task over all lengths, model by model; failed calls are left out, and so are tasks without a
 * score.
 */
export function modelTaskScores(
  models: readonly { readonly name: string; readonly records: readonly ScoredRecord[] }[],
): readonly ModelTaskScore[] {
  return models.flatMap(({ name, records }) =>
    [...Map.groupBy(samplesOf(records, ({ task }) => task), ({ cell }) => cell)].map(([task, ofTask]) => ({
      ...{ model: name, task, n: ofTask.length },
      ...inPercent(meanOfClusters(ofTask)),
    }))
  );
}

/** The scored samples of a model, by what is averaged with equal weight. */
function samplesOf(
  records: readonly ScoredRecord[],
  cellOf: (record: ScoredRecord) => string,
): readonly (ClusteredSample & { readonly length: number })[] {
  return meanOfRepeats(records).flatMap((record) => {
    const score = scoreOf(record);
    return score === null
      ? []
      : [{ cell: cellOf(record), cluster: record.cluster, values: [score], length: record.length }];
  });
}
