import { lengthLabel } from "./axis.ts";
import type { Figure, FigureOptions, Titled } from "./figure.ts";
import { heatmap } from "./heatmap.ts";
import { lineChart, type LineOptions } from "./line_chart.ts";
import { readInterval } from "./row_values.ts";
import { type Column, type Table, table } from "./table.ts";
import { numberText } from "./text_fit.ts";
import { intervalText } from "./tooltips.ts";
import { lengthText, rangeText } from "@/lib/base/mod.ts";
import { type ScoreRow, type ScoreThreshold, unitsText } from "@/lib/statistics/mod.ts";

/** A score with its interval and numbers, as far as they are known. */
export interface KnownScore extends Pick<ScoreRow, "score" | "low" | "high"> {
  readonly n?: number | null;
  readonly units?: number | undefined;
}

/**
 * Draws scores by context length: a line for each task, mean or model, with its interval if it has one.
 *
 * @param rows Scores by length; rows without a score are gaps.
 */
export function scoreCurves(
  rows: readonly (Pick<ScoreRow, "length"> & KnownScore & {
    readonly task?: string;
    readonly model?: string;
  })[],
  options:
    & Titled
    & Pick<FigureOptions, "n">
    & Partial<Pick<LineOptions<object>, "caption" | "seriesTitle" | "thresholds" | "palette">>
    & {
      /** Whether a line is a task (or mean), as by default, or a model. */
      readonly series?: "task" | "model";
      /** The score that makes a length effective, drawn as a level line; no line by default. */
      readonly threshold?: ScoreThreshold | undefined;
    },
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
    ...intervalOptions(rows),
    tooltips: {
      ...(series === "task" && rows.some(({ model }) => model !== undefined) ? { Model: "model" } : {}),
      ...samplesTip(rows),
    },
  });
}

/** Returns the tooltip line of the numbers of samples, if there are any. */
function samplesTip(rows: readonly Pick<KnownScore, "n">[]): { readonly Samples?: "n" } {
  return rows.some(({ n }) => typeof n === "number") ? { Samples: "n" } : {};
}

/** Returns the options of the intervals of scores; those without one but with samples get the widest that these allow. */
export function intervalOptions(
  rows: readonly Omit<KnownScore, "high">[],
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
      const cell = cellOf.get(JSON.stringify([model, length]));
      const { score = null, n = null } = cell ?? {};
      const ends = readInterval({ n }, { title: labels.title, samples: "n" }, score);
      return { ...cell, model, length, score, range: intervalText(ends).trim() };
    })
  );
  const isRanged = grid.some(({ range }) => range !== "");
  return heatmap(grid, {
    ...labels,
    ...(isRanged ? { interval: "widest 95% interval that n allows, on hovering" } : {}),
    tooltips: { ...(isRanged ? { "95% interval": "range" } : {}), ...samplesTip(cells) },
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
