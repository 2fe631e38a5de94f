import { bandOf, categoryText, categoryTexts, divideFrame, lengthLabels } from "./axis.ts";
import {
  cannotDraw,
  type Category,
  categoryOf,
  type ChartOptions,
  checkFigure,
  colourDomain,
  needValues,
  orderOf,
  readNumber,
  shown,
  tips,
  tipValues,
} from "./chart.ts";
import { type Drawing, type Field, type Figure, type FigureFrame, makeFigure } from "./figure.ts";
import { alike, plainText } from "./text_fit.ts";
import { colourLegend, type ColourOptions, colourScale, type Domain, GAP, INK, isDark, type Spec } from "./theme.ts";

/**
 * Draws a heatmap: one number for each pair of a column and a row, as a colour.
 *
 * A cell with no row, or whose value is `null`, is grey, and the note under the title says so.
 *
 * @param rows At least one row, in any order; at most one for each cell.
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
  const { highlighted, columnMeans = false, colours, valueTitle } = options;
  const grid = gridOf(rows, options);
  const { xLabel = options.xAre === "lengths" ? lengthsLabel(grid.xs) : undefined } = options;
  const domain = options.domain ?? colourDomain(grid.cells.map(({ value }) => value).filter((value) => value !== null));
  const height = options.height ?? Math.min(Math.max(grid.ys.length * 22, 130), 440);
  return makeFigure(options, {
    notes: [
      ...(grid.cells.some(({ value }) => value === null) ? ["grey: no value"] : []),
      ...(highlighted === undefined ? [] : [`red labels: ${highlighted.means}`]),
      ...(columnMeans ? [`white line: column means (bottom ${domain[0]}, top ${domain[1]})`] : []),
    ],
    ...colourLegend({ valueTitle, colours, domain, height }),
    draw: (frame) => drawCells(grid, { options: { ...options, xLabel }, domain, height, frame }),
  });
}

/** Options for a heatmap. */
export interface HeatmapOptions<Row> extends ChartOptions<Row>, ColourOptions {
  /** The field of the columns: text or numbers. */
  readonly x: Field<Row>;
  /** The field of the rows, drawn from top to bottom: text or numbers. */
  readonly y: Field<Row>;
  /** The field of the colour: a number, or `null` for a grey cell. */
  readonly value: Field<Row>;
  /** What the columns are, with their unit. */
  readonly xTitle: string;
  /** What the rows are, with their unit. */
  readonly yTitle: string;
  /** The columns from left to right; numbers ascending, text as it comes, if left out. */
  readonly xOrder?: readonly Category[];
  /** The rows from top to bottom; numbers ascending, text as it comes, if left out. */
  readonly yOrder?: readonly Category[];
  /** What the columns are: context lengths are written as such, all with `K` or `M` or all in full. */
  readonly xAre?: "lengths" | undefined;
  /** Formats a column's label. */
  readonly xLabel?: ((value: Category) => string) | undefined;
  /** Formats a row's label. */
  readonly yLabel?: (value: Category) => string;
  /** The angle of the column labels, in degrees clockwise; chosen to fit if left out. */
  readonly xLabelAngle?: number;
  /** Columns and rows whose labels are red, and what that means. */
  readonly highlighted?: { readonly values: readonly Category[]; readonly means: string };
  /** Whether the cells hold their values as text. */
  readonly showValues?: boolean;
  /** Whether a white line shows the mean of each column, from the lower end of the domain (bottom) to the upper (top). */
  readonly columnMeans?: boolean;
}

function lengthsLabel(columns: readonly Category[]): (length: Category) => string {
  const label = lengthLabels(columns.map(Number));
  return (length) => label(Number(length));
}

/** A cell of a heatmap; `row` is missing where no row was given for it. */
interface Cell<Row> {
  readonly x: Category;
  readonly y: Category;
  /** The numbers of its column and row, from 0. */
  readonly at: { readonly x: number; readonly y: number };
  readonly value: number | null;
  readonly row?: Row;
}

/** All cells of a heatmap, those without a value included. */
interface Grid<Row> {
  readonly xs: readonly Category[];
  readonly ys: readonly Category[];
  readonly cells: readonly Cell<Row>[];
}

/** Lays rows out as a full grid. */
function gridOf<Row extends object>(rows: readonly Row[], options: HeatmapOptions<Row>): Grid<Row> {
  const { title, domain } = options;
  const read = new Map<string, Omit<Cell<Row>, "at">>();
  for (const row of rows) {
    const [x, y] = [categoryOf(row[options.x]), categoryOf(row[options.y])];
    const value = readNumber(row, options.value, { title });
    const place = JSON.stringify([x, y]);
    if (read.has(place)) throw cannotDraw(title, "each cell must have one row", `two rows at ${x}, ${y}`);
    if (value !== null && domain !== undefined && (value < domain[0] || value > domain[1])) {
      throw cannotDraw(title, `${options.value} must be in the domain [${domain.join(", ")}]`, value);
    }
    read.set(place, { x, y, value, row });
  }
  const cells = [...read.values()];
  needValues(cells.map(({ value }) => value), { title, field: options.value });
  const xs = orderOf(cells.map(({ x }) => x), { order: options.xOrder, title, name: "xOrder" });
  const ys = orderOf(cells.map(({ y }) => y), { order: options.yOrder, title, name: "yOrder" });
  const all = ys.flatMap((y, row) =>
    xs.map((x, column) => ({
      ...(read.get(JSON.stringify([x, y])) ?? { x, y, value: null }),
      at: { x: column, y: row },
    }))
  );
  return { xs, ys, cells: all };
}

