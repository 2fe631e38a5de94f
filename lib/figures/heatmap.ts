import { divideFrame, lengthLabels, withoutLabels, withoutTitle } from "./axis.ts";
import { bandOf, categoryText, categoryTexts } from "./band.ts";
import type { Category, ChartOptions, PlaneOptions } from "./chart_options.ts";
import { colourLegend, type ColourOptions, colourScale, isDark, ON_DARK, ON_LIGHT } from "./colour_scale.ts";
import type { Drawing, Field, Figure, FigureFrame } from "./figure.ts";
import { makeFigure } from "./make_figure.ts";
import { cannotDraw, categoryOf, checkFigure, colourDomain, needValues, orderOf, readNumber } from "./row_values.ts";
import { plainText, sharedFormat, textWidth } from "./text_fit.ts";
import { type Domain, GAP, type Spec } from "./theme.ts";
import { aboutOf, shown, tipFields, tips, tipValues, withTables } from "./tooltips.ts";
import { sum } from "@/lib/base/mod.ts";

/**
 * Draws a heatmap: one number for each pair of a column and a row, as a colour.
 *
 * A cell with no row, or whose value is `null`, is grey, and the note under the title explains it.
 *
 * @param rows At least one row, in any order; at most one for each cell.
 * @throws {RangeError} If there are no rows or no value, two rows for one cell, a value outside the domain, or an order that lacks a value.
 * @throws {TypeError} If a value is neither a number nor `null`.
 */
export function heatmap<Row extends object>(rows: readonly Row[], options: HeatmapOptions<Row>): Figure {
  checkFigure(rows, options);
  const { columnMeans = false, colours, valueTitle } = options;
  const grid = gridOf(rows, options);
  const lengthsLabel = lengthLabels(grid.xs.map(Number));
  const { xLabel = options.xAre === "lengths" ? (length: Category) => lengthsLabel(Number(length)) : undefined } =
    options;
  const domain = options.domain ?? colourDomain(grid.cells.map(({ value }) => value).filter((value) => value !== null));
  const height = options.height ?? Math.min(Math.max(grid.ys.length * 22, 130), 440);
  return makeFigure(options, {
    notes: [
      ...(grid.cells.some(({ value }) => value === null) ? ["grey: no value"] : []),
      ...(columnMeans ? [`white line: column means (bottom ${domain[0]}, top ${domain[1]})`] : []),
    ],
    ...colourLegend({ valueTitle, colours, domain, height }),
    axes: { x: options.xTitle, y: JSON.stringify([options.yTitle, grid.ys, height]) },
    draw: (frame) => drawCells(grid, { options: { ...options, xLabel }, domain, height, frame }),
  });
}

/** Options for a heatmap. */
export interface HeatmapOptions<Row>
  extends ChartOptions<Row>, ColourOptions, Pick<PlaneOptions<Row>, "xTitle" | "yTitle"> {
  /** The field of the columns: text or numbers. */
  readonly x: Field<Row>;
  /** The field of the rows, drawn from top to bottom: text or numbers. */
  readonly y: Field<Row>;
  /** The field of the colour: a number, or `null` for a grey cell. */
  readonly value: Field<Row>;
  /** The columns from left to right; by default numbers ascending, and text in order of appearance. */
  readonly xOrder?: readonly Category[];
  readonly yOrder?: readonly Category[];
  /** Columns of context lengths are all written with `K` or `M`, or all in full. */
  readonly xAre?: "lengths" | undefined;
  readonly xLabel?: ((value: Category) => string) | undefined;
  readonly yLabel?: (value: Category) => string;
  /** The angle of the column labels, in degrees clockwise; chosen to fit by default. */
  readonly xLabelAngle?: number;
  readonly showValues?: boolean;
  /** Whether a white line shows the mean of each column, from the lower end of the domain (bottom) to the upper (top). */
  readonly columnMeans?: boolean;
}

/** A cell of a heatmap; `row` is missing if no row was given for it. */
interface Cell<Row> {
  readonly x: Category;
  readonly y: Category;
  readonly at: { readonly x: number; readonly y: number };
  readonly value: number | null;
  readonly row?: Row;
}

