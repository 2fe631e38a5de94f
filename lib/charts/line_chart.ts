import { labelExtent, leftRoom, positionOf } from "./_axis.ts";
import type { Channels } from "./_channels.ts";
import { makeFigure, originsOf, saidOf } from "./_figure.ts";
import { lineLayers, POINTS } from "./_line_layers.ts";
import { type ReadPoint, readPoints } from "./_line_points.ts";
import { placesOf, shareWithin } from "./_places.ts";
import { areMarked, pointLayer } from "./_point_layer.ts";
import { cannotDraw, checkFigure, type Domain, endsOf, seriesOf } from "./_rows.ts";
import { lookOf, seriesLegend, type SeriesLook } from "./_series.ts";
import { SOFT_INK } from "./_theme.ts";
import { thresholdLabel, thresholdRule } from "./_threshold.ts";
import type { Drawing, Figure, Frame } from "./figure.ts";
import type { LineOptions } from "./line_options.ts";
import { numberText } from "./number_text.ts";

/**
 * Draws lines: how a number changes along an axis, with its interval, by series.
 *
 * A row whose y is `null` is a gap in its line, never a 0. Points are marked while a line has at most 40 of them.
 *
 * @param rows At least one row, in any order; at most one for each series and x.
 * @param options What to draw and what to say of it.
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
    said: saidOf(said, points.some((point) => point.dashed) ? [`dashed: ${dashed?.means}`] : []),
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
  readonly frame: Frame;
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
