import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { minimumDetectableDifference, type PairedRow, planSamples, unitsText } from "@/lib/statistics/mod.ts";

const DIFFERENCES = [1, 2, 3, 5, 10, 20];

/**
 * Makes a table of the samples of each task needed to detect a difference: a row for each difference.
 *
 * @param options `score`: the expected score of the better model, in percent, in (0, 100]. `tasks`: the number of tasks averaged in
 *   each design.
 * @throws {RangeError} If a number is outside its range.
 */
export function samplePlanTable(
  { title, score, tasks }: Pick<Titled, "title"> & { readonly score: number; readonly tasks: readonly number[] },
): Table {
  const rows = DIFFERENCES.filter((points) => points <= score).map((points): Readonly<Record<string, number>> => {
    const needed = tasks.map((count) => [count, planSamples(points, { score, tasks: count }).samples]);
    return { points, ...Object.fromEntries(needed) };
  });
  return table(rows, {
    title,
    caption: `Samples per task and model. ${assumed(score)}`,
    origin: "computed",
    n: "no samples asked",
    columns: [
      { field: "points", label: "Difference (points)", digits: 0 },
      ...tasks.map((count) => ({ field: String(count), label: designName(count), digits: 0 })),
    ],
  });
}

/**
 * Makes a table of the power of a comparison by `comparePairs`: for each row the minimum detectable difference, and the pairs
 * needed for the observed difference, for 10 points and for 5.
 *
 * @throws {RangeError} If there are no rows.
 */
export function neededPairsTable(rows: readonly PairedRow[], options: Titled): Table {
  const planned = rows.map((row) => {
    const score = Math.max(row.baseline, row.other);
    const least = score === 0 ? null : minimumDetectableDifference(row.n, { score });
    const [seen, ten, five] = [Math.abs(row.difference), 10, 5].map((points) => pairsFor(points, score));
    return { ...row, least, seen, ten, five };
  });
  return table(planned, {
    ...options,
    caption:
      "Pairs of replies to the same samples: their number, the least difference in points that they detect in 80% of runs " +
      "(– if none), and the number needed to detect a true difference as large as the one seen, of 10 or of 5 points. Each row " +
      "alone, at the 5% level, for uncorrelated yes/no scores, which is conservative. A difference seen in few samples is a " +
      "poor estimate of the true one.",
    n: "pairs as in each row",
    interval: unitsText(rows),
    columns: {
      name: "Samples",
      n: { label: "Pairs", digits: 0 },
      difference: { label: "Difference", digits: 1, low: "low", high: "high" },
      least: { label: "Least they find", digits: 0 },
      seen: { label: "Pairs for the one seen", digits: 0 },
      ten: { label: "Pairs for 10 points", digits: 0 },
      five: { label: "Pairs for 5 points", digits: 0 },
    },
  });
}

/** Returns the pairs needed to detect a difference; `null` if there is none, or it exceeds the score. */
function pairsFor(points: number, score: number): number | null {
  return points === 0 || points > score ? null : planSamples(points, { score }).samples;
}

function designName(tasks: number): string {
  return tasks === 1 ? "one task" : `mean of ${tasks} tasks`;
}

/** The defaults of `planSamples`. */
function assumed(score: number): string {
  return `Power 80%, level 95%; yes/no scores of ${score}% on average; the same samples for each model; one comparison.`;
}
