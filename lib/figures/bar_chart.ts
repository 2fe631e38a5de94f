import { divideFrame, endLabels, positionOf, withoutLabels, withoutTitle } from "./axis.ts";
import { bandOf, categoryText } from "./band.ts";
import type { Category, IntervalOptions, SeriesOptions } from "./chart_options.ts";
import type { Chart, Drawing, Field, Figure } from "./figure.ts";
import { fading } from "./legend.ts";
import {
  cannotDraw,
  categoryOf,
  checkFigure,
  checkInterval,
  checkValue,
  distinctOf,
  type Interval,
  needNumber,
  needValues,
  orderOf,
  readInterval,
  readNumber,
} from "./row_values.ts";
import { colourChannel, seriesChart, seriesOf, type SeriesParts } from "./series_chart.ts";
import { plainText, sharedFormat } from "./text_fit.ts";
import { type Domain, INK, SOFT_INK, type Spec } from "./theme.ts";
import { aboutOf, describeValue, tips, tipValues } from "./tooltips.ts";

/**
 * Draws a bar chart: bars side by side or stacked, with intervals as thin bars.
 *
 * A bar whose value is `null`, or that has no row, is marked "n/a"; a 0 has no length.
 *
 * @param rows At least one row, in any order; at most one for each bar.
 * @throws {RangeError} If there are no rows or no value, two rows for one bar, a value outside the domain, or a stack with a part
 *   that is missing, negative or has an interval.
 * @throws {TypeError} If a value is neither a number nor `null`.
 */
export function barChart<Row extends object>(rows: readonly Row[], options: BarOptions<Row>): Figure {
  checkFigure(rows, options);
  const { categories, bars } = readBars(rows, options);
  return seriesChart(rows, options, {
    marks: bars,
    drawnAs: "thin lines",
    view: BARS,
    isArea: true,
    axes: axesOf(categories, options),
    draw: (marks, parts) => drawBars(categories, marks, parts),
  });
}

const BARS = "bars";

/** Returns the axes as texts, to find panels with equal ones; without a domain the axis of values is the panel's own. */
function axesOf<Row>(categories: readonly Category[], options: BarOptions<Row>): NonNullable<Chart["axes"]> {
  const { horizontal = false, categoryTitle, valueTitle, valueDomain, height } = options;
  const [across, along] = [
    JSON.stringify([categoryTitle, categories, height]),
    JSON.stringify([valueTitle, valueDomain]),
  ];
  const own = valueDomain === undefined ? `${along} ${options.title}` : along;
  return horizontal ? { x: valueTitle, y: across } : { x: categoryTitle, y: own };
}

/** Options for a bar chart. */
export interface BarOptions<Row> extends SeriesOptions<Row>, IntervalOptions<Row> {
  /** The field that names the category of a bar: text or a number. */
  readonly category: Field<Row>;
  /** The field of a bar's length: a number or `null`. */
  readonly value: Field<Row>;
  readonly categoryTitle: string;
  readonly valueTitle: string;
  /** Whether the series of a category are parts of one bar instead of bars side by side; then without intervals. */
  readonly stacked?: boolean;
  /** Whether bars are horizontal, which leaves room for long names. */
  readonly horizontal?: boolean;
  /** The order of the categories; by default numbers ascending, and text in order of appearance. */
  readonly order?: readonly Category[];
  readonly categoryLabel?: (value: Category) => string;
  /** The ends of the axis of values; by default it starts at 0. */
  readonly valueDomain?: Domain;
  readonly showValues?: boolean;
}

/** A bar or part of a bar; `row` is missing if no row was given for it. */
interface Bar<Row> extends Interval {
  readonly category: Category;
  readonly at: number;
  readonly series: string;
  readonly value: number | null;
  readonly row?: Row;
}

