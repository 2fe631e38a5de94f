import { lengthLabel, markLayer, planeOf } from "./axis.ts";
import {
  cannotDraw,
  checkFigure,
  checkInterval,
  checkValue,
  describeValue,
  endsOf,
  type Interval,
  type IntervalOptions,
  needNumber,
  needValues,
  type PlaneOptions,
  readInterval,
  readNumber,
  seriesChart,
  seriesOf,
  type SeriesParts,
  type SeriesStyle,
  shown,
  type Spacing,
  tips,
  tipValues,
} from "./chart.ts";
import type { Drawing, Figure } from "./figure.ts";
import {
  endLabelLayers,
  endLabelRoom,
  type LineEnd,
  MAX_IN_LEGEND,
  type Place,
  type Threshold,
  thresholdLabel,
  thresholdRule,
} from "./line_labels.ts";
import { numberText, plainText } from "./text_fit.ts";
import { type Channels, type Domain, fading, SOFT_INK, type Spec } from "./theme.ts";

/**
 * Draws a line chart: a number along an axis, with its interval, by series.
 *
 * A row whose y is `null` is a gap in its line, never a 0. Points are marked on lines of at most 40 points.
 *
 * @param rows At least one row, in any order; at most one for each series and x.
 * @throws {RangeError} If there are no rows or no value, two rows disagree about one point, or an axis cannot show a value.
 * @throws {TypeError} If a drawn field is neither a number nor `null`.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const rows = [{ length: 4096, score: 96.6 }, { length: 8192, score: null }, { length: 16384, score: 95.2 }];
 * const figure = lineChart(rows, {
 *   title: "The score hardly falls",
 *   caption: "The gap at 8K was not published.",
 *   origin: "published",
 *   n: 500,
 *   x: "length",
 *   y: "score",
 *   xTitle: "Context length (tokens)",
 *   yTitle: "Score (%)",
 * });
 * match(await figure.svg(), /Published · n = 500/);
 * ```
 */
export function lineChart<Row extends object>(rows: readonly Row[], options: LineOptions<Row>): Figure {
  checkFigure(rows, options);
  const { dashed, intervalAs = "band", height = HEIGHT } = options;
  const marks = readPoints(rows, options);
  return seriesChart(rows, options, {
    marks,
    drawnAs: intervalAs,
    notes: marks.some((point) => point.dashed) ? [`dashed: ${dashed?.means}`] : [],
    view: POINTS,
    aloneFor: (names, width) => endLabelRoom(names, { width, height }),
    draw: drawLines,
  });
}

const HEIGHT = 300;

const POINTS = "points";

/** Options for a line chart. */
export interface LineOptions<Row> extends PlaneOptions<Row>, IntervalOptions<Row> {
  /** How the interval is drawn; "band" by default. */
  readonly intervalAs?: "band" | "bars";
  readonly xLabel?: (value: number) => string;
  /** Lines across the chart, such as the score of a baseline. */
  readonly thresholds?: readonly Threshold[];
  /** Dashed stretches, and their meaning for the note: the stretch that leads to a row for which `when` holds is dashed. */
  readonly dashed?: { readonly when: (row: Row) => boolean; readonly means: string };
}

interface Point<Row> extends Interval {
  readonly row: Row;
  readonly series: string;
  readonly x: number;
  /** `null` is a gap in the line. */
  readonly y: number | null;
  /** Whether the line that leads to the point is dashed. */
  readonly dashed: boolean;
}

/** Reads the points of a line chart in the order of x, and refuses those that the axes cannot show. */
function readPoints<Row extends object>(rows: readonly Row[], options: LineOptions<Row>): Point<Row>[] {
  const { title, dashed, xSpacing = "lengths", xDomain, ySpacing, yDomain } = options;
  const points = rows.map((row): Point<Row> => ({
    row,
    series: seriesOf(row, options),
    x: needNumber(row, options.x, title),
    y: readNumber(row, options.y, title),
    ...readInterval(row, options),
    dashed: dashed?.when(row) ?? false,
  }));
  needValues(points.map(({ y }) => y), options.y, title);
  for (const { x, y, ...interval } of points) {
    checkValue(x, { title, field: options.x, domain: xDomain, spacing: xSpacing });
    checkValue(y, { title, field: options.y, domain: yDomain, spacing: ySpacing });
    checkInterval(interval, title, ySpacing);
  }
  // An interval that reaches beyond the axis is clipped.
  const clipped = (value: number | null): number | null =>
    value === null || yDomain === undefined ? value : Math.min(Math.max(value, yDomain[0]), yDomain[1]);
  return mergeTwins(points, options).map((point) =>
    hasInterval(point) ? { ...point, low: clipped(point.low), high: clipped(point.high) } : point
  ).sort((left, right) => left.x - right.x);
}

