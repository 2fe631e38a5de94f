import { lengthLabel } from "./axis.ts";
import type { Figure, FigureOptions, Titled } from "./figure.ts";
import { heatmap } from "./heatmap.ts";
import { lineChart, type LineOptions } from "./line_chart.ts";
import { readInterval } from "./row_values.ts";
import { type Column, type Table, table } from "./table.ts";
import { numberText } from "./text_fit.ts";
import { intervalText } from "./tooltips.ts";
import { defined, lengthText, rangeText } from "@/lib/base/mod.ts";
import {
  minimumDetectableDifference,
  type PairedRow,
  planSamples,
  type SamplePlanOptions,
  type ScoreRow,
  type ScoreThreshold,
  unitsText,
} from "@/lib/statistics/mod.ts";

/** Options for {@linkcode scoreCurves}. */
export interface ScoreCurvesOptions
  extends
    Titled,
    Pick<FigureOptions, "n">,
    Partial<Pick<LineOptions<object>, "caption" | "seriesTitle" | "thresholds" | "palette">> {
  /** Whether a line is a task (or mean), as by default, or a model. */
  readonly series?: "task" | "model";
  /** The score that makes a length effective, drawn as a level line; no line by default. */
  readonly threshold?: ScoreThreshold | undefined;
}

/**
 * Draws scores by context length: a line for each task, mean or model, with its interval if it has one.
 *
 * @param rows Scores by length; rows without a score are gaps.
 */
export function scoreCurves(
  rows: readonly (Pick<ScoreRow, "length"> & Omit<KnobPoint, "knobs"> & {
    readonly task?: string;
    readonly model?: string;
  })[],
  options: ScoreCurvesOptions,
): Figure {
  const { threshold, series = "task", caption = "A point is the mean of its samples.", ...labels } = options;
  return lineChart(rows, {
    series,
    seriesTitle: series === "task" ? "Task" : "Model",
    ...(threshold ? { thresholds: [{ y: threshold.score, label: numberText(threshold.score) }] } : {}),
    ...labels,
    x: "length",
    y: "score",
    xTitle: "Context length (tokens)",
    yTitle: "Score (%)",
    yDomain: [0, 100],
    caption: [
      caption,
      ...(threshold
        ? [`The level line is the score that makes a length effective: ${threshold.score}, ${threshold.source}.`]
        : []),
    ].join(" "),
    ...intervalsOf(rows),
  });
}

/** Returns the options of the intervals of scores; those without one but with samples get the widest that these allow. */
function intervalsOf(
  rows: readonly Pick<KnobPoint, "score" | "low" | "n" | "units">[],
): Partial<Pick<LineOptions<Pick<ScoreRow, "low" | "high" | "n">>, "low" | "high" | "interval" | "samples">> {
  const isKnown = rows.some(({ low }) => low !== null);
  const isBare = rows.some(({ score, low, units, n }) => score !== null && low === null && (units ?? n ?? 0) >= 5);
  return {
    ...(isKnown ? { low: "low", high: "high", interval: unitsText(rows, "95% interval") } : {}),
    ...(isBare ? { samples: "n" } : {}),
  };
}

type TaskRow = Readonly<Record<string, string>>;

/**
 * Makes a table of scores: a row for each task, a column for each length, each score with its 95% interval. The note
 * counts failed calls and missing answers.
 *
 * @param options `digits`: decimals of the intervals, 0 to 10; 0 by default.
 */
export function scoreTable(rows: readonly ScoreRow[], options: Titled & { readonly digits?: number }): Table {
  const { digits = 0, ...words } = options;
  const lengths = [...new Set(rows.map(({ length }) => length))].sort((left, right) => left - right);
  const tasks = [...Map.groupBy(rows, ({ task }) => task)].map(([task, ofTask]): TaskRow => ({
    task,
    ...Object.fromEntries(ofTask.map((row) => [String(row.length), cellText(row, digits)])),
  }));
  const columns: Column<TaskRow>[] = lengths.map((length) => ({
    field: String(length),
    label: lengthText(length),
    align: "right",
  }));
  const marks = rows.some(({ failed }) => failed > 0)
    ? ` ${FAILED_MARK} marks the number of failed calls of a cell.`
    : "";
  return table(tasks, {
    ...words,
    caption:
      `Scores in percent. Failed calls are in no score; a missing answer has the least score of its benchmark.${marks}`,
    n: countText(rows),
    interval: unitsText(rows),
    columns: [{ field: "task", label: "Task" }, ...columns],
  });
}

/** Marks a cell with failed calls. */
const FAILED_MARK = "†";

