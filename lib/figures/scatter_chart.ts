import { markLayer, planeOf } from "./axis.ts";
import {
  cannotDraw,
  checkFigure,
  lookOf,
  type PlaneOptions,
  readNumber,
  refuseUnshowable,
  type SeriesLook,
  seriesOf,
  shown,
  tips,
  tipValues,
} from "./chart.ts";
import { type Drawing, type Field, type Figure, type FigureFrame, makeFigure } from "./figure.ts";
import { type Channels, fading, INK, LABEL_SIZE, SOFT_INK, type Spec } from "./theme.ts";

/**
 * Draws a scatter chart: how two numbers are related.
 *
 * A row whose x or y is `null` has no point, and the note under the title counts them.
 *
 * @throws {RangeError} If no row has both numbers, or a value cannot be shown on its axis.
 * @throws {TypeError} If a field that is drawn holds something other than a number or `null`.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const figure = scatterChart([{ ours: 91.2, printed: 91.6, task: "vt" }], {
 *   title: "Measured scores are close to printed ones",
 *   caption: "One point a task.",
 *   origin: "measured",
 *   n: 500,
 *   x: "printed",
 *   y: "ours",
 *   label: "task",
 *   xTitle: "Printed score (%)",
 *   yTitle: "Measured score (%)",
 * });
 * match(await figure.svg(), /vt/);
 * ```
 */
export function scatterChart<Row extends object>(rows: readonly Row[], options: ScatterOptions<Row>): Figure {
  checkFigure(rows, options);
  const { diagonal } = options;
  const { dots: read, skipped } = readDots(rows, options);
  const look = lookOf(rows.map((row) => seriesOf(row, options)), options);
  const dots = read.map((dot) => ({ ...dot, series: look.nameOf(dot.series) }));
  return makeFigure(options, {
    notes: [
      ...(skipped === 0 ? [] : [`${skipped} without a value not shown`]),
      ...(diagonal === undefined ? [] : [`dotted: ${diagonal}`]),
    ],
    view: DOTS,
    ...look.legend,
    draw: (frame) => drawDots(dots, { options, look, frame }),
  });
}

/** Options for a scatter chart. */
export interface ScatterOptions<Row> extends PlaneOptions<Row> {
  /** How the horizontal axis is divided; `"linear"` if left out. */
  readonly xSpacing?: "linear" | "log" | "lengths";
  /** The field that labels each point. */
  readonly label?: Field<Row>;
  /** What it means to lie on the line where x equals y; no such line if left out. */
  readonly diagonal?: string;
}

/** One point of a scatter chart. */
interface Dot<Row> {
  readonly x: number;
  readonly y: number;
  readonly series: string;
  readonly label: string;
  readonly row: Row;
}

/** Reads the points of a scatter chart and counts the rows that have none. */
function readDots<Row extends object>(
  rows: readonly Row[],
  options: ScatterOptions<Row>,
): { readonly dots: readonly Dot<Row>[]; readonly skipped: number } {
  const { title, label } = options;
  const dots = rows.flatMap((row): Dot<Row>[] => {
    const [x, y] = [readNumber(row, options.x, { title }), readNumber(row, options.y, { title })];
    if (x === null || y === null) return [];
    return [{ x, y, series: seriesOf(row, options), label: label === undefined ? "" : shown(row[label]), row }];
  });
  if (dots.length === 0) {
    throw cannotDraw(title, `${options.x} and ${options.y} must be numbers in one row or more`, null);
  }
  for (const { x, y } of dots) {
    refuseUnshowable(x, { title, field: options.x, domain: options.xDomain, spacing: options.xSpacing });
    refuseUnshowable(y, { title, field: options.y, domain: options.yDomain, spacing: options.ySpacing });
  }
  return { dots, skipped: rows.length - dots.length };
}

function drawDots<Row>(
  dots: readonly Dot<Row>[],
  { options, look, frame }: {
    readonly options: ScatterOptions<Row>;
    readonly look: SeriesLook;
    readonly frame: FigureFrame;
  },
): Drawing {
  const { xSpacing = "linear", height = 320 } = options;
  const places = { xs: dots.map(({ x }) => x), ys: dots.map(({ y }) => y) };
  const { left, width, channels } = planeOf(places, { options, xSpacing, look, frame });
  const layer = [
    ...(options.diagonal === undefined ? [] : [diagonalLayer(dots, { options, channels })]),
    dotLayer(dots, { options, channels, look }),
    ...(options.label === undefined ? [] : [labelLayer(dots, channels)]),
  ];
  return { left, body: { width, height, layer } };
}

/** The name of the layer that holds the points. */
const DOTS = "dots";

/** The layer of the points, with what they say on hovering and to a screen reader. */
function dotLayer<Row>(
  dots: readonly Dot<Row>[],
  { options, channels, look }: {
    readonly options: ScatterOptions<Row>;
    readonly channels: Channels;
    readonly look: SeriesLook;
  },
): Spec {
  const { series, seriesTitle = "Series", label, xTitle, yTitle, tooltips } = options;
  const values = dots.map(({ row, ...dot }) => {
    const [xText, yText] = [shown(dot.x), shown(dot.y)];
    const names = [dot.label, ...(series === undefined ? [] : [dot.series])].filter((name) => name !== "");
    const about = `${names.length === 0 ? "" : `${names.join(", ")}: `}${xText}, ${yText}`;
    return { ...dot, xText, yText, about, ...tipValues(row, tooltips) };
  });
  const own = {
    ...(label === undefined ? {} : { label: "Name" }),
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
  };
  const opacity = fading(0.9, 0.12);
  return markLayer(values, { name: DOTS, size: 60, channels, look, opacity, tooltip: tips(own, tooltips) });
}

/** The texts beside the points. */
function labelLayer(dots: readonly Dot<unknown>[], channels: Channels): Spec {
  return {
    data: { values: dots.map(({ x, y, label }) => ({ x, y, label })) },
    mark: {
      type: "text",
      align: "left",
      baseline: "middle",
      dx: 7,
      fontSize: LABEL_SIZE - 1,
      color: INK,
      tooltip: null,
      aria: false,
    },
    encoding: { x: channels.x, y: channels.y, text: { field: "label", type: "nominal" } },
  };
}

/** The line where x equals y, within the range that both axes share. */
function diagonalLayer<Row>(
  dots: readonly Dot<Row>[],
  { options, channels }: { readonly options: ScatterOptions<Row>; readonly channels: Channels },
): Spec {
  const [xs, ys] = [options.xDomain ?? dots.map(({ x }) => x), options.yDomain ?? dots.map(({ y }) => y)];
  const low = Math.max(Math.min(...xs), Math.min(...ys));
  const high = Math.min(Math.max(...xs), Math.max(...ys));
  return {
    data: { values: low < high ? [{ x: low, y: low }, { x: high, y: high }] : [] },
    mark: { type: "line", color: SOFT_INK, strokeWidth: 1.25, strokeDash: [2, 3], tooltip: null, aria: false },
    encoding: { x: channels.x, y: channels.y },
  };
}