/** Merges two rows of one point; tables repeat the point between a solid and a dashed stretch. */
function mergeTwins<Row extends object>(
  points: readonly Point<Row>[],
  { title, x }: LineOptions<Row>,
): readonly Point<Row>[] {
  const merged = new Map<string, Point<Row>>();
  for (const point of points) {
    const place = JSON.stringify([point.series, point.x]);
    const twin = merged.get(place);
    if (twin !== undefined && (twin.y !== point.y || twin.low !== point.low || twin.high !== point.high)) {
      const found = `two rows of ${point.series} at ${point.x}`;
      throw cannotDraw(title, `each series must have one value for each ${x}`, found);
    }
    merged.set(place, twin === undefined ? point : { ...twin, dashed: twin.dashed && point.dashed });
  }
  return [...merged.values()];
}

function drawLines<Row extends object>(
  points: readonly Point<Row>[],
  { options, style, frame }: SeriesParts<LineOptions<Row>>,
): Drawing {
  const { xSpacing = "lengths", ySpacing = "linear", xLabel, height = HEIGHT, thresholds = [] } = options;
  const levels = thresholds.flatMap(({ y }) => y === undefined ? [] : [y]);
  const ys = [...points.flatMap(({ y, low, high }) => [y, low, high]).filter((value) => value !== null), ...levels];
  const hasEndLabels = frame.legend === null && style.names.length > MAX_IN_LEGEND;
  const stroked = frame.legend === null || areMarked(points) ? {} : { symbolType: "stroke", symbolStrokeWidth: 2 };
  const legend = frame.legend === null ? null : { ...frame.legend, ...stroked };
  const xs = points.map(({ x }) => x);
  const plane = { options, xSpacing, xLabel, style, frame: { ...frame, legend } };
  const { left, width, channels } = planeOf(xs, ys, plane);
  const acrossOf = shareWithin(endsOf(xs), xSpacing);
  const shareOf = shareWithin(options.yDomain ?? endsOf(ys), ySpacing);
  const runs = runsOf(points);
  // Roughly where the lines are, in shares of width and height.
  const lines = runs.map((run): Place[] => run.points.map(({ x, y }) => ({ x: acrossOf(x), y: shareOf(y) })));
  const drawn = thresholds.map((threshold) => {
    const colour = style.colours[style.series.findIndex((series) => series === threshold.series)] ?? SOFT_INK;
    return { threshold, place: { width, height, channels, colour, lines, shareOf } };
  });
  const layer = [
    ...drawn.map(({ threshold, place }) => thresholdRule(threshold, place)),
    ...intervalLayers(runs, channels, options.intervalAs === "bars" ? style.names : undefined),
    ...strokeLayers(runs, channels),
    pointLayer(points, { options, style, channels }),
    ...drawn.flatMap(({ threshold, place }) => thresholdLabel(threshold, place)),
    ...(hasEndLabels ? endLabelLayers(endsOfLines(points, style, shareOf), { width, height, channels }) : []),
  ];
  return { left, body: { width, height, layer } };
}

function endsOfLines(
  points: readonly Point<unknown>[],
  style: SeriesStyle,
  shareOf: (y: number) => number,
): LineEnd[] {
  return style.names.flatMap((name, at) => {
    const end = points.findLast(({ series, y }) => series === name && y !== null);
    if (end === undefined) return [];
    return [{ name, colour: style.colours[at]!, x: end.x, y: end.y!, share: shareOf(end.y!) }];
  });
}

/** Returns the share of a value between the ends of an axis: 0 at the lower, 1 at the upper. */
function shareWithin([low, high]: Domain, spacing: Spacing): (value: number) => number {
  const scaled = spacing === "linear" ? (value: number): number => value : Math.log;
  const span = scaled(high) - scaled(low);
  return (value) => span === 0 ? 0.5 : (scaled(value) - scaled(low)) / span;
}

/** A stretch of a line with no gap in it and one kind of stroke. */
interface Run {
  readonly dashed: boolean;
  readonly points: readonly (Point<unknown> & { readonly y: number })[];
}

function runsOf(points: readonly Point<unknown>[]): Run[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap(splitLine).toArray();
}

/**
 * Splits a line at every gap and wherever the stroke changes. A run with a new stroke starts at the last point of the previous
 * run, so that the line stays connected.
 */
function splitLine(points: readonly Point<unknown>[]): Run[] {
  const runs: { dashed: boolean; points: Run["points"][number][] }[] = [];
  let before: Run["points"][number] | undefined;
  for (const point of points) {
    if (point.y === null) {
      before = undefined;
      continue;
    }
    const drawn = { ...point, y: point.y };
    const last = runs.at(-1);
    if (before === undefined || last === undefined) {
      runs.push({ dashed: drawn.dashed, points: [drawn] });
    } else if (last.dashed === drawn.dashed || last.points.length === 1) {
      last.dashed = drawn.dashed;
      last.points.push(drawn);
    } else {
      runs.push({ dashed: drawn.dashed, points: [before, drawn] });
    }
    before = drawn;
  }
  return runs;
}

