import { lengthLabel, markLayer, planeOf } from "./axis.ts";
import {
  cannotDraw,
  checkFigure,
  describeValue,
  endsOf,
  type Interval,
  type IntervalOptions,
  lookOf,
  nameInterval,
  needNumber,
  needValues,
  type PlaneOptions,
  readInterval,
  readNumber,
  refuseInterval,
  refuseUnshowable,
  type SeriesLook,
  seriesOf,
  shown,
  type Spacing,
  tips,
  tipValues,
} from "./chart.ts";
import { endLabelLayers, endLabelRoom, type LineEnd, MOST_IN_LEGEND } from "./end_labels.ts";
import { type Drawing, type Figure, type FigureFrame, makeFigure } from "./figure.ts";
import { numberText, plainText } from "./text_fit.ts";
import { type Channels, type Domain, fading, SOFT_INK, type Spec } from "./theme.ts";
import { type Place, type Threshold, thresholdLabel, thresholdRule } from "./threshold.ts";

/**
 * Draws a line chart: a number along an axis, with its interval, by series.
 *
 * A row whose y is `null` is a gap in its line, never a 0. Points are marked while a line has at most 40 of them.
 *
 * @param rows At least one row, in any order; at most one for each series and x.
 * @throws {RangeError} If there are no rows or no value, or two rows for one point, or a value that the axes cannot show.
 * @throws {TypeError} If a field that is drawn holds something other than a number or `null`.
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
  const { dashed, intervalAs = "band" } = options;
  const named = nameInterval(options, intervalAs);
  const read = readPoints(rows, options);
  const look = lookOf(rows.map((row) => seriesOf(row, options)), options);
  const points = read.map((point) => ({ ...point, series: look.nameOf(point.series) }));
  return makeFigure(named, {
    notes: points.some((point) => point.dashed) ? [`dashed: ${dashed?.means}`] : [],
    view: POINTS,
    ...look.legend,
    aloneFor: (width) => endLabelRoom(look.names, { width, height: options.height ?? HEIGHT }),
    draw: (frame) => drawLines(points, { options, look, frame }),
  });
}

const HEIGHT = 300;

/** Options for a line chart. */
export interface LineOptions<Row> extends PlaneOptions<Row>, IntervalOptions<Row> {
  /**
   * How the interval is drawn.
   *
   * @default {"band"}
   */
  readonly intervalAs?: "band" | "bars";
  /** How a value of the horizontal axis is written. */
  readonly xLabel?: (value: number) => string;
  /** Lines across the chart, such as a score to reach. */
  readonly thresholds?: readonly Threshold[];
  /** Where lines are dashed, and what that means. The stretch that leads to a row for which `when` holds is dashed. */
  readonly dashed?: { readonly when: (row: Row) => boolean; readonly means: string };
}

/** One point of a line. */
interface Point extends Interval {
  readonly series: string;
  readonly x: number;
  /** `null` where there is no value: the line is broken there. */
  readonly y: number | null;
  /** Whether the line that leads here is dashed. */
  readonly dashed: boolean;
}

/** A point with the row it was read from. */
interface ReadPoint<Row> extends Point {
  readonly row: Row;
}

/** Reads the points of a line chart, in the order of x, and refuses what its axes could not show. */
function readPoints<Row extends object>(rows: readonly Row[], options: LineOptions<Row>): ReadPoint<Row>[] {
  const { title, dashed } = options;
  const points = rows.map((row): ReadPoint<Row> => ({
    row,
    series: seriesOf(row, options),
    x: needNumber(row, options.x, { title }),
    y: readNumber(row, options.y, { title }),
    ...readInterval(row, options),
    dashed: dashed?.when(row) ?? false,
  }));
  needValues(points.map(({ y }) => y), { title, field: options.y });
  for (const { x, y, low, high } of points) {
    refuseUnshowable(x, { title, field: options.x, domain: options.xDomain, spacing: options.xSpacing ?? "lengths" });
    refuseUnshowable(y, { title, field: options.y, domain: options.yDomain, spacing: options.ySpacing });
    refuseInterval({ low, high }, { title, spacing: options.ySpacing });
  }
  return mergeTwins(points, options).map((point) => withinDomain(point, options)).sort((left, right) =>
    left.x - right.x
  );
}

