import {
  labelExtent,
  leftRoom,
  lengthLabel,
  positionOf,
  type Threshold,
  thresholdLabel,
  thresholdRule,
} from "./axis.ts";
import {
  cannotDraw,
  checkFigure,
  endsOf,
  needNumber,
  readNumber,
  refuseInterval,
  refuseUnshowable,
  seriesOf,
  shown,
  type Spacing,
  tips,
  tipValues,
  type Tooltips,
} from "./rows.ts";
import { numberText, plainText } from "./text_fit.ts";
import {
  type Drawing,
  type Field,
  type Figure,
  type FigureFrame,
  type FigureOptions,
  makeFigure,
  notePhrases,
  originsOf,
} from "./figure.ts";
import { type Channels, type Domain, fading, type Palette, SOFT_INK, type Spec } from "./theme.ts";
import { type Point, type Run, runsOf } from "./line_runs.ts";
import { lookOf, type Place, seriesLegend, type SeriesLook } from "./layers.ts";

/**
 * Draws a line chart: a number along an axis, with its interval, by series.
 *
 * A row whose y is `null` is a gap in its line, never a 0. Points are marked while a line has at most 40 of them.
 *
 * @param rows At least one row, in any order; at most one for each series and x.
 * @param options What to draw, title and caption.
 * @returns The figure.
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
  const { title, caption, width = 700, origin, dashed } = options;
  const said = { ...options, ...saidInterval(options) };
  const read = readPoints(rows, options);
  const look = lookOf(rows.map((row) => seriesOf(row, options.series)), options);
  const points = read.map((point) => ({ ...point, series: look.nameOf(point.series) }));
  return makeFigure({
    title,
    caption,
    said: notePhrases(said, points.some((point) => point.dashed) ? [`dashed: ${dashed?.means}`] : []),
    origins: originsOf(origin),
    width,
    view: POINTS,
    ...seriesLegend(look, options),
    draw: (frame) => drawLines(points, { options, look, frame }),
  });
}

interface LineParts<Row> {
  readonly options: LineOptions<Row>;
  readonly look: SeriesLook;
  readonly frame: FigureFrame;
}

function drawLines<Row extends object>(points: readonly ReadPoint<Row>[], parts: LineParts<Row>): Drawing {
  const { options, look, frame } = parts;
  const heights = heightsOf(points, options);
  const yDomain = options.yDomain ?? endsOf(heights);
  const extent = labelExtent(yLabels(options, yDomain));
  const left = leftRoom(extent);
  const size = { width: Math.round(frame.width - left - frame.room - 16), height: options.height ?? 300 };
  const channels = channelsOf(points, { ...parts, extent, across: size.width, heights });
  const shareOf = shareWithin(yDomain, options.ySpacing ?? "linear");
  const lines = placesOf(points, { xSpacing: options.xSpacing ?? "lengths", shareOf });
  const thresholds = (options.thresholds ?? []).map((threshold) => {
    const colour = (threshold.series === undefined ? undefined : look.colourOf(threshold.series)) ?? SOFT_INK;
    return { threshold, drawn: { ...size, channels, colour, lines, shareOf } };
  });
  const layer = [
    ...thresholds.map(({ threshold, drawn }) => thresholdRule(threshold, drawn)),
    ...lineLayers(points, { channels, bars: options.intervalAs === "bars" }),
    pointLayer(points, { options, channels, look }),
    ...thresholds.flatMap(({ threshold, drawn }) => thresholdLabel(threshold, drawn)),
  ];
  return { left, body: { ...size, layer } };
}

function saidInterval<Row>(options: LineOptions<Row>): { readonly interval?: string } {
  if (options.low === undefined || options.high === undefined) return {};
  if (options.interval === undefined) {
    throw cannotDraw(options.title, "interval must say what low and high are", options.interval);
  }
  return { interval: `${options.intervalAs ?? "band"}: ${options.interval}` };
}

/** All that the vertical axis has to show. */
function heightsOf<Row>(points: readonly ReadPoint<Row>[], { thresholds = [] }: LineOptions<Row>): number[] {
  const levels = thresholds.flatMap(({ y }) => y === undefined ? [] : [y]);
  return [...points.flatMap(({ y, low, high }) => [y, low, high]).filter((value) => value !== null), ...levels];
}

function yLabels<Row>(options: LineOptions<Row>, ends: Domain): string[] {
  // A scale without a domain is rounded outwards: one digit more.
  return ends.map((end) => numberText(end) + (options.yDomain === undefined ? "0" : ""));
}

