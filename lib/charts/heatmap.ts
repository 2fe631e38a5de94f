import { labelExtent, leftRoom } from "./_axis.ts";
import { bandOf, categoryText } from "./_band_axis.ts";
import { colourLegend } from "./_colour_legend.ts";
import { makeFigure, originsOf, saidOf } from "./_figure.ts";
import { type Grid, gridOf } from "./_grid.ts";
import { cellLayer, gapLayer, meanLayers, valueLayer } from "./_heatmap_layers.ts";
import { checkFigure, type Domain, endsOf } from "./_rows.ts";
import type { Drawing, Figure, Frame } from "./figure.ts";
import type { HeatmapOptions } from "./heatmap_options.ts";

/**
 * Draws a heatmap: one number for each pair of a column and a row, as a colour.
 *
 * A cell with no row, or whose value is `null`, is grey, and the note under the title says so.
 *
 * @param rows At least one row, in any order; at most one for each cell.
 * @param options What to draw and what to say of it.
 * @returns The figure.
 * @throws {RangeError} If there are no rows or no value, two rows for one cell, a value outside the domain, or an order that leaves a value out.
 * @throws {TypeError} If a value is something other than a number or `null`.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const rows = [{ length: 1000, depth: 0, score: 10 }, { length: 2000, depth: 50, score: 7 }];
 * const figure = heatmap(rows, {
 *   title: "The needle is lost halfway",
 *   caption: "Two of the four cells were not measured.",
 *   origin: "measured",
 *   n: 1,
 *   x: "length",
 *   y: "depth",
 *   value: "score",
 *   xTitle: "Context length (tokens)",
 *   yTitle: "Depth (%)",
 *   valueTitle: "Score (1 to 10)",
 *   colours: "needle",
 *   domain: [1, 10],
 * });
 * match(await figure.svg(), /grey: no value/);
 * ```
 */
export function heatmap<Row extends object>(rows: readonly Row[], options: HeatmapOptions<Row>): Figure {
  checkFigure(rows, options);
  const { title, caption, width = 700, origin, highlighted, columnMeans = false, colours = "viridis", valueTitle } =
    options;
  const grid = gridOf(rows, options);
  const domain = options.domain ?? domainOf(grid);
  const more = [
    ...(grid.cells.some(({ value }) => value === null) ? ["grey: no value"] : []),
    ...(highlighted === undefined ? [] : [`red labels: ${highlighted.means}`]),
    ...(columnMeans ? [`white line: column means (bottom ${domain[0]}, top ${domain[1]})`] : []),
  ];
  const height = options.height ?? Math.min(Math.max(grid.ys.length * 22, 130), 440);
  return makeFigure({
    title,
    caption,
    said: saidOf(options, more),
    origins: originsOf(origin),
    width,
    legendKey: JSON.stringify([colours, domain, valueTitle]),
    legendFor: () => colourLegend(valueTitle, height),
    draw: (frame) => drawCells(grid, { options, domain, height, frame }),
  });
}

function drawCells<Row extends object>(
  grid: Grid<Row>,
  { options, domain, height, frame }: {
    readonly options: HeatmapOptions<Row>;
    readonly domain: Domain;
    readonly height: number;
    readonly frame: Frame;
  },
): Drawing {
  const { xTitle, yTitle, xLabel, yLabel, xLabelAngle, showValues = false, columnMeans = false } = options;
  const extent = labelExtent(grid.ys.map(yLabel ?? categoryText));
  const left = leftRoom(extent);
  const width = Math.round(frame.width - left - frame.room - 16);
  const { values: highlighted = [] } = options.highlighted ?? {};
  const x = bandOf(grid.xs, { title: xTitle, label: xLabel, labelAngle: xLabelAngle, across: width, highlighted });
  const y = bandOf(grid.ys, { title: yTitle, label: yLabel, extent, highlighted });
  const parts = { options, domain, channels: { x: { field: "x", ...x }, y: { field: "y", ...y } } };
  const cells = [
    ...gapLayer(grid, parts),
    cellLayer(grid, { ...parts, legend: frame.legend }),
    ...(showValues ? [valueLayer(grid, parts)] : []),
  ];
  const means = columnMeans ? [{ layer: meanLayers(grid, { x: parts.channels.x, domain }) }] : [];
  const body = { width, height, layer: [{ layer: cells }, ...means], resolve: { scale: { y: "independent" } } };
  return { left, body };
}

function domainOf({ cells }: Grid<unknown>): Domain {
  const values = cells.flatMap(({ value }) => value === null ? [] : [value]);
  const [low, high] = endsOf(values);
  // One value alone has no range: it is shown as the greatest.
  return low === high ? [low - 1, high] : [low, high];
}
