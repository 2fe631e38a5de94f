import { categoryText } from "./_band_axis.ts";
import { colourScale, isDark } from "./_colours.ts";
import type { Grid } from "./_grid.ts";
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
export function gapLayer(grid: Grid<unknown>, { x, y }: Places): Spec[] {
  const values = grid.cells.filter(({ value }) => value === null).map((cell) => ({
    x: cell.x,
    y: cell.y,
    about: "no value",
  }));
  if (values.length === 0) return [];
  const encoding = {
    x,
    y,
    tooltip: [{ field: "about", type: "nominal", title: "Value" }],
    description: { value: "no value" },
  };
  return [{ data: { values }, mark: { type: "rect", color: GAP, stroke: "white", strokeWidth: 0.5 }, encoding }];
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
  const xText = options.xLabel ?? categoryText;
  const yText = options.yLabel ?? categoryText;
  const values = grid.cells.flatMap(({ x, y, value, row }) => {
    if (value === null || row === undefined) return [];
    const texts = { xText: plainText(xText(x)), yText: plainText(yText(y)), valueText: shown(value) };
    const about = `${texts.xText}, ${texts.yText}: ${texts.valueText}`;
    return [{ x, y, value, ...texts, about, ...tipValues(row, tooltips) }];
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
  const values = grid.cells.flatMap(({ x, y, value }) =>
    value === null ? [] : [{ x, y, text: shown(value), dark: isDark(value, { colours, domain }) }]
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
  const values = grid.xs.flatMap((column) => {
    const known = grid.cells.flatMap((cell) => cell.x === column && cell.value !== null ? [cell.value] : []);
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