function cellText(row: ScoreRow, digits: number): string {
  const mark = row.failed === 0 ? "" : ` ${FAILED_MARK}${row.failed}`;
  return row.score === null ? `—${mark}` : `${row.score.toFixed(1)}${intervalText(row, digits)}${mark}`;
}

function countText(rows: readonly ScoreRow[]): string {
  const samples = rangeText(rows.map(({ n }) => n), String);
  const most = (field: "failed" | "noAnswer"): number => Math.max(0, ...rows.map((row) => row[field]));
  return `n = ${samples} a cell, at most ${most("failed")} failed calls and ${most("noAnswer")} missing answers in one`;
}

/** A score with the knobs of its task. */
export interface KnobPoint extends Pick<ScoreRow, "score" | "low" | "high"> {
  readonly n?: number | null;
  readonly units?: number | undefined;
  readonly knobs: Readonly<Record<string, string | number>>;
}

/** Options for {@linkcode knobCurves}. */
export interface KnobCurvesOptions
  extends Titled, Pick<FigureOptions, "n">, Pick<LineOptions<object>, "xTitle" | "seriesTitle" | "palette"> {
  /** The knob of the horizontal axis, a number in every row. */
  readonly knob: string;
  /** Another knob, with a line for each of its values. */
  readonly series?: string;
}

/**
 * Draws scores by a knob of a task, such as the number of steps: a line for each value of another knob, with intervals. The
 * values of the knob are evenly spaced.
 */
export function knobCurves(rows: readonly KnobPoint[], options: KnobCurvesOptions): Figure {
  const { knob, series, ...labels } = options;
  const points = rows.map(({ knobs, score, low, high, n = null, units }) => ({
    x: Number(knobs[knob]),
    line: String(knobs[series ?? ""] ?? ""),
    score,
    low,
    high,
    n,
    ...defined({ units }),
  }));
  return lineChart(points, {
    ...labels,
    x: "x",
    y: "score",
    yTitle: "Score (%)",
    yDomain: [0, 100],
    xSpacing: "steps",
    caption: `Mean score of the samples.${rows.some(({ low }) => low !== null) ? " Bars are 95% intervals." : ""}`,
    ...(series === undefined ? {} : { series: "line" as const }),
    ...intervalsOf(rows),
  });
}

/**
 * Draws the scores of many models, or of the tasks of one, by context length: a row for each in the order given, a column for each
 * length, grey if it was not tested.
 *
 * @param cells Scores in percent, or `null`, by length, in tokens or as the source names it.
 * @param options `xTitle`, `yTitle`: the titles of columns and rows, by default `Context length (tokens)` and `Model`. `showValues`:
 *   whether the cells contain their scores as text, `true` by default.
 */
export function modelHeatmap(
  cells: readonly (Pick<ScoreRow, "length" | "score"> & { readonly model: string; readonly n?: number | null })[],
  options: Titled & Pick<FigureOptions, "n" | "width"> & {
    readonly xTitle?: string;
    readonly yTitle?: string;
    readonly showValues?: boolean;
  },
): Figure {
  const { xTitle = "Context length (tokens)", yTitle = "Model", showValues = true, ...labels } = options;
  const models = [...new Set(cells.map(({ model }) => model))];
  const lengths = [...new Set(cells.map(({ length }) => length))].toSorted((left, right) => left - right);
  const cellOf = new Map(cells.map((cell) => [JSON.stringify([cell.model, cell.length]), cell]));
  const grid = models.flatMap((model) =>
    lengths.map((length) => {
      const { score = null, n = null } = cellOf.get(JSON.stringify([model, length])) ?? {};
      const ends = readInterval({ n }, { title: labels.title, samples: "n" }, score);
      return { model, length, score, range: intervalText(ends).trim() };
    })
  );
  const isRanged = grid.some(({ range }) => range !== "");
  return heatmap(grid, {
    ...labels,
    ...(isRanged
      ? { interval: "widest 95% interval that n allows, on hovering", tooltips: { "95% interval": "range" } }
      : {}),
    caption: `A row is a ${yTitle.toLowerCase()}, a column a context length; grey cells were not tested.`,
    x: "length",
    y: "model",
    value: "score",
    xTitle,
    yTitle,
    valueTitle: "Score (%)",
    yOrder: models,
    xLabel: (length) => nameLength(Number(length), lengths),
    domain: [0, 100],
    showValues,
  });
}

/** Labels lengths in thousands if all are multiples of 1,000, as papers do: their 128K is 128,000. */
function nameLength(length: number, lengths: readonly number[]): string {
  return lengths.every((each) => each % 100 === 0) ? `${length / 1000}K` : lengthLabel(length);
}

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
