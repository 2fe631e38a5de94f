import { labelExtent, leftRoom, positionOf } from "./_axis.ts";
import type { Channels } from "./_channels.ts";
import { diagonalLayer, dotLayer, DOTS, labelLayer } from "./_dot_layers.ts";
import { type Dot, readDots } from "./_dots.ts";
import { makeFigure, originsOf, saidOf } from "./_figure.ts";
import { checkFigure, type Domain, endsOf, seriesOf } from "./_rows.ts";
import { lookOf, seriesLegend, type SeriesLook } from "./_series.ts";
import type { Drawing, Figure, Frame } from "./figure.ts";
import { numberText } from "./number_text.ts";
import type { ScatterOptions } from "./scatter_options.ts";

/**
 * Draws points: how two numbers go together.
 *
 * A row whose x or y is `null` has no point, and the note under the title says how many those are.
 *
 * @param rows At least one row.
 * @param options What to draw and what to say of it.
 * @returns The figure.
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
  const { title, caption, width = 700, origin, diagonal } = options;
  const { dots: read, skipped } = readDots(rows, options);
  const look = lookOf(rows.map((row) => seriesOf(row, options.series)), options);
  const dots = read.map((dot) => ({ ...dot, series: look.nameOf(dot.series) }));
  const more = [
    ...(skipped === 0 ? [] : [`${skipped} without a value not shown`]),
    ...(diagonal === undefined ? [] : [`dotted: ${diagonal}`]),
  ];
  return makeFigure({
    title,
    caption,
    said: saidOf(options, more),
    origins: originsOf(origin),
    width,
    view: DOTS,
    ...seriesLegend(look, options),
    draw: (frame) => drawDots(dots, { options, look, frame }),
  });
}

interface ScatterParts<Row> {
  readonly options: ScatterOptions<Row>;
  readonly look: SeriesLook;
  readonly frame: Frame;
}

function drawDots<Row>(dots: readonly Dot<Row>[], parts: ScatterParts<Row>): Drawing {
  const { options, look, frame } = parts;
  const ys = dots.map(({ y }) => y);
  const ends: Domain = options.yDomain ?? endsOf(ys);
  // A scale without a domain is rounded outwards: one digit more.
  const extent = labelExtent(ends.map((end) => numberText(end) + (options.yDomain === undefined ? "0" : "")));
  const left = leftRoom(extent);
  const channels = channelsOf(dots, { ...parts, extent });
  const body = {
    width: Math.round(frame.width - left - frame.room - 16),
    height: options.height ?? 320,
    layer: [
      ...(options.diagonal === undefined ? [] : [diagonalLayer(dots, { options, channels })]),
      dotLayer(dots, { options, channels, look }),
      ...(options.label === undefined ? [] : [labelLayer(dots, channels)]),
    ],
  };
  return { left, body };
}

function channelsOf<Row>(
  dots: readonly Dot<Row>[],
  { options, look, frame, extent }: ScatterParts<Row> & { readonly extent: number },
): Channels {
  const { xTitle, yTitle, xSpacing = "linear", ySpacing = "linear", xDomain, yDomain } = options;
  const x = { title: xTitle, spacing: xSpacing, ...(xDomain === undefined ? {} : { domain: xDomain }) };
  const y = { title: yTitle, spacing: ySpacing, extent, ...(yDomain === undefined ? {} : { domain: yDomain }) };
  const scale = { domain: look.names, range: look.colours };
  return {
    x: { field: "x", ...positionOf(dots.map((dot) => dot.x), x) },
    y: { field: "y", ...positionOf(dots.map((dot) => dot.y), y) },
    colour: { field: "series", type: "nominal", scale, legend: frame.legend },
  };
}
