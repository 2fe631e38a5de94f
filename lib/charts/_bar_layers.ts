import type { BarOptions } from "./bar_options.ts";
import type { Bar, Bars } from "./_bars.ts";
import { categoryText } from "./_band_axis.ts";
import { fading } from "./_channels.ts";
import type { Spec } from "./figure.ts";
import { numberText } from "./number_text.ts";
import { shown, tips, tipValues } from "./_rows.ts";
import type { SeriesLook } from "./_series.ts";
import { plainText } from "./_text.ts";
import { INK, SOFT_INK } from "./_theme.ts";

/** The name of the layer that holds the bars. */
export const BARS = "bars";

interface BarLook<Row> {
  readonly options: BarOptions<Row>;
  readonly look: SeriesLook;
  /** Position channel of the places. */
  readonly category: Spec;
  /** Position channel of the values. */
  readonly value: Spec;
  readonly legend: Spec | null;
}

/** The layers of a bar chart: bars, intervals, values, and the word for what is missing. */
export function barLayers<Row extends object>(read: Bars<Row>, parts: BarLook<Row>): Spec[] {
  const { options, look } = parts;
  const values = read.bars.map((bar) => barDatum(bar, { options, look }));
  const given = values.filter(({ value }) => value !== null);
  const missing = options.stacked ? [] : values.filter(({ value }) => value === null);
  const ranged = given.filter(({ low, high }) => low !== null && high !== null);
  return [
    barLayer(given, parts),
    ...(ranged.length === 0 ? [] : intervalLayers(ranged, parts)),
    ...(options.showValues && !options.stacked ? [textLayer(given, parts, { field: "label", color: INK })] : []),
    ...(missing.length === 0 ? [] : [textLayer(missing, parts, { field: "missing", color: SOFT_INK })]),
  ];
}

type Datum = ReturnType<typeof barDatum>;

function barDatum<Row extends object>(
  bar: Bar<Row>,
  { options, look }: { readonly options: BarOptions<Row>; readonly look: SeriesLook },
): Readonly<Record<string, string | number | null>> {
  const { category, at, value, low, high, row } = bar;
  const categoryShown = plainText((options.categoryLabel ?? categoryText)(category));
  const range = low === null || high === null ? {} : { range: `${numberText(low)} to ${numberText(high)}` };
  const series = look.nameOf(bar.series);
  const about = `${categoryShown}${options.series === undefined ? "" : `, ${series}`}: ${shown(value)}${
    "range" in range ? ` (${range.range})` : ""
  }`;
  const end = high !== null && low !== null ? high : value;
  const texts = { categoryShown, label: shown(value), missing: "n/a", about, ...range };
  return {
    at,
    series,
    value,
    low,
    high,
    end,
    ...texts,
    ...(row === undefined ? {} : tipValues(row, options.tooltips ?? {})),
  };
}

/** Gives the channels of a mark their names, which depend on whether the bars stand or lie. */
function placed<Row>(
  parts: BarLook<Row>,
  options: { readonly field: string; readonly field2?: string; readonly stack?: boolean },
): Spec {
  const { category, value, options: { horizontal = false, stacked = false, series }, look } = parts;
  const [along, across] = horizontal ? ["x", "y"] : ["y", "x"];
  const offset = { field: "series", type: "nominal", scale: { domain: look.names } };
  return {
    [across]: { field: "at", ...category },
    [along]: { field: options.field, ...value, stack: options.stack ? "zero" : null },
    ...(options.field2 === undefined ? {} : { [`${along}2`]: { field: options.field2 } }),
    ...(stacked || series === undefined ? {} : { [`${across}Offset`]: offset }),
  };
}

function barLayer<Row extends object>(values: readonly Datum[], parts: BarLook<Row>): Spec {
  const { options, look, legend } = parts;
  const {
    series,
    seriesTitle = "Series",
    categoryTitle,
    valueTitle,
    interval = "Interval",
    tooltips = {},
    stacked = false,
  } = options;
  const own = {
    categoryShown: categoryTitle,
    ...(series === undefined ? {} : { series: seriesTitle }),
    label: valueTitle,
    ...(values.some((value) => "range" in value) ? { range: interval } : {}),
  };
  const scale = { domain: look.names, range: look.colours };
  return {
    name: BARS,
    data: { values },
    mark: { type: "bar", ...(stacked ? { stroke: "white", strokeWidth: 0.75 } : {}) },
    encoding: {
      ...placed(parts, { field: "value", stack: stacked }),
      color: { field: "series", type: "nominal", scale, legend },
      ...(stacked ? { order: { field: "rank", type: "quantitative" } } : {}),
      opacity: fading(1, 0.15),
      tooltip: tips(own, tooltips),
      description: { field: "about", type: "nominal" },
    },
    ...(stacked
      ? { transform: [{ calculate: `indexof(${JSON.stringify(look.names)}, datum.series)`, as: "rank" }] }
      : {}),
  };
}

/** Thin lines with a white rim, as they cross the ends of dark bars. */
function intervalLayers<Row>(values: readonly Datum[], parts: BarLook<Row>): Spec[] {
  const encoding = placed(parts, { field: "low", field2: "high" });
  return [["white", 3.5], [INK, 1.5]].map(([color, strokeWidth]) => ({
    data: { values },
    mark: { type: "rule", color, strokeWidth, tooltip: null, aria: false },
    encoding,
  }));
}

function textLayer<Row>(
  values: readonly Datum[],
  parts: BarLook<Row>,
  { field, color }: { readonly field: "label" | "missing"; readonly color: string },
): Spec {
  const { horizontal = false, valueDomain } = parts.options;
  const beyond = horizontal
    ? { align: "left", baseline: "middle", dx: 4 }
    : { align: "center", baseline: "bottom", dy: -3 };
  const start = valueDomain?.[0] ?? 0;
  return {
    data: { values: field === "label" ? values : values.map((value) => ({ ...value, end: start })) },
    mark: { type: "text", fontSize: 10, color, tooltip: null, aria: field === "missing", ...beyond },
    encoding: { ...placed(parts, { field: "end" }), text: { field, type: "nominal" } },
  };
}