/** Reads the bars, those without a value included, and refuses those that cannot be drawn faithfully. */
function readBars<Row extends object>(
  rows: readonly Row[],
  options: BarOptions<Row>,
): { readonly categories: readonly Category[]; readonly bars: readonly Bar<Row>[] } {
  const { title, stacked = false, value: field, low, high, samples, valueDomain: domain } = options;
  if (stacked && (low ?? high ?? samples) !== undefined) {
    throw cannotDraw(title, "low and high must be left out of stacked bars", `${low}, ${high}`);
  }
  const keyOf = (category: Category, series: string): string => JSON.stringify([category, series]);
  const read = new Map<string, Omit<Bar<Row>, "at">>();
  for (const row of rows) {
    const [category, series] = [categoryOf(row[options.category]), seriesOf(row, options)];
    // A stack with a missing part would look complete.
    const value = stacked ? needNumber(row, field, title) : readNumber(row, field, title);
    const interval = readInterval(row, options, value);
    if (stacked && value! < 0) throw cannotDraw(title, `${field} must be at least 0 in stacked bars`, value);
    checkInterval(interval, title);
    if (!stacked) checkValue(value, { title, field, domain });
    const key = keyOf(category, series);
    if (read.has(key)) {
      throw cannotDraw(title, "each bar must have one row", `two rows for ${category} ${series}`.trim());
    }
    read.set(key, { category, series, value, ...interval, row });
  }
  const known = [...read.values()];
  needValues(known.map(({ value }) => value), field, title);
  const categories = orderOf(known.map(({ category }) => category), options.order, { title, name: "order" });
  const names = distinctOf(known.map(({ series }) => series));
  const bars = categories.flatMap((category, at) =>
    names.map((series): Bar<Row> => {
      const empty = { category, series, value: null, low: null, high: null };
      return { ...(read.get(keyOf(category, series)) ?? empty), at };
    })
  );
  return { categories, bars };
}

interface BarParts<Row> extends SeriesParts<BarOptions<Row>> {
  readonly category: Spec;
  readonly value: Spec;
}

function drawBars<Row extends object>(
  categories: readonly Category[],
  bars: readonly Bar<Row>[],
  parts: SeriesParts<BarOptions<Row>>,
): Drawing {
  const { options, style, frame } = parts;
  const { horizontal = false, stacked = false, valueDomain, categoryTitle, categoryLabel, valueTitle } = options;
  const names = categories.map(categoryLabel ?? categoryText);
  const lengths = stacked
    ? categories.map((_, place) => bars.reduce((sum, { at, value }) => at === place ? sum + (value ?? 0) : sum, 0))
    : bars.flatMap(({ value, low, high }) => [value, low, high]).filter((value) => value !== null);
  const { extent, left, width } = divideFrame(frame, horizontal ? names : endLabels(lengths, valueDomain));
  const beside = stacked ? 1 : style.names.length;
  const height = options.height ?? (horizontal ? Math.max(60, names.length * (beside * 14 + 10)) : 280);
  const [isHidden, isUntitled] = [frame.shared?.y, frame.shared?.xTitle];
  const axis = (position: Spec, isVertical: boolean): Spec =>
    isVertical ? withoutLabels(position, isHidden) : withoutTitle(position, isUntitled);
  const category = bandOf(categories, {
    title: categoryTitle,
    label: categoryLabel,
    padding: !horizontal && width > names.length * 150 ? 0.5 : 0.25,
    ...(horizontal ? { extent } : { across: width }),
  });
  const value = positionOf(lengths, {
    title: valueTitle,
    spacing: "linear",
    zero: true,
    domain: valueDomain,
    ...(horizontal ? {} : { extent }),
  });
  return {
    left,
    body: {
      width,
      height,
      layer: barLayers(bars, { ...parts, category: axis(category, horizontal), value: axis(value, !horizontal) }),
    },
  };
}

function barLayers<Row extends object>(bars: readonly Bar<Row>[], parts: BarParts<Row>): Spec[] {
  const { options: { stacked = false, showValues = false, valueDomain } } = parts;
  const isLabelled = showValues && !stacked;
  const given = bars.filter(({ value }) => value !== null);
  const shared = isLabelled ? sharedFormat(given.map(({ value }) => value!)) : undefined;
  const values = given.map((bar) => barDatum(bar, parts.options, shared));
  const missing = stacked ? [] : bars.filter(({ value }) => value === null);
  const start = valueDomain?.[0] ?? 0;
  return [
    barLayer(values, parts),
    ...(values.some(({ low }) => low !== undefined) ? intervalLayers(values, parts) : []),
    ...(isLabelled ? [textLayer(values, parts, { color: INK, aria: false })] : []),
    ...(missing.length === 0 ? [] : [
      textLayer(missing.map(({ at, series }) => ({ at, series, end: start, label: "n/a" })), parts, {
        color: SOFT_INK,
      }),
    ]),
  ];
}