interface Grid<Row> {
  readonly xs: readonly Category[];
  readonly ys: readonly Category[];
  readonly cells: readonly Cell<Row>[];
}

function gridOf<Row extends object>(rows: readonly Row[], options: HeatmapOptions<Row>): Grid<Row> {
  const { title, domain } = options;
  const read = new Map<string, Omit<Cell<Row>, "at">>();
  for (const row of rows) {
    const [x, y] = [categoryOf(row[options.x]), categoryOf(row[options.y])];
    const value = readNumber(row, options.value, title);
    const place = JSON.stringify([x, y]);
    if (read.has(place)) throw cannotDraw(title, "each cell must have one row", `two rows at ${x}, ${y}`);
    if (value !== null && domain !== undefined && (value < domain[0] || value > domain[1])) {
      throw cannotDraw(title, `${options.value} must be in the domain [${domain.join(", ")}]`, value);
    }
    read.set(place, { x, y, value, row });
  }
  const cells = [...read.values()];
  needValues(cells.map(({ value }) => value), options.value, title);
  const xs = orderOf(cells.map(({ x }) => x), options.xOrder, { title, name: "xOrder" });
  const ys = orderOf(cells.map(({ y }) => y), options.yOrder, { title, name: "yOrder" });
  const all = ys.flatMap((y, row) =>
    xs.map((x, column) => ({
      ...(read.get(JSON.stringify([x, y])) ?? { x, y, value: null }),
      at: { x: column, y: row },
    }))
  );
  return { xs, ys, cells: all };
}

interface LayerParts<Row> {
  readonly options: HeatmapOptions<Row>;
  readonly channels: { readonly x: Spec; readonly y: Spec };
  readonly domain: Domain;
  readonly cell: number;
}

function drawCells<Row extends object>(
  grid: Grid<Row>,
  { options, domain, height, frame }: Omit<LayerParts<Row>, "channels" | "cell"> & {
    readonly height: number;
    readonly frame: FigureFrame;
  },
): Drawing {
  const { xTitle, yTitle, xLabel, yLabel, xLabelAngle, columnMeans = false } = options;
  const { extent, left, width } = divideFrame(frame, categoryTexts(grid.ys, yLabel));
  const { shared } = frame;
  const x = withoutTitle(
    bandOf(grid.xs, { title: xTitle, label: xLabel, labelAngle: xLabelAngle, across: width }),
    shared?.xTitle,
  );
  const y = withoutLabels(bandOf(grid.ys, { title: yTitle, label: yLabel, extent }), shared?.y);
  const parts = {
    options,
    domain,
    cell: width / grid.xs.length,
    channels: { x: { field: "x", ...x }, y: { field: "y", ...y } },
  };
  const layers = [
    ...gapLayer(grid, parts),
    ...cellLayers(grid, parts, frame.legend),
  ];
  const means = columnMeans ? [{ layer: meanLayers(grid, parts.channels.x, domain) }] : [];
  const body = { width, height, layer: [{ layer: layers }, ...means], resolve: { scale: { y: "independent" } } };
  return { left, body };
}

function gapLayer<Row extends object>(grid: Grid<Row>, { options, channels }: LayerParts<Row>): Spec[] {
  const values = grid.cells.flatMap(({ at, value }) => value === null ? [at] : []);
  if (values.length === 0) return [];
  const about = `datum.xText + ", " + datum.yText + ": no value"`;
  return [{
    data: { values },
    transform: [...placeTexts(grid, options), { calculate: about, as: "about" }],
    mark: { type: "rect", color: GAP, stroke: "white", strokeWidth: 0.5, description: { expr: about } },
    encoding: { ...channels, tooltip: [{ field: "about", type: "nominal", title: "Cell" }] },
  }];
}

