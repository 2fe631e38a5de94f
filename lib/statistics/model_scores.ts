import { differenceInterval, type ScoreWithInterval } from "./intervals.ts";
import { inPercent, meanOfClusters } from "./mean_interval.ts";
import type { ScoredRecord } from "./units.ts";
import { widened } from "./stated_interval.ts";
import { samplesOf, type ScoreRow } from "./summarise.ts";

/**
 * Names the highest of some means, as far as the 95% intervals of their differences decide it ({@linkcode widened}).
 *
 * @param means At least one; they are taken as independent.
 * @param what Their meaning, such as `mean`.
 */
export function highestFinding(
  means:
    readonly (ScoreWithInterval & { readonly name: string; readonly n?: number | null; readonly units?: number })[],
  what: string,
): string {
  const wide = widened(means);
  const isBelow = (one: ScoreWithInterval): boolean => wide.some((other) => differenceInterval(one, other).high < 0);
  const open = wide.filter((mean) => !isBelow(mean));
  const [first, second] = open;
  if (first === undefined) return "Nothing can be ranked";
  if (means.length === 1) return `The ${what} of ${first.name} is ${first.score.toFixed(1)}`;
  if (second === undefined) return `${first.name} has the highest ${what}, ${first.score.toFixed(1)}`;
  const names = open.length > 3
    ? `${open.length} of ${means.length}`
    : `${open.slice(0, -1).map(({ name }) => name).join(", ")} and ${open.at(-1)!.name}`;
  return `The intervals leave open which of ${names} has the highest ${what}`;
}

/** A model's mean score in a task, over all lengths. */
export interface ModelTaskScore extends Pick<ScoreRow, "task" | "low" | "high"> {
  readonly model: string;
  /** Independent units among the samples, if several share a text or question. */
  readonly units?: number | undefined;
  /** The mean in percent, with its interval; the ends are `null` if unknown, as for published means. */
  readonly score: number;
  /** Samples scored; `null` if unknown. */
  readonly n: number | null;
}

/** Averages the samples of each task of each model over all lengths; tasks without a score are skipped. */
export function modelTaskScores(
  models: readonly { readonly name: string; readonly records: readonly ScoredRecord[] }[],
): readonly ModelTaskScore[] {
  return models.flatMap(({ name, records }) =>
    [...Map.groupBy(samplesOf(records, ({ task }) => task), ({ cell }) => cell)].map(([task, ofTask]) => {
      const mean = meanOfClusters(ofTask);
      return { model: name, task, n: ofTask.length, units: mean.n, ...inPercent(mean) };
    })
  );
}
