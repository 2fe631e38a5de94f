import { categoryText } from "./_band_axis.ts";
import { colourScale, isDark } from "./_colours.ts";
import type { Cell, Grid } from "./_grid.ts";
import { type Domain, shown, tips, tipValues } from "./_rows.ts";
import { plainText } from "./_text.ts";
import { GAP, INK } from "./_theme.ts";
import type { Spec } from "./figure.ts";
import type { HeatmapOptions } from "./heatmap_options.ts";

interface Places {
  readonly x: Spec;
  readonly y: Spec;
}

/** Grey cells, where there is no value. */
export function gapLayer<Row extends object>(
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

interface CellLayerOptions<Row> {
  readonly options: HeatmapOptions<Row>;
  readonly channels: Places;
  readonly domain: Domain;
}

/** The coloured cells, with what they say on hovering and to a screen reader. */
export function cellLayer<Row extends object>(
  grid: Grid<Row>,
  { options, channels, domain, legend }: CellLayerOptions<Row> & { readonly legend: Spec | null },
): Spec {
  const { xTitle, yTitle, valueTitle, tooltips = {}, colours = "viridis" } = options;
  const { xLabel = categoryText, yLabel = categoryText } = options;
  const values = grid.cells.flatMap((cell) => {
    const { x, y, at, value, row } = cell;
    if (value === null || row === undefined) return [];
    const texts = { xText: plainText(xLabel(x)), yText: plainText(yLabel(y)), valueText: shown(value) };
    const about = `${placeText(cell, options)}: ${texts.valueText}`;
    return [{ ...at, value, ...texts, about, ...tipValues(row, tooltips) }];
  });
  return {
    data: { values },
    mark: { type: "rect", stroke: "white", strokeWidth: 0.5 },
    encoding: {
      ...channels,
      color: { field: "value", type: "quantitative", scale: colourScale(colours, domain), legend },
      tooltip: tips({ xText: xTitle, yText: yTitle, valueText: valueTitle }, tooltips),
      description: { field: "about", type: "nominal" },
    },
  };
}

/** The values as text on their cells. */
export function valueLayer<Row>(grid: Grid<Row>, { options, channels, domain }: CellLayerOptions<Row>): Spec {
  const { colours = "viridis" } = options;
  const values = grid.cells.flatMap(({ at, value }) =>
    value === null ? [] : [{ ...at, text: shown(value), dark: isDark(value, { colours, domain }) }]
  );
  return {
    data: { values },
    mark: { type: "text", fontSize: 10, tooltip: null, aria: false },
    encoding: {
      ...channels,
      text: { field: "text", type: "nominal" },
      color: { condition: { test: "datum.dark", value: "white" }, value: INK },
    },
  };
}

/** The mean of each column's values, as a line over the cells; its own axis is the domain of the colours. */
export function meanLayers(grid: Grid<unknown>, { x, domain }: { readonly x: Spec; readonly domain: Domain }): Spec[] {
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
