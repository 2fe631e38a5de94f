import { lengthText } from "@/lib/base/mod.ts";
import { drawnFromAll } from "./native_lengths.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { differenceInterval, type ScoreWithInterval, statedInterval, summarise } from "@/lib/statistics/mod.ts";

/**
 * Compares the means of two runs of other texts, for each task and length that both have: the texts differ, so no sample is paired, and
 * the interval is that of two independent means (MOVER, Zou and Donner 2008). `null` if they share no task and length.
 */
export function compareApart(
  [baseline, other]: readonly [ScoredRun, ScoredRun],
  names: readonly [string, string],
): Table | null {
  const theirs = new Map(summarise(other.replies).map((row) => [JSON.stringify([row.task, row.length]), row]));
  const rows = summarise(baseline.replies).flatMap((row) => {
    const second = theirs.get(JSON.stringify([row.task, row.length]));
    if (row.score === null || second === undefined || second.score === null) return [];
    const difference = differenceInterval(second as ScoreWithInterval, row as ScoreWithInterval);
    const n = Math.min(row.n, second.n);
    return [{
      task: row.task,
      length: lengthText(row.length),
      before: row.score,
      after: second.score,
      difference: difference.score,
      ...statedInterval({ ...difference, n }),
      n: row.n === second.n ? `${row.n}` : `${row.n} and ${second.n}`,
    }];
  });
  if (rows.length === 0) return null;
  return table(rows, {
    title: `${names[1]} against ${names[0]} on other texts: means of independent samples`,
    caption:
      "No sample has the same text in both, so each difference includes that of the texts: a paired comparison of the same " +
      "number of samples decides more. Intervals at 95%, without correction for their number; none for fewer than five samples.",
    ...drawnFromAll([baseline, other], names),
    n: "the samples of each row",
    columns: [
      { field: "task", label: "Task" },
      { field: "length", label: "Length" },
      { field: "before", label: names[0], digits: 1 },
      { field: "after", label: names[1], digits: 1 },
      { field: "difference", label: "Difference", digits: 1 },
      { field: "low", label: "From", digits: 1 },
      { field: "high", label: "To", digits: 1 },
      { field: "n", label: "Samples" },
    ],
  });
}
