import { bandOf, categoryText, divideFrame, endLabels, positionOf } from "./axis.ts";
import {
  cannotDraw,
  type Category,
  categoryOf,
  checkFigure,
  colourChannel,
  describeValue,
  distinctOf,
  type Interval,
  type IntervalOptions,
  lookOf,
  nameInterval,
  needNumber,
  needValues,
  orderOf,
  readInterval,
  readNumber,
  refuseInterval,
  refuseUnshowable,
  type SeriesLook,
  seriesOf,
  type SeriesOptions,
  shown,
  tips,
  tipValues,
} from "./chart.ts";
import { type Drawing, type Field, type Figure, type FigureFrame, makeFigure } from "./figure.ts";
import { alike, plainText } from "./text_fit.ts";
import { type Domain, fading, INK, SOFT_INK, type Spec } from "./theme.ts";

/**
 * Draws a bar chart: bars side by side or stacked, with intervals as thin bars.
 *
 * A bar whose value is `null`, or that has no row, says "n/a"; a 0 has no length.
 *
 * @param rows At least one row, in any order; at most one for each bar.
 * @throws {RangeError} If there are no rows or no value, two rows for one bar, a value outside the domain, or a stack with a part that is missing, negative or has an interval.
 * @throws {TypeError} If a value is something other than a number or `null`.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const figure = barChart([{ task: "cwe", score: 84.8 }, { task: "fwe", score: null }], {
 *   title: "Common words are counted well",
 *   caption: "The second task was not run.",
 *   origin: "simulated",
 *   n: 25,
 *   category: "task",
 *   value: "score",
 *   categoryTitle: "Task",
 *   valueTitle: "Score (%)",
 * });
 * match(await figure.svg(), /n\/a/);
 * ```
 */
export function barChart<Row extends object>(rows: readonly Row[], options: BarOptions<Row>): Figure {
  checkFigure(rows, options);
  const named = nameInterval(options, "thin lines");
  const read = readBars(rows, options);
  const look = lookOf(read.series, options);
  return makeFigure(named, { view: BARS, ...look.legend, draw: (frame) => drawBars(read, { options, look, frame }) });
}

/** Options for a bar chart. */
export interface BarOptions<Row> extends SeriesOptions<Row>, IntervalOptions<Row> {
  /** The field that names the place of a bar: text or a number. */
  readonly category: Field<Row>;
  /** The field of a bar's length: a number, or `null` where there is none. */
  readonly value: Field<Row>;
  /** What the places are, with their unit. */
  readonly categoryTitle: string;
  /** What the length of a bar is, with its unit. */
  readonly valueTitle: string;
  /** Whether the series of a place are parts of one bar rather than bars side by side; then without intervals. */
  readonly stacked?: boolean;
  /** Whether bars are horizontal, which leaves room for long names. */
  readonly horizontal?: boolean;
  /** The places in their order; numbers ascending, text as it comes, if left out. */
  readonly order?: readonly Category[];
  /** Formats the label of a place. */
  readonly categoryLabel?: (value: Category) => string;
  /** The ends of the axis of values; from 0 if left out. */
  readonly valueDomain?: Domain;
  /** Whether bars carry their values as text. */
  readonly showValues?: boolean;
}

/** One bar or part of a bar; `row` is missing where no row was given for it. */
interface Bar<Row> extends Interval {
  readonly category: Category;
  /** The number of its place, from 0. */
  readonly at: number;
  readonly series: string;
  readonly value: number | null;
  readonly row?: Row;
}

/** The bars of a chart, by place and series. */
interface Bars<Row> {
  readonly categories: readonly Category[];
  readonly series: readonly string[];
  readonly bars: readonly Bar<Row>[];
}

/** Reads the bars, those without a value included, and refuses what cannot be drawn faithfully. */
function readBars<Row extends object>(rows: readonly Row[], options: BarOptions<Row>): Bars<Row> {
  const { title, stacked = false, low, high } = options;
  if (stacked && (low !== undefined || high !== undefined)) {
    throw cannotDraw(title, "low and high must be left out of stacked bars", `${low}, ${high}`);
  }
  const read = new Map<string, Omit<Bar<Row>, "at">>();
  for (const row of rows) {
    const bar = {
      category: categoryOf(row[options.category]),
      series: seriesOf(row, options),
      // A part that is missing would make its stack look whole.
      value: stacked ? needNumber(row, options.value, { title }) : readNumber(row, options.value, { title }),
      ...readInterval(row, options),
      row,
    };
    refuse(bar, options);
    const place = keyOf(bar);
    if (read.has(place)) {
      throw cannotDraw(title, "each bar must have one row", `two rows for ${bar.category} ${bar.series}`.trim());
    }
    read.set(place, bar);
  }
  const known = [...read.values()];
  needValues(known.map(({ value }) => value), { title, field: options.value });
  const categories = orderOf(known.map(({ category }) => category), { order: options.order, title, name: "order" });
  const names = distinctOf(known.map((bar) => bar.series));
  const empty = { value: null, low: null, high: null };
  const bars = categories.flatMap((category, at) =>
    names.map((name): Bar<Row> => {
      const place = { category, series: name };
      return { ...(read.get(keyOf(place)) ?? { ...place, ...empty }), at };
    })
  );
  return { categories, series: names, bars };
}

function refuse<Row extends object>({ value, low, high }: Omit<Bar<Row>, "at">, options: BarOptions<Row>): void {
  const { title, stacked = false, value: field, valueDomain: domain } = options;
  if (stacked && value !== null && value < 0) {
    throw cannotDraw(title, `${field} must be at least 0 in stacked bars`, value);
  }
  refuseInterval({ low, high }, { title });
  if (!stacked) refuseUnshowable(value, { title, field, domain });
}

