import { lengthLabel } from "./axis.ts";
import type { Figure, FigureOptions, Titled } from "./figure.ts";
import { heatmap } from "./heatmap.ts";
import { lineChart } from "./line_chart.ts";
import { type Column, type Table, table } from "./table.ts";
import { type ScoreRow, type ScoreThreshold, unitsText } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Options for {@linkcode scoreCurves}. */
export interface ScoreCurvesOptions extends Titled, Pick<FigureOptions, "n"> {
  /** The title of the legend, such as `Task` or `Model`. */
  readonly seriesTitle: string;
  /** The score that makes a length effective, drawn as a level line; no line by default. */
  readonly threshold?: ScoreThreshold | undefined;
}

/**
 * Draws scores by context length: a line for each task or mean, with its interval as a band where it has one.
 *
 * @param rows Scores by task and length; rows without a score are gaps.
 */
export function scoreCurves(rows: readonly ScoreRow[], options: ScoreCurvesOptions): Figure {
  const { threshold, ...labels } = options;
  const withIntervals = rows.some(({ low }) => low !== null);
  return lineChart(rows, {
    ...labels,
    x: "length",
    y: "score",
    series: "task",
    xTitle: "Context length (tokens)",
    yTitle: "Score (%)",
    yDomain: [0, 100],
    caption: [
      ...(withIntervals ? ["Bands are 95% intervals."] : []),
      ...(threshold
        ? [`The level line is the score that makes a length effective: ${threshold.score}, ${threshold.source}.`]
        : []),
    ].join(" "),
    ...(threshold ? { thresholds: [{ y: threshold.score, label: String(threshold.score) }] } : {}),
    ...(withIntervals ? { low: "low", high: "high", interval: "95% interval" } as const : {}),
  });
}

/** One task across the lengths: cells by length, as text. */
type TaskRow = Readonly<Record<string, string>>;

/**
 * Makes a table of scores: a row for each task, a column for each length, each score with its 95% interval. The note
 * counts failed calls and empty replies.
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
    ? ` ${FAILED_MARK} stands before how many calls failed in a cell.`
    : "";
  return table(tasks, {
    ...words,
    caption:
      `Scores in percent. Failed calls are in no score; empty replies have the least score of their benchmark.${marks}`,
    n: countText(rows),
    interval: unitsText(rows),
    columns: [{ field: "task", label: "Task" }, ...columns],
  });
}

/** Marks a cell with failed calls. */
const FAILED_MARK = "†";

function cellText({ score, low, high, failed }: ScoreRow, digits: number): string {
  const mark = failed === 0 ? "" : ` ${FAILED_MARK}${failed}`;
  if (score === null) return `—${mark}`;
  const interval = low === null || high === null ? "" : ` [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
  return `${score.toFixed(1)}${interval}${mark}`;
}

function countText(rows: readonly ScoreRow[]): string {
  const counts = [...new Set(rows.map(({ n }) => n))].sort((left, right) => left - right);
  const samples = counts.length === 1 ? `${counts[0]}` : `${counts[0]} to ${counts.at(-1)}`;
  const most = (field: "failed" | "noAnswer"): number => Math.max(0, ...rows.map((row) => row[field]));
  return `n = ${samples} a cell, at most ${most("failed")} failed calls and ${most("noAnswer")} empty replies in one`;
}

/** A score with the knobs of its task. */
export interface KnobPoint extends Pick<ScoreRow, "score" | "low" | "high"> {
  readonly knobs: Readonly<Record<string, string | number>>;
}

/** Options for {@linkcode knobCurves}. */
export interface KnobCurvesOptions extends Titled, Pick<FigureOptions, "n"> {
  /** The knob of the horizontal axis, a number in every row. */
  readonly knob: string;
  /** The title of that axis, with its unit. */
  readonly xTitle: string;
  /** Another knob, with a line for each of its values. */
  readonly series?: string;
  /** The title of the legend. */
  readonly seriesTitle?: string;
}

/**
 * Draws scores by a knob of a task, such as the number of steps: a line for each value of another knob, with intervals. The
 * values of the knob are evenly spaced.
 */
export function knobCurves(rows: readonly KnobPoint[], options: KnobCurvesOptions): Figure {
  const { knob, series, ...labels } = options;
  const points = rows.map(({ knobs, score, low, high }) => ({
    x: Number(knobs[knob]),
    line: String(knobs[series ?? ""] ?? ""),
    ...{ score, low, high },
  }));
  const hasIntervals = rows.some(({ low }) => low !== null);
  return lineChart(points, {
    ...labels,
    x: "x",
    y: "score",
    yTitle: "Score (%)",
    yDomain: [0, 100],
    xSpacing: "steps",
    caption: `Mean score of the samples.${hasIntervals ? " Bars are 95% intervals." : ""}`,
    ...(series === undefined ? {} : { series: "line" as const }),
    ...(hasIntervals ? { low: "low", high: "high", interval: "95% interval", intervalAs: "bars" } as const : {}),
  });
}

/**
 * Draws the scores of many models by context length: a row for each model in the order given, a column for each length,
 * grey if a model was not tested.
 *
 * @param cells Scores in percent, or `null`, by length, in tokens or as the source names it.
 * @param options `xTitle`: the title of the columns, by default `Context length (tokens)`. `showValues`: whether the cells contain
 *   their scores as text, `true` by default.
 */
export function modelHeatmap(
  cells: readonly { readonly model: string; readonly length: number; readonly score: number | null }[],
  options: Titled & Pick<FigureOptions, "n" | "width"> & { readonly xTitle?: string; readonly showValues?: boolean },
): Figure {
  const { xTitle = "Context length (tokens)", showValues = true, ...labels } = options;
  const models = [...new Set(cells.map(({ model }) => model))];
  const lengths = [...new Set(cells.map(({ length }) => length))].toSorted((left, right) => left - right);
  const scoreOf = new Map(cells.map(({ model, length, score }) => [JSON.stringify([model, length]), score]));
  const grid = models.flatMap((model) =>
    lengths.map((length) => ({ model, length, score: scoreOf.get(JSON.stringify([model, length])) ?? null }))
  );
  return heatmap(grid, {
    ...labels,
    caption: "A row is a model, a column a context length; grey cells were not tested.",
    x: "length",
    y: "model",
    value: "score",
    xTitle,
    yTitle: "Model",
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
