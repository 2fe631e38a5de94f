import { type Chart, type Field, type FigureOptions, WIDTH } from "./figure.ts";
import { alike, capitalised, keyTexts, numberText, plainText, textWidth } from "./text_fit.ts";
import {
  type Domain,
  LABEL_SIZE,
  type LegendPlace,
  type Palette,
  seriesColours,
  seriesShapes,
  type Spec,
} from "./theme.ts";
import { originMark } from "@/lib/statistics/mod.ts";

/** Options that all charts share. */
export interface ChartOptions<Row> extends FigureOptions {
  /** More fields for the tooltip, by label. */
  readonly tooltips?: Tooltips<Row>;
  /** Height of the chart without its texts, in pixels; set by the kind of chart if left out. */
  readonly height?: number;
}

/** Additional tooltip fields, by label. */
export type Tooltips<Row> = Readonly<Record<string, Field<Row>>>;

/** Options of charts with series. */
export interface SeriesOptions<Row> extends ChartOptions<Row> {
  /** The field that names the series of a row: a line, a group of points, the bars of one colour; one series if left out. */
  readonly series?: Field<Row>;
  /** What the series are, over the legend. */
  readonly seriesTitle?: string;
  /**
   * Colours: distinct, in viridis order, or a list.
   *
   * @default {"distinct"}
   */
  readonly palette?: Palette | readonly string[];
}

/** Options of charts that show an interval around each value. */
export interface IntervalOptions<Row> extends FigureOptions {
  /** The field of the lower end of the interval. */
  readonly low?: Field<Row>;
  /** The field of the upper end of the interval. */
  readonly high?: Field<Row>;
}

/** Options of charts of two numbers. */
export interface PlaneOptions<Row> extends SeriesOptions<Row> {
  /** The field of the horizontal axis, a number; in a scatter chart also `null`. */
  readonly x: Field<Row>;
  /** The field of the vertical axis, a number, or `null` where there is none. */
  readonly y: Field<Row>;
  /** The horizontal axis with its unit, such as `"Context length (tokens)"`. */
  readonly xTitle: string;
  /** The vertical axis with its unit, such as `"Score (%)"`. */
  readonly yTitle: string;
  /** How the horizontal axis is divided; `"lengths"` in a line chart, `"linear"` in a scatter chart if left out. */
  readonly xSpacing?: Spacing;
  /**
   * How the vertical axis is divided.
   *
   * @default {"linear"}
   */
  readonly ySpacing?: "linear" | "log";
  /** The ends of the horizontal axis; every x must be inside. */
  readonly xDomain?: Domain;
  /** The ends of the vertical axis; every y must be inside, intervals are cut at them. */
  readonly yDomain?: Domain;
}

/**
 * How an axis is divided:
 * - *linear*: equal steps are equal differences
 * - *log*: equal steps are equal ratios, labelled in powers of ten
 * - *lengths*: equal steps are doublings, labelled `4K` to `1M`
 * - *steps*: the values that occur, evenly spaced
 */
export type Spacing = "linear" | "log" | "lengths" | "steps";

/** A value on an axis of names. */
export type Category = string | number;

/** Checks what every chart needs before any row is read. */
export function checkFigure(rows: readonly unknown[], options: FigureOptions): void {
  const { title, caption, width = WIDTH } = options;
  for (const [name, text] of [["title", title], ["caption", caption]] as const) {
    if (plainText(text) === "") {
      throw new RangeError(`Cannot draw a chart as ${name} must say something: current value is ""`);
    }
  }
  if (rows.length === 0) throw cannotDraw(title, "rows must hold at least one", 0);
  if (!(width >= 200 && width <= 2000)) throw cannotDraw(title, "width must be in [200, 2000]", width);
}

/** The error that refuses a figure by its title. */
export function cannotDraw(title: string, wanted: string, value: unknown): RangeError {
  const shown = typeof value === "string" ? `"${plainText(value, 60)}"` : String(value);
  return new RangeError(`Cannot draw "${plainText(title, 60)}" as ${wanted}: current value is ${shown}`);
}