function channelsOf<Row>(
  points: readonly ReadPoint<Row>[],
  { options, look, frame, extent, across, heights }: LineParts<Row> & {
    readonly extent: number;
    readonly across: number;
    readonly heights: readonly number[];
  },
): Channels {
  const { xTitle, yTitle, xSpacing = "lengths", ySpacing = "linear", xLabel, xDomain, yDomain } = options;
  const x = positionOf(points.map((point) => point.x), {
    title: xTitle,
    spacing: xSpacing,
    across,
    ...(xLabel === undefined ? {} : { label: xLabel }),
    ...(xDomain === undefined ? {} : { domain: xDomain }),
  });
  const y = positionOf(heights, {
    title: yTitle,
    spacing: ySpacing,
    extent,
    ...(yDomain === undefined ? {} : { domain: yDomain }),
  });
  const scale = { domain: look.names, range: look.colours };
  const stroked = frame.legend === null || areMarked(points) ? {} : { symbolType: "stroke", symbolStrokeWidth: 2 };
  const legend = frame.legend === null ? null : { ...frame.legend, ...stroked };
  return {
    x: { field: "x", ...x },
    y: { field: "y", ...y },
    colour: { field: "series", type: "nominal", scale, legend },
  };
}

/** The name of the layer that holds the points. */
const POINTS = "points";