/** Returns the transforms that look the names of a cell's column and row up. */
function placeTexts<Row>(
  { xs, ys }: Grid<Row>,
  { xLabel = categoryText, yLabel = categoryText }: HeatmapOptions<Row>,
): Spec[] {
  const lookUp = (field: "x" | "y", names: readonly string[]): Spec => (
    { calculate: `${JSON.stringify(names.map((name) => plainText(name)))}[datum.${field}]`, as: `${field}Text` }
  );
  return [lookUp("x", xs.map(xLabel)), lookUp("y", ys.map(yLabel))];
}

const VALUE_SIZE = 10;

/**
 * Returns the layers of coloured cells, with their tooltips and descriptions for screen readers, and of their values as text, rounded to
 * whole numbers in narrow cells, and left out if they do not fit; a text has the tooltip of its cell, as it is above it.
 */
function cellLayers<Row extends object>(
  grid: Grid<Row>,
  { options, channels, domain, cell: room }: LayerParts<Row>,
  legend: Spec | null,
): Spec[] {
  const { colours = "viridis", xTitle, yTitle, valueTitle, tooltips, showValues = false } = options;
  const known = grid.cells.flatMap(({ value }) => value ?? []);
  const fits = (format: (value: number) => string): boolean =>
    known.every((value) => textWidth(format(value), VALUE_SIZE) <= room - 2);
  const isWhole = domain[1] - domain[0] >= 10;
  const formats = [sharedFormat(known), ...(isWhole ? [(value: number) => value.toFixed(0)] : [])];
  const text = showValues ? formats.find(fits) : undefined;
  const values = grid.cells.flatMap(({ at, value, row }) => {
    if (value === null) return [];
    const written = text === undefined ? {} : { text: text(value), dark: isDark(value, { colours, domain }) };
    return [{ ...at, value, valueText: shown(value), ...written, ...tipValues(row!, options) }];
  });
  const { rows, lookUps } = withTables(values, ["valueText", ...tipFields(options)]);
  const shared = { data: { values: rows }, transform: [...placeTexts(grid, options), ...lookUps] };
  const tooltip = tips({ xText: xTitle, yText: yTitle, valueText: valueTitle }, tooltips);
  const description = aboutOf(["xText", "yText"], "valueText", options);
  const color = { field: "value", type: "quantitative", scale: colourScale(colours, domain), legend };
  const ink = { condition: { test: "datum.dark", value: ON_DARK }, value: ON_LIGHT };
  return [
    {
      ...shared,
      mark: { type: "rect", stroke: "white", strokeWidth: 0.5, description },
      encoding: { ...channels, color, tooltip },
    },
    ...(text === undefined ? [] : [{
      ...shared,
      mark: { type: "text", fontSize: VALUE_SIZE, aria: false },
      encoding: { ...channels, text: { field: "text", type: "nominal" }, tooltip, color: ink },
    }]),
  ];
}

/** Returns the layers of the column means: a line over the cells, whose axis is the domain of the colours. */
function meanLayers(grid: Grid<unknown>, x: Spec, domain: Domain): Spec[] {
  const values = grid.xs.flatMap((_, column) => {
    const known = grid.cells.flatMap((cell) => cell.at.x === column && cell.value !== null ? [cell.value] : []);
    if (known.length === 0) return [];
    const mean = sum(known) / known.length;
    return [{ x: column, mean, meanText: shown(mean), about: `mean ${shown(mean)}` }];
  });
  const y = { field: "mean", type: "quantitative", scale: { domain, nice: false, zero: false }, axis: null };
  const layer = (mark: Spec, more: Spec = {}): Spec => ({ data: { values }, mark, encoding: { x, y, ...more } });
  return [
    layer({ type: "line", color: ON_LIGHT, strokeWidth: 4, opacity: 0.55, tooltip: null, aria: false }),
    layer({ type: "line", color: ON_DARK, strokeWidth: 2, tooltip: null, aria: false }),
    layer({ type: "point", filled: true, color: ON_DARK, stroke: ON_LIGHT, strokeWidth: 0.75, opacity: 1, size: 40 }, {
      tooltip: [{ field: "meanText", type: "nominal", title: "Mean of the column" }],
      description: { field: "about", type: "nominal" },
    }),
  ];
}