function keyOf({ category, series }: { readonly category: Category; readonly series: string }): string {
  return JSON.stringify([category, series]);
}

function drawBars<Row extends object>(
  read: Bars<Row>,
  { options, look, frame }: {
    readonly options: BarOptions<Row>;
    readonly look: SeriesLook;
    readonly frame: FigureFrame;
  },
): Drawing {
  const { horizontal = false, stacked = false, valueDomain } = options;
  const names = read.categories.map(options.categoryLabel ?? categoryText);
  const lengths = lengthsOf(read, options);
  const { extent, left, width } = divideFrame(frame, horizontal ? names : endLabels(lengths, valueDomain));
  const beside = stacked ? 1 : read.series.length;
  const height = options.height ?? (horizontal ? Math.max(60, names.length * (beside * 14 + 10)) : 280);
  const category = bandOf(read.categories, {
    title: options.categoryTitle,
    label: options.categoryLabel,
    padding: !horizontal && width > names.length * 150 ? 0.5 : 0.25,
    ...(horizontal ? { extent } : { across: width }),
  });
  const value = positionOf(lengths, {
    title: options.valueTitle,
    spacing: "linear",
    zero: true,
    domain: valueDomain,
    ...(horizontal ? {} : { extent }),
  });
  return {
    left,
    body: { width, height, layer: barLayers(read, { options, look, category, value, legend: frame.legend }) },
  };
}

/** All that the axis of values has to show. */
function lengthsOf<Row>({ bars }: Bars<Row>, { stacked }: BarOptions<Row>): number[] {
  if (!stacked) return bars.flatMap(({ value, low, high }) => [value, low, high]).filter((value) => value !== null);
  const stacks = Map.groupBy(bars, ({ category }) => category).values();
  return stacks.map((parts) => parts.reduce((sum, { value }) => sum + (value ?? 0), 0)).toArray();
}

/** The name of the layer that holds the bars. */
const BARS = "bars";

interface BarLook<Row> {
  readonly options: BarOptions<Row>;
  readonly look: SeriesLook;
  /** Position channel of the places. */
  readonly category: Spec;
  /** Position channel of the values. */
  readonly value: Spec;
  readonly legend: Spec | null;
}

/** The layers of a bar chart: bars, intervals, values, and "n/a" for what is missing. */
function barLayers<Row extends object>(read: Bars<Row>, parts: BarLook<Row>): Spec[] {
  const { options, look } = parts;
  const values = read.bars.map((bar) => barDatum(bar, { options, look }));
  const given = values.filter(({ value }) => value !== null);
  const missing = options.stacked ? [] : values.filter(({ value }) => value === null);
  const ranged = given.filter(({ low, high }) => low !== null && high !== null);
  return [
    barLayer(given, parts),
    ...(ranged.length === 0 ? [] : intervalLayers(ranged, parts)),
    ...(options.showValues && !options.stacked
      ? [textLayer(alikeLabels(given), parts, { field: "label", color: INK })]
      : []),
    ...(missing.length === 0 ? [] : [textLayer(missing, parts, { field: "missing", color: SOFT_INK })]),
  ];
}

type Datum = ReturnType<typeof barDatum>;

/** Bars whose written values have the same decimals. */
function alikeLabels(values: readonly Datum[]): Datum[] {
  const text = alike(values.map(({ value }) => Number(value)));
  return values.map((datum) => ({ ...datum, label: text(Number(datum["value"])) }));
}

function barDatum<Row extends object>(
  bar: Bar<Row>,
  { options, look }: { readonly options: BarOptions<Row>; readonly look: SeriesLook },
): Readonly<Record<string, string | number | null>> {
  const { category, at, value, low, high, row } = bar;
  const categoryShown = plainText((options.categoryLabel ?? categoryText)(category));
  const { text, range } = describeValue(value, bar);
  const series = look.nameOf(bar.series);
  const about = `${categoryShown}${options.series === undefined ? "" : `, ${series}`}: ${text}`;
  const end = high !== null && low !== null ? high : value;
  const texts = { categoryShown, label: shown(value), missing: "n/a", about, ...range };
  return {
    ...{ at, series, value, low, high, end },
    ...texts,
    ...(row === undefined ? {} : tipValues(row, options.tooltips)),
  };
}

/** Names the channels of a mark, by whether bars are vertical or horizontal. */
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
  const { series, seriesTitle = "Series", categoryTitle, valueTitle, interval = "Interval", stacked } = options;
  const own = {
    categoryShown: categoryTitle,
    ...(series === undefined ? {} : { series: seriesTitle }),
    label: valueTitle,
    ...(values.some((value) => "range" in value) ? { range: interval } : {}),
  };
  return {
    name: BARS,
    data: { values },
    mark: { type: "bar", ...(stacked ? { stroke: "white", strokeWidth: 0.75 } : {}) },
    encoding: {
      ...placed(parts, { field: "value", stack: stacked === true }),
      color: colourChannel(look, legend),
      ...(stacked ? { order: { field: "rank", type: "quantitative" } } : {}),
      opacity: fading(1, 0.15),
      tooltip: tips(own, options.tooltips),
      description: { field: "about", type: "nominal" },
    },
    ...(stacked
      ? { transform: [{ calculate: `indexof(${JSON.stringify(look.names)}, datum.series)`, as: "rank" }] }
      : {}),
  };
}

/** Thin lines with a white rim, as the ends of bars may be dark. */
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
