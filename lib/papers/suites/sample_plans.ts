import { type Column, type Figure, lineChart, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import {
  minimumDetectableDifference,
  type PairedRow,
  planSamples,
  type SamplePlanOptions,
  unitsText,
} from "@/lib/statistics/mod.ts";

/** Options for {@linkcode samplePlanTable} and {@linkcode samplePlanFigure}. */
export interface SamplePlanChartOptions extends Pick<Titled, "title">, Omit<SamplePlanOptions, "score" | "tasks"> {
  /** The expected score of the better model, in percent, in (0, 100]. */
  readonly score: number;
  /** The number of tasks averaged in each design. */
  readonly tasks: readonly number[];
}

const DIFFERENCES = [1, 2, 3, 5, 10, 20];
const SAMPLES = [10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500];
const COMPUTED = { origin: "computed", n: "no samples asked" } as const;

/**
 * Makes a table of the samples of each task needed to detect a difference: a row for each difference.
 *
 * @throws {RangeError} If a number is outside its range.
 */
export function samplePlanTable(options: SamplePlanChartOptions): Table {
  const { title, tasks, ...planning } = options;
  const rows = DIFFERENCES.filter((points) => points <= options.score).map((
    points,
  ): Readonly<Record<string, number>> => ({
    points,
    ...Object.fromEntries(tasks.map((count) => [count, planSamples(points, { ...planning, tasks: count }).samples])),
  }));
  return table(rows, {
    title,
    caption: `Samples per task and model. ${assumed(options)}`,
    ...COMPUTED,
    columns: [
      { field: "points", label: "Difference (points)", digits: 0 },
      ...tasks.map((count): Column<Readonly<Record<string, number>>> => ({
        field: String(count),
        label: designName(count),
        digits: 0,
      })),
    ],
  });
}

const WANTED = [10, 5];

/**
 * Makes a table of the power of a comparison by `comparePairs`: for each row the minimum detectable difference, and the pairs
 * needed for the observed difference, for 10 points and for 5.
 *
 * @throws {RangeError} If there are no rows.
 */
export function neededPairsTable(rows: readonly PairedRow[], options: Titled): Table {
  const planned = rows.map((row) => {
    const { name, n, units, difference, low, high, baseline, other } = row;
    const score = Math.max(baseline, other);
    return {
      name,
      n,
      units,
      difference,
      low,
      high,
      least: score === 0 ? null : minimumDetectableDifference(n, { score }),
      seen: pairsFor(Math.abs(difference), score),
      ...Object.fromEntries(WANTED.map((points) => [`for${points}`, pairsFor(points, score)])),
    } as Readonly<Record<string, string | number | null>>;
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
    columns: [
      { field: "name", label: "Samples" },
      { field: "n", label: "Pairs", digits: 0 },
      { field: "difference", label: "Difference", digits: 1, low: "low", high: "high" },
      { field: "least", label: "Least they find", digits: 0 },
      { field: "seen", label: "Pairs for the one seen", digits: 0 },
      ...WANTED.map((points) => ({ field: `for${points}`, label: `Pairs for ${points} points`, digits: 0 })),
    ],
  });
}

/** Returns the pairs needed to detect a difference; `null` if there is none, or it exceeds the score. */
function pairsFor(points: number, score: number): number | null {
  return points === 0 || points > score ? null : planSamples(points, { score }).samples;
}

/**
 * Draws the minimum detectable difference between two models by samples of each task; a line ends where no difference is
 * detectable.
 *
 * @throws {RangeError} If a number is outside its range.
 */
export function samplePlanFigure(options: SamplePlanChartOptions): Figure {
  const { title, tasks, ...planning } = options;
  const rows = tasks.flatMap((count) =>
    SAMPLES.map((samples) => ({
      design: designName(count),
      samples,
      points: minimumDetectableDifference(samples, { ...planning, tasks: count }),
    }))
  );
  return lineChart(rows, {
    title,
    caption: `The minimum detectable difference. Where a line is missing, none is detectable. ${assumed(options)}`,
    ...COMPUTED,
    x: "samples",
    y: "points",
    series: "design",
    seriesTitle: "What is compared",
    palette: "ordered",
    xSpacing: "steps",
    xTitle: "Samples of each task",
    yTitle: "Minimum detectable difference (points)",
  });
}

function designName(tasks: number): string {
  return tasks === 1 ? "one task" : `mean of ${tasks} tasks`;
}

function assumed({ score, power = 0.8, level = 0.95, paired = true, comparisons = 1 }: SamplePlanChartOptions): string {
  return `Power ${Math.round(100 * power)}%, level ${Math.round(100 * level)}%; ` +
    `yes/no scores of ${score}% on average; ${paired ? "the same" : "different"} samples for each model; ` +
    `${comparisons === 1 ? "one comparison" : `${comparisons} comparisons`}.`;
}