function strokeLayers(runs: readonly Run[], channels: Channels): Spec[] {
  return [false, true].flatMap((dashed) => {
    const values = runs.filter((run) => run.dashed === dashed).flatMap(({ points }, run) =>
      points.length === 1 ? [] : points.map(({ series, x, y }) => ({ series, x, y, run }))
    );
    if (values.length === 0) return [];
    const dash = dashed ? { strokeDash: [6, 4] } : {};
    const mark = { type: "line", strokeWidth: 2, tooltip: null, aria: false, ...dash };
    return [{ data: { values }, mark, encoding: path(channels, { opacity: fading(1, 0.12) }) }];
  });
}

function path({ x, y, colour }: Channels, more: Spec): Spec {
  return { x, y, color: colour, detail: { field: "run", type: "nominal" }, ...more };
}

/** The distance between the bars of two series whose points meet, in pixels. */
const BAR_STEP = 2.5;

/** Returns the layers of bands, and of bars for isolated points; with `bars`, series names, all intervals are bars side by side. */
function intervalLayers(runs: readonly Run[], channels: Channels, bars?: readonly string[]): Spec[] {
  const stretches = runs.map(({ points }) => points.filter(hasInterval));
  const joined = bars === undefined ? stretches.filter(({ length }) => length > 1) : [];
  const alone = bars === undefined ? stretches.filter(({ length }) => length === 1).flat() : stretches.flat();
  const encoding = (shown: number, faded: number): Spec =>
    path({ ...channels, y: { ...channels.y, field: "low" } }, { y2: { field: "high" }, opacity: fading(shown, faded) });
  const values = (points: Run["points"], run: number): Spec[] =>
    points.map(({ series, x, low, high }) => ({ series, x, low, high, run }));
  const band = {
    data: { values: joined.flatMap(values) },
    mark: { type: "area", tooltip: null, aria: false },
    encoding: encoding(0.14, 0.02),
  };
  const names = bars ?? [undefined];
  const rules = names.map((name, at) => ({
    data: { values: values(alone.filter(({ series }) => name === undefined || series === name), 0) },
    mark: {
      ...{ type: "rule", strokeWidth: 1.5, tooltip: null, aria: false },
      ...(names.length === 1 ? {} : { xOffset: (at - (names.length - 1) / 2) * BAR_STEP }),
    },
    encoding: encoding(0.6, 0.06),
  }));
  return [band, ...rules].filter(({ data }) => data.values.length > 0);
}

function hasInterval({ low, high }: Interval): boolean {
  return low !== null && high !== null;
}

/** Longer lines have no marked points. */
const MAX_MARKED = 40;

/** Whether all lines are short enough for marked points. */
function areMarked(points: readonly Point<unknown>[]): boolean {
  return Map.groupBy(points, ({ series }) => series).values().every(({ length }) => length <= MAX_MARKED);
}

/**
 * Returns the layer of the points, with their tooltips and descriptions for screen readers. On long lines the points are
 * invisible, and only some of them, evenly spaced, have tooltips.
 */
function pointLayer<Row extends object>(
  points: readonly Point<Row>[],
  { options, style, channels }: Omit<SeriesParts<LineOptions<Row>>, "frame"> & { readonly channels: Channels },
): Spec {
  const { xTitle, yTitle, series, seriesTitle = "Series", interval, tooltips, xSpacing = "lengths" } = options;
  const label = options.xLabel ?? (xSpacing === "lengths" ? lengthLabel : numberText);
  const marked = areMarked(points);
  const drawn = (marked ? points : thinned(points)).filter(({ y }) => y !== null);
  const values = drawn.map(({ row, series: name, x, y, ...ends }) => {
    const { text, range } = describeValue(y, ends);
    const xText = plainText(label(x));
    const about = `${name === "–" ? "" : `${name}, `}${xText}: ${text}`;
    return { series: name, x, y, xText, yText: shown(y), ...range, about, ...tipValues(row, options) };
  });
  const own = {
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
    ...(values.some((value) => "range" in value) ? { range: interval ?? "Interval" } : {}),
  };
  return markLayer(values, {
    ...{ name: POINTS, size: 50, channels, tooltip: tips(own, tooltips) },
    ...(marked ? { style, opacity: fading(1, 0.12) } : { opacity: { value: 0 } }),
  });
}

function thinned<Row>(points: readonly Point<Row>[]): Point<Row>[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap((line) => {
    const step = Math.ceil(line.length / MAX_MARKED);
    return line.filter((_, index) => index % step === 0 || index === line.length - 1);
  }).toArray();
}