/** Reads a number of a row; `null` stays `null`, anything else is refused. */
export function readNumber<Row>(row: Row, field: Field<Row>, { title }: { readonly title: string }): number | null {
  const value: unknown = row[field];
  if (value === null || value === undefined) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const error = cannotDraw(title, `${field} must be a finite number or null`, value);
    throw typeof value === "number" ? error : new TypeError(error.message);
  }
  return value;
}

/** Reads a number that must be there. */
export function needNumber<Row>(row: Row, field: Field<Row>, { title }: { readonly title: string }): number {
  const value = readNumber(row, field, { title });
  if (value === null) throw cannotDraw(title, `${field} must be a number in every row`, value);
  return value;
}

/** Refuses rows without any value. */
export function needValues(
  values: readonly (number | null)[],
  { title, field }: { readonly title: string; readonly field: string },
): void {
  if (values.some((value) => value !== null)) return;
  throw cannotDraw(title, `${field} must be a number in one row or more`, null);
}

/** The ends of an interval, or of none. */
export interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

export function readInterval<Row>(row: Row, options: IntervalOptions<Row>): Interval {
  const { low, high } = options;
  return {
    low: low === undefined ? null : readNumber(row, low, options),
    high: high === undefined ? null : readNumber(row, high, options),
  };
}

/** Refuses an interval whose ends are swapped, or that a logarithmic axis could not show. */
export function refuseInterval(
  { low, high }: Interval,
  { title, spacing }: { readonly title: string; readonly spacing?: Spacing | undefined },
): void {
  if (low === null || high === null) return;
  if (low > high) throw cannotDraw(title, `low must be at most high (${high})`, low);
  refuseUnshowable(low, { title, field: "low", spacing });
}

/** Refuses a value that its axis could not show. */
export function refuseUnshowable(
  value: number | null,
  options: {
    readonly title: string;
    readonly field: string;
    readonly domain?: Domain | undefined;
    readonly spacing?: Spacing | undefined;
  },
): void {
  const { title, field, domain, spacing } = options;
  if (value === null) return;
  if ((spacing === "log" || spacing === "lengths") && value <= 0) {
    throw cannotDraw(title, `${field} must be above 0 on a logarithmic axis`, value);
  }
  if (domain !== undefined && (value < domain[0] || value > domain[1])) {
    throw cannotDraw(title, `${field} must be in the domain [${domain.join(", ")}] of its axis`, value);
  }
}

/** Adds how the interval is drawn to its name; refuses an interval without a name. */
export function nameInterval<Row>(options: IntervalOptions<Row>, drawnAs: string): FigureOptions {
  const { title, low, high, interval } = options;
  if (low === undefined || high === undefined) return options;
  if (interval === undefined) throw cannotDraw(title, "interval must say what low and high are", interval);
  return { ...options, interval: `${drawnAs}: ${interval}` };
}

/** A value and its interval in words, with the same decimals, and the interval as a field for the tooltip. */
export function describeValue(
  value: number | null,
  { low, high }: Interval,
): { readonly text: string; readonly range: { readonly range?: string } } {
  if (low === null || high === null) return { text: shown(value), range: {} };
  const text = alike(value === null ? [low, high] : [value, low, high]);
  const range = `${text(low)} to ${text(high)}`;
  return { text: `${value === null ? shown(value) : text(value)} (${range})`, range: { range } };
}

/** Formats a value: a number rounded, text made plain, nothing as a dash. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "number" && Number.isFinite(value) ? numberText(value) : plainText(String(value));
}

/** The additional tooltip values of a row, under reserved names. */
export function tipValues<Row>(row: Row, tooltips: Tooltips<Row> = {}): Record<string, string> {
  return Object.fromEntries(Object.values(tooltips).map((field, index) => [`tip${index}`, shown(row[field])]));
}

/**
 * The tooltip of a mark: its own lines first, then the additional ones.
 *
 * Subtle: the tooltip of a notebook draws a line titled `image` as a picture loaded from its value, and one titled
 * `title` as a heading; a capital letter makes them ordinary lines.
 */
export function tips<Row>(own: Readonly<Record<string, string>>, tooltips: Tooltips<Row> = {}): Spec[] {
  const lines = [
    ...Object.entries(own),
    ...Object.keys(tooltips).map((title, index) => [`tip${index}`, title] as const),
  ];
  const titles = keyTexts(lines.map(([, title]) => capitalised(plainText(title))));
  return lines.map(([field], index) => ({ field, type: "nominal", title: titles[index] }));
}