/** Two rows for one point must agree; tables often hold a point twice where a solid and a dashed stretch meet. */
function mergeTwins<Row extends object>(
  points: readonly ReadPoint<Row>[],
  options: LineOptions<Row>,
): ReadPoint<Row>[] {
  const { title, x } = options;
  const merged = new Map<string, ReadPoint<Row>>();
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

/** An interval that reaches beyond the axis is clipped. */
function withinDomain<Row extends object>(point: ReadPoint<Row>, { yDomain }: LineOptions<Row>): ReadPoint<Row> {
  if (yDomain === undefined || point.low === null || point.high === null) return point;
  const inside = (value: number): number => Math.min(Math.max(value, yDomain[0]), yDomain[1]);
  return { ...point, low: inside(point.low), high: inside(point.high) };
}

interface LineParts<Row> {
  readonly options: LineOptions<Row>;
  readonly look: SeriesLook;
  readonly frame: FigureFrame;
}

function drawLines<Row extends object>(points: readonly ReadPoint<Row>[], parts: LineParts<Row>): Drawing {
  const { options, look, frame } = parts;
  const { xSpacing = "lengths", ySpacing = "linear", xLabel, height = HEIGHT, thresholds = [] } = options;
  const ys = heightsOf(points, options);
  const atEnds = frame.legend === null && look.names.length > MOST_IN_LEGEND;
  const stroked = frame.legend === null || areMarked(points) ? {} : { symbolType: "stroke", symbolStrokeWidth: 2 };
  const legend = frame.legend === null ? null : { ...frame.legend, ...stroked };
  const plane = { options, xSpacing, xLabel, look, frame: { ...frame, legend } };
  const { left, width, channels } = planeOf({ xs: points.map(({ x }) => x), ys }, plane);
  const shareOf = shareWithin(options.yDomain ?? endsOf(ys), ySpacing);
  const lines = placesOf(points, { xSpacing, shareOf });
  const drawn = thresholds.map((threshold) => {
    const colour = (threshold.series === undefined ? undefined : look.colourOf(threshold.series)) ?? SOFT_INK;
    return { threshold, place: { width, height, channels, colour, lines, shareOf } };
  });
  const layer = [
    ...drawn.map(({ threshold, place }) => thresholdRule(threshold, place)),
    ...lineLayers(points, { channels, bars: options.intervalAs === "bars" ? look.names : undefined }),
    pointLayer(points, { options, channels, look }),
    ...drawn.flatMap(({ threshold, place }) => thresholdLabel(threshold, place)),
    ...(atEnds ? endLabelLayers(endsOfLines(points, { look, shareOf }), { width, height, channels }) : []),
  ];
  return { left, body: { width, height, layer } };
}

/** All that the vertical axis has to show. */
function heightsOf<Row>(points: readonly ReadPoint<Row>[], { thresholds = [] }: LineOptions<Row>): number[] {
  const levels = thresholds.flatMap(({ y }) => y === undefined ? [] : [y]);
  return [...points.flatMap(({ y, low, high }) => [y, low, high]).filter((value) => value !== null), ...levels];
}

/** Roughly where the lines of a chart run, in shares of its width and height. */
function placesOf(
  points: readonly Point[],
  options: { readonly xSpacing: Spacing; readonly shareOf: (y: number) => number },
): Place[][] {
  const xs = points.map(({ x }) => x);
  const across = shareWithin(endsOf(xs), options.xSpacing);
  return runsOf(points).map((run) => run.points.map(({ x, y }) => ({ x: across(x), y: options.shareOf(y) })));
}

/** The last point of each line. */
function endsOfLines(
  points: readonly Point[],
  { look, shareOf }: { readonly look: SeriesLook; readonly shareOf: (y: number) => number },
): LineEnd[] {
  return look.names.flatMap((name, at) => {
    const end = points.findLast(({ series, y }) => series === name && y !== null);
    if (end === undefined) return [];
    return [{ name, colour: look.colours[at]!, x: end.x, y: end.y!, share: shareOf(end.y!) }];
  });
}

/** Where a value stands between the ends of an axis: 0 at the lower, 1 at the upper. */
function shareWithin([low, high]: Domain, spacing: Spacing): (value: number) => number {
  const scaled = spacing === "linear" ? (value: number): number => value : Math.log;
  const span = scaled(high) - scaled(low);
  return (value) => span === 0 ? 0.5 : (scaled(value) - scaled(low)) / span;
}

/** A point with a value. */
interface Drawn extends Point {
  readonly y: number;
}

/** A stretch of a line with no gap in it and one kind of stroke. */
interface Run {
  readonly dashed: boolean;
  readonly points: readonly Drawn[];
}

function runsOf(points: readonly Point[]): Run[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap(splitLine).toArray();
}

/**
 * Splits a line at every gap and wherever the stroke changes. A run with a new stroke starts at the point where the run
 * before it ends, so that the line stays whole.
 */
function splitLine(points: readonly Point[]): Run[] {
  const runs: { dashed: boolean; points: Drawn[] }[] = [];
  let before: Drawn | undefined;
  for (const point of points) {
    if (point.y === null) {
      before = undefined;
      continue;
    }
    const drawn: Drawn = { ...point, y: point.y };
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

/** The name of the layer that holds the points. */
const POINTS = "points";

/** The layers that draw lines and their intervals; isolated points get a bar. */
function lineLayers(
  points: readonly Point[],
  options: { readonly channels: Channels; readonly bars?: readonly string[] | undefined },
): Spec[] {
  const { channels, bars } = options;
  const runs = runsOf(points);
  const strokes = (dashed: boolean): Spec[] => pathData(runs.filter((run) => run.dashed === dashed));
  return [
    ...intervals(runs, { channels, bars }),
    ...[false, true].flatMap((dashed) => {
      const values = strokes(dashed);
      if (values.length === 0) return [];
      const mark = {
        type: "line",
        strokeWidth: 2,
        tooltip: null,
        aria: false,
        ...(dashed ? { strokeDash: [6, 4] } : {}),
      };
      return [{ data: { values }, mark, encoding: path(channels, { opacity: fading(1, 0.12) }) }];
    }),
  ];
}

function path({ x, y, colour }: Channels, more: Spec): Spec {
  return { x, y, color: colour, detail: { field: "run", type: "nominal" }, ...more };
}

function pathData(runs: readonly Run[]): Spec[] {
  return runs.flatMap(({ points }, run) =>
    points.length === 1 ? [] : points.map(({ series, x, y }) => ({ series, x, y, run }))
  );
}

/** How far the bars of two series stand apart where their points meet, in pixels. */
const BAR_STEP = 2.5;

/** Bands, and bars where a point is alone or `bars` names the series whose intervals are bars, side by side. */
function intervals(
  runs: readonly Run[],
  { channels, bars }: { readonly channels: Channels; readonly bars?: readonly string[] | undefined },
): Spec[] {
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

function hasInterval({ low, high }: Point): boolean {
  return low !== null && high !== null;
}

const MOST_MARKED = 40;

/** Whether lines are short enough for their points to be marked. */
function areMarked(points: readonly Point[]): boolean {
  return Map.groupBy(points, ({ series }) => series).values().every(({ length }) => length <= MOST_MARKED);
}

/**
 * The layer that marks the points, with what they say on hovering and to a screen reader. On long lines the points are
 * not seen, and only some of them, evenly spaced, can be hovered over.
 */
function pointLayer<Row extends object>(
  points: readonly ReadPoint<Row>[],
  { options, channels, look }: {
    readonly options: LineOptions<Row>;
    readonly channels: Channels;
    readonly look: SeriesLook;
  },
): Spec {
  const { xTitle, yTitle, series, seriesTitle = "Series", interval, tooltips, xSpacing = "lengths" } = options;
  const label = options.xLabel ?? (xSpacing === "lengths" ? lengthLabel : numberText);
  const marked = areMarked(points);
  const drawn = (marked ? points : thinned(points)).filter(({ y }) => y !== null);
  const values = drawn.map(({ row, series: name, x, y, ...ends }) => {
    const { text, range } = describeValue(y, ends);
    const xText = plainText(label(x));
    const about = `${name === "–" ? "" : `${name}, `}${xText}: ${text}`;
    return { series: name, x, y, xText, yText: shown(y), ...range, about, ...tipValues(row, tooltips) };
  });
  const own = {
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
    ...(values.some((value) => "range" in value) ? { range: interval ?? "Interval" } : {}),
  };
  return markLayer(values, {
    ...{ name: POINTS, size: 50, channels, tooltip: tips(own, tooltips) },
    ...(marked ? { look, opacity: fading(1, 0.12) } : { opacity: { value: 0 } }),
  });
}

function thinned<T extends Point>(points: readonly T[]): T[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap((line) => {
    const step = Math.ceil(line.length / MOST_MARKED);
    return line.filter((_, index) => index % step === 0 || index === line.length - 1);
  }).toArray();
}
