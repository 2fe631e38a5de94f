import type { PlaneOptions } from "./chart_options.ts";
import type { Drawing, Field, Figure } from "./figure.ts";
import { type Channels, fading } from "./legend.ts";
import { markLayer, planeOf, shareWithin } from "./plane.ts";
import { cannotDraw, checkFigure, checkValue, endsOf, readNumber } from "./row_values.ts";
import { seriesChart, seriesOf, type SeriesParts } from "./series_chart.ts";
import { textWidth } from "./text_fit.ts";
import { INK, LABEL_SIZE, SOFT_INK, type Spec } from "./theme.ts";
import { describe, shown, tips, tipValues } from "./tooltips.ts";

/**
 * Draws a scatter chart: how two numbers are related.
 *
 * A row whose x or y is `null` has no point, and the note under the title counts them.
 *
 * @throws {RangeError} If no row has both numbers, or an axis cannot show a value.
 * @throws {TypeError} If a drawn field is neither a number nor `null`.
 */
export function scatterChart<Row extends object>(rows: readonly Row[], options: ScatterOptions<Row>): Figure {
  checkFigure(rows, options);
  const { diagonal } = options;
  const marks = readDots(rows, options);
  const skipped = rows.length - marks.length;
  return seriesChart(rows, options, {
    marks,
    notes: [
      ...(skipped === 0 ? [] : [`${skipped} without a value not shown`]),
      ...(diagonal === undefined ? [] : [`dotted: ${diagonal}`]),
    ],
    view: DOTS,
    draw: drawDots,
  });
}

const DOTS = "dots";

/** Options for a scatter chart. */
export interface ScatterOptions<Row> extends PlaneOptions<Row> {
  /** The scale of the horizontal axis; `"linear"` by default. */
  readonly xSpacing?: "linear" | "log" | "lengths";
  readonly label?: Field<Row>;
  /** The meaning of the line where x equals y; no such line by default. */
  readonly diagonal?: string;
}

interface Dot<Row> {
  readonly x: number;
  readonly y: number;
  readonly series: string;
  readonly label: string;
  readonly row: Row;
}

function readDots<Row extends object>(rows: readonly Row[], options: ScatterOptions<Row>): readonly Dot<Row>[] {
  const { title, label, xSpacing, yDomain, ySpacing } = options;
  const dots = rows.flatMap((row): Dot<Row>[] => {
    const [x, y] = [readNumber(row, options.x, title), readNumber(row, options.y, title)];
    if (x === null || y === null) return [];
    return [{ x, y, series: seriesOf(row, options), label: label === undefined ? "" : shown(row[label]), row }];
  });
  if (dots.length === 0) {
    throw cannotDraw(title, `${options.x} and ${options.y} must be numbers in one row or more`, null);
  }
  for (const { x, y } of dots) {
    checkValue(x, { title, field: options.x, spacing: xSpacing });
    checkValue(y, { title, field: options.y, domain: yDomain, spacing: ySpacing });
  }
  return dots;
}

function drawDots<Row extends object>(
  dots: readonly Dot<Row>[],
  parts: SeriesParts<ScatterOptions<Row>>,
): Drawing {
  const { options } = parts;
  const { xSpacing = "linear", height = 320, diagonal, label } = options;
  const [xs, ys] = [dots.map(({ x }) => x), dots.map(({ y }) => y)];
  const { left, width, channels } = planeOf(xs, ys, { ...parts, xSpacing });
  const shareOf = shareWithin(endsOf(xs), xSpacing);
  const layer = [
    ...(diagonal === undefined ? [] : [diagonalLayer(xs, ys, { ...parts, channels })]),
    dotLayer(dots, { ...parts, channels }),
    ...(label === undefined ? [] : labelLayers(dots, { channels, width, shareOf })),
  ];
  return { left, body: { width, height, layer } };
}

interface DotParts<Row> extends SeriesParts<ScatterOptions<Row>> {
  readonly channels: Channels;
}

/** Returns the layer of the points, with their tooltips and descriptions for screen readers. */
function dotLayer<Row extends object>(dots: readonly Dot<Row>[], { options, channels, style }: DotParts<Row>): Spec {
  const { series, seriesTitle = "Series", label, xTitle, yTitle, tooltips } = options;
  const values = dots.map(({ row, ...dot }) => {
    const [xText, yText] = [shown(dot.x), shown(dot.y)];
    const names = [dot.label, ...(series === undefined ? [] : [dot.series])].filter((name) => name !== "");
    const about = describe(`${names.length === 0 ? "" : `${names.join(", ")}: `}${xText}, ${yText}`, row, options);
    return { ...dot, xText, yText, about, ...tipValues(row, options) };
  });
  const own = {
    ...(label === undefined ? {} : { label: "Name" }),
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
  };
  return markLayer(values, {
    name: DOTS,
    size: 60,
    channels,
    style,
    opacity: fading(0.9, 0.12),
    tooltip: tips(own, tooltips),
  });
}

/** Returns the layers of the names of points: to their right, or to their left where there is no room. */
function labelLayers(
  dots: readonly Dot<unknown>[],
  { channels, width, shareOf }: {
    readonly channels: Channels;
    readonly width: number;
    /** Returns the share of the width to the left of a value. */
    readonly shareOf: (x: number) => number;
  },
): Spec[] {
  const size = LABEL_SIZE - 1;
  const isLeft = ({ x, label }: Dot<unknown>): boolean => shareOf(x) * width + 7 + textWidth(label, size) > width;
  return [false, true].flatMap((left) => {
    const values = dots.filter((dot) => isLeft(dot) === left).map(({ x, y, label }) => ({ x, y, label }));
    if (values.length === 0) return [];
    const side = left ? { align: "right", dx: -7 } : { align: "left", dx: 7 };
    return [{
      data: { values },
      mark: { type: "text", baseline: "middle", fontSize: size, color: INK, tooltip: null, aria: false, ...side },
      encoding: { x: channels.x, y: channels.y, text: { field: "label", type: "nominal" } },
    }];
  });
}

/** Returns the layer of the line where x equals y, within the range of both axes. */
function diagonalLayer<Row>(xs: readonly number[], ys: readonly number[], { options, channels }: DotParts<Row>): Spec {
  const [across, along] = [xs, options.yDomain ?? ys];
  const low = Math.max(Math.min(...across), Math.min(...along));
  const high = Math.min(Math.max(...across), Math.max(...along));
  return {
    data: { values: low < high ? [{ x: low, y: low }, { x: high, y: high }] : [] },
    mark: { type: "line", color: SOFT_INK, strokeWidth: 1.25, strokeDash: [2, 3], tooltip: null, aria: false },
    encoding: { x: channels.x, y: channels.y },
  };
}