/** The distinct values of a list, in the order they come. */
export function distinctOf<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** The least and the greatest of some numbers, however many they are. */
export function endsOf(values: readonly number[]): Domain {
  return values.reduce<Domain>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ]);
}

/** The ends of a colour scale; one value alone has no range, and is shown as the greatest. */
export function colourDomain(values: readonly number[]): Domain {
  const [low, high] = endsOf(values);
  return low === high ? [low - 1, high] : [low, high];
}

/** The category that a field of a row names. */
export function categoryOf(value: unknown): Category {
  return typeof value === "number" ? value : String(value ?? "");
}

/** The distinct categories in their order: the one given, else numbers ascending and text as it comes. */
export function orderOf(
  values: readonly Category[],
  { order, title, name }: {
    readonly order: readonly Category[] | undefined;
    readonly title: string;
    readonly name: string;
  },
): readonly Category[] {
  const kinds = distinctOf(values);
  const missing = order === undefined ? undefined : kinds.find((kind) => !order.includes(kind));
  if (missing !== undefined) throw cannotDraw(title, `${name} must hold every value of its axis`, `no ${missing}`);
  if (order !== undefined) return distinctOf(order);
  return kinds.every((kind) => typeof kind === "number")
    ? kinds.sort((left, right) => Number(left) - Number(right))
    : kinds;
}

/** The series a row belongs to; all rows are of one where no field names it. */
export function seriesOf<Row>(row: Row, { series }: SeriesOptions<Row>): string {
  return series === undefined ? "" : String(row[series] ?? "");
}

/** The series of a chart: their names as shown, how they look, and their legend. */
export interface SeriesLook {
  readonly names: readonly string[];
  readonly colours: readonly string[];
  readonly shapes: readonly string[];
  /** The shown name of a series of the rows. */
  readonly nameOf: (series: string) => string;
  readonly colourOf: (series: string) => string | undefined;
  readonly legend: Pick<Chart, "legendKey" | "legendFor">;
}

export function lookOf<Row>(series: readonly string[], options: SeriesOptions<Row>): SeriesLook {
  const { palette = "distinct", origin } = options;
  const kinds = distinctOf(series);
  const names = keyTexts(
    kinds.map((kind) => kind + originMark(kind, typeof origin === "object" ? origin[kind] : undefined)),
  );
  const colours = typeof palette === "string"
    ? seriesColours(kinds.length, palette)
    : kinds.map((_, index) => palette[index % palette.length]!);
  return {
    names,
    colours,
    shapes: seriesShapes(kinds.length),
    nameOf: (kind) => names[kinds.indexOf(kind)]!,
    colourOf: (kind) => colours[kinds.indexOf(kind)],
    legend: options.series === undefined ? { legendFor: () => ({ legend: null, room: 12 }) } : {
      legendKey: JSON.stringify([names, colours, options.seriesTitle]),
      legendFor: (width) => legendOf(names, { title: options.seriesTitle ?? "", width }),
    },
  };
}

/** Charts narrower than this, in pixels, have their legends below. */
const NARROW = 450;

/** A legend beside the chart while its names are short, under it where they are not. */
function legendOf(
  names: readonly string[],
  { title, width }: { readonly title: string; readonly width: number },
): LegendPlace {
  const widest = Math.max(
    textWidth(plainText(title), LABEL_SIZE, "bold"),
    ...names.map((name) => textWidth(plainText(name), LABEL_SIZE)),
  );
  const shared = { title: title === "" ? null : plainText(title), symbolOpacity: 1 };
  const beside = width >= NARROW && widest + 45 <= width / 3 && names.length <= 18;
  if (beside) return { legend: shared, room: Math.ceil(widest + 48) };
  const labelLimit = width - 100;
  const columns = Math.max(1, Math.floor((width - 60) / (Math.min(widest, labelLimit) + 35)));
  return { legend: { ...shared, labelLimit, orient: "bottom", direction: "horizontal", columns, offset: 10 }, room: 0 };
}

/** The channel that colours series. */
export function colourChannel({ names, colours }: SeriesLook, legend: Spec | null): Spec {
  return { field: "series", type: "nominal", scale: { domain: names, range: colours }, legend };
}