type Datum = Readonly<Record<string, string | number | null>>;

function barDatum<Row extends object>(
  { category, at, series, value, low, high, row }: Bar<Row>,
  options: BarOptions<Row>,
  format?: (value: number) => string,
): Datum {
  const { text, range } = describeValue(value, { low, high });
  return {
    at,
    series,
    value,
    ...(low === null || high === null ? { end: value } : { low, high, end: high }),
    categoryShown: plainText((options.categoryLabel ?? categoryText)(category)),
    label: format?.(value!) ?? text,
    ...range,
    ...(row === undefined ? {} : tipValues(row, options)),
  };
}

function placed<Row>(
  { category, value, options: { horizontal = false, stacked = false, series }, style }: BarParts<Row>,
  { field, field2, stack }: { readonly field: string; readonly field2?: string; readonly stack?: boolean },
): Spec {
  const [along, across] = horizontal ? ["x", "y"] : ["y", "x"];
  const offset = { field: "series", type: "nominal", scale: { domain: style.names } };
  return {
    [across]: { field: "at", ...category },
    [along]: { field, ...value, stack: stack ? "zero" : null },
    ...(field2 === undefined ? {} : { [`${along}2`]: { field: field2 } }),
    ...(stacked || series === undefined ? {} : { [`${across}Offset`]: offset }),
  };
}

function barLayer<Row extends object>(values: readonly Datum[], parts: BarParts<Row>): Spec {
  const { options, style, frame } = parts;
  const { series, seriesTitle = "Series", categoryTitle, valueTitle, interval = "Interval", stacked } = options;
  const own = {
    categoryShown: categoryTitle,
    ...(series === undefined ? {} : { series: seriesTitle }),
    label: valueTitle,
    ...(values.some((value) => "range" in value) ? { range: interval } : {}),
  };
  const about = aboutOf(["categoryShown", ...(series === undefined ? [] : ["series"])], "label", options);
  return {
    name: BARS,
    data: { values },
    mark: { type: "bar", description: about, ...(stacked ? { stroke: "white", strokeWidth: 0.75 } : {}) },
    encoding: {
      ...placed(parts, { field: "value", stack: stacked === true }),
      color: colourChannel(style, frame.legend),
      ...(stacked ? { order: { field: "rank", type: "quantitative" } } : {}),
      opacity: fading(1, 0.15),
      tooltip: tips(own, options.tooltips),
    },
    ...(stacked
      ? { transform: [{ calculate: `indexof(${JSON.stringify(style.names)}, datum.series)`, as: "rank" }] }
      : {}),
  };
}

/** Returns thin lines with a white rim, which are visible on dark bars too. */
function intervalLayers<Row>(values: readonly Datum[], parts: BarParts<Row>): Spec[] {
  const encoding = placed(parts, { field: "low", field2: "high" });
  return [["white", 3.5], [INK, 1.5]].map(([color, strokeWidth]) => ({
    data: { values },
    transform: [{ filter: "isValid(datum.low)" }],
    mark: { type: "rule", color, strokeWidth, tooltip: null, aria: false },
    encoding,
  }));
}

function textLayer<Row>(values: readonly Datum[], parts: BarParts<Row>, look: Spec): Spec {
  const beyond = parts.options.horizontal
    ? { align: "left", baseline: "middle", dx: 4 }
    : { align: "center", baseline: "bottom", dy: -3 };
  return {
    data: { values },
    mark: { type: "text", fontSize: 10, tooltip: null, ...look, ...beyond },
    encoding: { ...placed(parts, { field: "end" }), text: { field: "label", type: "nominal" } },
  };
}