/** The layers that draw lines and their intervals; isolated points get a bar. */
function lineLayers(
  points: readonly Point[],
  options: { readonly channels: Channels; readonly bars: boolean },
): Spec[] {
  const { channels, bars } = options;
  const runs = Map.groupBy(points, ({ series }) => series).values().flatMap(runsOf).toArray();
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

function intervals(runs: readonly Run[], options: { readonly channels: Channels; readonly bars: boolean }): Spec[] {
  const { channels, bars } = options;
  const stretches = runs.map(({ points }) => points.filter(hasInterval));
  const joined = bars ? [] : stretches.filter(({ length }) => length > 1);
  const alone = bars ? stretches.flat() : stretches.filter(({ length }) => length === 1).flat();
  const encoding = (shown: number, faded: number): Spec =>
    path({ ...channels, y: { ...channels.y, field: "low" } }, { y2: { field: "high" }, opacity: fading(shown, faded) });
  const values = (points: Run["points"], run: number): Spec[] =>
    points.map(({ series, x, low, high }) => ({ series, x, low, high, run }));
  return [
    {
      data: { values: joined.flatMap(values) },
      mark: { type: "area", tooltip: null, aria: false },
      encoding: encoding(0.14, 0.02),
    },
    {
      data: { values: values(alone, 0) },
      mark: { type: "rule", strokeWidth: 1.5, tooltip: null, aria: false },
      encoding: encoding(0.6, 0.06),
    },
  ].filter(({ data }) => data.values.length > 0);
}

function hasInterval({ low, high }: Point): boolean {
  return low !== null && high !== null;
}

/** A point with the row it was read from. */
interface ReadPoint<Row> extends Point {
  readonly row: Row;
}

/** Reads the points of a line chart, in the order of x, and refuses what its axes could not show. */
function readPoints<Row extends object>(rows: readonly Row[], options: LineOptions<Row>): ReadPoint<Row>[] {
  const { title, series, low, high, dashed } = options;
  const points = rows.map((row): ReadPoint<Row> => ({
    row,
    series: seriesOf(row, series),
    x: needNumber(row, options.x, { title }),
    y: readNumber(row, options.y, { title }),
    low: low === undefined ? null : readNumber(row, low, { title }),
    high: high === undefined ? null : readNumber(row, high, { title }),
    dashed: dashed?.when(row) ?? false,
  }));
  if (points.every(({ y }) => y === null)) {
    throw cannotDraw(title, `${options.y} must be a number in one row or more`, null);
  }
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

/** Options for a line chart. */
export interface LineOptions<Row> extends FigureOptions {
  /** The field of the horizontal axis, a number in every row. */
  readonly x: Field<Row>;
  /** The field of the vertical axis, a number or `null` for a gap. */
  readonly y: Field<Row>;
  /** The field that names the line a row belongs to; one line if left out. */
  readonly series?: Field<Row>;
  /** The horizontal axis with its unit, such as `"Context length (tokens)"`. */
  readonly xTitle: string;
  /** The vertical axis with its unit, such as `"Score (%)"`. */
  readonly yTitle: string;
  /** What the series are, over the legend. */
  readonly seriesTitle?: string;
  /** The field of the lower end of the interval around y. */
  readonly low?: Field<Row>;
  /** The field of the upper end of the interval around y. */
  readonly high?: Field<Row>;
  /**
   * How the interval is drawn.
   *
   * @default {"band"}
   */
  readonly intervalAs?: "band" | "bars";
  /**
   * How the horizontal axis is divided.
   *
   * @default {"lengths"}
   */
  readonly xSpacing?: Spacing;
  /**
   * How the vertical axis is divided.
   *
   * @default {"linear"}
   */
  readonly ySpacing?: "linear" | "log";
  /** How a value of the horizontal axis is written. */
  readonly xLabel?: (value: number) => string;
  /** The ends of the horizontal axis; every x must be inside. */
  readonly xDomain?: Domain;
  /** The ends of the vertical axis; every y must be inside, intervals are cut at them. */
  readonly yDomain?: Domain;
  /** Lines across the chart, such as a score to reach. */
  readonly thresholds?: readonly Threshold[];
  /** Where lines are dashed, and what that means. The stretch that leads to a row for which `when` holds is dashed. */
  readonly dashed?: { readonly when: (row: Row) => boolean; readonly means: string };
  /**
   * Colours: distinct, in viridis order, or a list.
   *
   * @default {"distinct"}
   */
  readonly palette?: Palette | readonly string[];
  /** More fields for the tooltip, by label. */
  readonly tooltips?: Tooltips<Row>;
  /**
   * Height of the chart without its texts, in pixels.
   *
   * @default {300}
   */
  readonly height?: number;
}

/** Roughly where the lines of a chart run, in shares of its width and height. */
function placesOf(
  points: readonly Point[],
  options: { readonly xSpacing: Spacing; readonly shareOf: (y: number) => number },
): Place[][] {
  const xs = points.map(({ x }) => x);
  const across = shareWithin(endsOf(xs), options.xSpacing);
  const runs = Map.groupBy(points, ({ series }) => series).values().flatMap(runsOf);
  return runs.map((run) => run.points.map(({ x, y }) => ({ x: across(x), y: options.shareOf(y) }))).toArray();
}

/** Where a value stands between the ends of an axis: 0 at the lower, 1 at the upper. */
function shareWithin([low, high]: Domain, spacing: Spacing): (value: number) => number {
  const scaled = spacing === "linear" ? (value: number): number => value : Math.log;
  const span = scaled(high) - scaled(low);
  return (value) => span === 0 ? 0.5 : (scaled(value) - scaled(low)) / span;
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
  const { xTitle, yTitle, series, seriesTitle = "Series", interval, tooltips = {}, xSpacing = "lengths" } = options;
  const label = options.xLabel ?? (xSpacing === "lengths" ? lengthLabel : numberText);
  const marked = areMarked(points);
  const drawn = (marked ? points : thinned(points)).filter(({ y }) => y !== null);
  const values = drawn.map(({ row, series: name, x, y, low, high }) => {
    const range = low === null || high === null ? {} : { range: `${numberText(low)} to ${numberText(high)}` };
    const [xText, yText] = [plainText(label(x)), shown(y)];
    const about = `${name === "–" ? "" : `${name}, `}${xText}: ${yText}${"range" in range ? ` (${range.range})` : ""}`;
    return { series: name, x, y, xText, yText, ...range, about, ...tipValues(row, tooltips) };
  });
  const own = {
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
    ...(values.some((value) => "range" in value) ? { range: interval ?? "Interval" } : {}),
  };
  return {
    name: POINTS,
    data: { values },
    mark: { type: "point", filled: true, size: 50, stroke: "white", strokeWidth: 0.75 },
    encoding: {
      x: channels.x,
      y: channels.y,
      color: channels.colour,
      ...(marked ? { shape: { ...channels.colour, scale: { domain: look.names, range: look.shapes } } } : {}),
      opacity: marked ? fading(1, 0.12) : { value: 0 },
      tooltip: tips(own, tooltips),
      description: { field: "about", type: "nominal" },
    },
  };
}

function thinned<T extends Point>(points: readonly T[]): T[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap((line) => {
    const step = Math.ceil(line.length / MOST_MARKED);
    return line.filter((_, index) => index % step === 0 || index === line.length - 1);
  }).toArray();
}