function drawCells<Row extends object>(
  grid: Grid<Row>,
  { options, domain, height, frame }: {
    readonly options: HeatmapOptions<Row>;
    readonly domain: Domain;
    readonly height: number;
    readonly frame: FigureFrame;
  },
): Drawing {
  const { xTitle, yTitle, xLabel, yLabel, xLabelAngle, showValues = false, columnMeans = false } = options;
  const { extent, left, width } = divideFrame(frame, categoryTexts(grid.ys, yLabel));
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

interface CellLayerOptions<Row> {
  readonly options: HeatmapOptions<Row>;
  readonly channels: { readonly x: Spec; readonly y: Spec };
  readonly domain: Domain;
}

/** Grey cells, where there is no value. */
function gapLayer<Row extends object>(
  grid: Grid<Row>,
  { options, channels: { x, y } }: CellLayerOptions<Row>,
): Spec[] {
  const gaps = grid.cells.filter(({ value }) => value === null);
  const values = gaps.map((cell) => ({ ...cell.at, about: `${placeText(cell, options)}: no value` }));
  if (values.length === 0) return [];
  const about = { field: "about", type: "nominal" };
  const encoding = { x, y, tooltip: [{ ...about, title: "Cell" }], description: about };
  return [{ data: { values }, mark: { type: "rect", color: GAP, stroke: "white", strokeWidth: 0.5 }, encoding }];
}

function placeText<Row>(
  { x, y }: Cell<Row>,
  { xLabel = categoryText, yLabel = categoryText }: HeatmapOptions<Row>,
): string {
  return `${plainText(xLabel(x))}, ${plainText(yLabel(y))}`;
}

/** The coloured cells, with what they say on hovering and to a screen reader. */
function cellLayer<Row extends object>(
  grid: Grid<Row>,
  { options, channels, domain, legend }: CellLayerOptions<Row> & { readonly legend: Spec | null },
): Spec {
  const { colours = "viridis" } = options;
  const values = grid.cells.flatMap((cell) => {
    const { at, value } = cell;
    if (value === null) return [];
    const about = `${placeText(cell, options)}: ${shown(value)}`;
    return [{ ...at, value, about, ...cellTexts(cell, options) }];
  });
  return {
    data: { values },
    mark: { type: "rect", stroke: "white", strokeWidth: 0.5 },
    encoding: {
      ...channels,
      color: { field: "value", type: "quantitative", scale: colourScale(colours, domain), legend },
      tooltip: cellTips(options),
      description: { field: "about", type: "nominal" },
    },
  };
}

/** What a cell says on hovering. */
function cellTips<Row>({ xTitle, yTitle, valueTitle, tooltips }: HeatmapOptions<Row>): Spec[] {
  return tips({ xText: xTitle, yText: yTitle, valueText: valueTitle }, tooltips);
}

function cellTexts<Row extends object>(
  { x, y, value, row }: Grid<Row>["cells"][number],
  { tooltips, xLabel = categoryText, yLabel = categoryText }: HeatmapOptions<Row>,
): Record<string, unknown> {
  if (value === null || row === undefined) return {};
  const texts = { xText: plainText(xLabel(x)), yText: plainText(yLabel(y)), valueText: shown(value) };
  return { ...texts, ...tipValues(row, tooltips) };
}

/** The values as text on their cells; they say the same on hovering, as the pointer finds them first. */
function valueLayer<Row extends object>(grid: Grid<Row>, { options, channels, domain }: CellLayerOptions<Row>): Spec {
  const { colours = "viridis" } = options;
  const text = alike(grid.cells.flatMap(({ value }) => value ?? []));
  const values = grid.cells.flatMap((cell) => {
    const { at, value } = cell;
    if (value === null) return [];
    return [{ ...at, text: text(value), dark: isDark(value, { colours, domain }), ...cellTexts(cell, options) }];
  });
  return {
    data: { values },
    mark: { type: "text", fontSize: 10, aria: false },
    encoding: {
      ...channels,
      text: { field: "text", type: "nominal" },
      tooltip: cellTips(options),
      color: { condition: { test: "datum.dark", value: "white" }, value: INK },
    },
  };
}

/** The mean of each column's values, as a line over the cells; its own axis is the domain of the colours. */
function meanLayers(grid: Grid<unknown>, { x, domain }: { readonly x: Spec; readonly domain: Domain }): Spec[] {
  const values = grid.xs.flatMap((_, column) => {
    const known = grid.cells.flatMap((cell) => cell.at.x === column && cell.value !== null ? [cell.value] : []);
    if (known.length === 0) return [];
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    return [{ x: column, mean, meanText: shown(mean), about: `mean ${shown(mean)}` }];
  });
  const y = { field: "mean", type: "quantitative", scale: { domain, nice: false, zero: false }, axis: null };
  const layer = (mark: Spec, more: Spec = {}): Spec => ({ data: { values }, mark, encoding: { x, y, ...more } });
  return [
    layer({ type: "line", color: INK, strokeWidth: 4, opacity: 0.55, tooltip: null, aria: false }),
    layer({ type: "line", color: "white", strokeWidth: 2, tooltip: null, aria: false }),
    layer({ type: "point", filled: true, color: "white", stroke: INK, strokeWidth: 0.75, opacity: 1, size: 40 }, {
      tooltip: [{ field: "meanText", type: "nominal", title: "Mean of the column" }],
      description: { field: "about", type: "nominal" },
    }),
  ];
}
