import {
  type Chart,
  type Field,
  type Figure,
  type FigureFrame,
  type FigureOptions,
  makeFigure,
  WIDTH,
} from "./figure.ts";
import { capitalised, keyTexts, numberText, plainText, sharedFormat, textWidth } from "./text_fit.ts";
import {
  type Domain,
  LABEL_SIZE,
  type LegendPlace,
  NARROW,
  type Palette,
  seriesColours,
  seriesShapes,
  type Spec,
} from "./theme.ts";
import { originMark, statedInterval } from "@/lib/statistics/mod.ts";

/** Options that all charts share. */
export interface ChartOptions<Row> extends FigureOptions {
  /** Additional fields for the tooltip, by label. */
  readonly tooltips?: Readonly<Record<string, Field<Row>>>;
  /** Height of the chart without its texts, in pixels; the default depends on the kind of chart. */
  readonly height?: number;
}

/** Options of charts with series. */
export interface SeriesOptions<Row> extends ChartOptions<Row> {
  /** The field that names the series of a row: a line, a group of points, the bars of one colour; by default one series. */
  readonly series?: Field<Row>;
  readonly seriesTitle?: string;
  /** Colours: distinct, ordered, a list, or by name; "distinct" by default. */
  readonly palette?: Palette;
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
  /** The field of the vertical axis, a number or `null`. */
  readonly y: Field<Row>;
  /** The horizontal axis with its unit, such as `"Context length (tokens)"`. */
  readonly xTitle: string;
  /** The vertical axis with its unit, such as `"Score (%)"`. */
  readonly yTitle: string;
  /**
   * The scale of the horizontal axis, `"lengths"` in a line chart and `"linear"` in a scatter chart by default:
   * - *linear*: equal steps are equal differences
   * - *log*: equal steps are equal ratios, labelled in powers of ten
   * - *lengths*: equal steps are doublings, labelled `4K` to `1M`
   * - *steps*: the values that occur, evenly spaced
   */
  readonly xSpacing?: "linear" | "log" | "lengths" | "steps";
  /** The scale of the vertical axis; "linear" by default. */
  readonly ySpacing?: "linear" | "log";
  /** The ends of the horizontal axis; every x must be inside. */
  readonly xDomain?: Domain;
  /** The ends of the vertical axis; every y must be inside, intervals are clipped. */
  readonly yDomain?: Domain;
}

/** The scale of an axis. */
export type Spacing = NonNullable<PlaneOptions<object>["xSpacing"]>;

/** A value on an axis of names. */
export type Category = string | number;

/** Checks what every figure needs before any row is read. */
export function checkFigure(rows: readonly unknown[], options: FigureOptions): void {
  const { title, caption, width = WIDTH } = options;
  for (const [name, text] of [["title", title], ["caption", caption]] as const) {
    if (plainText(text) === "") {
      throw new RangeError(`Cannot draw a chart as ${name} must not be empty: current value is ""`);
    }
  }
  if (rows.length === 0) throw cannotDraw(title, "rows must hold at least one", 0);
  if (!(width >= 200 && width <= 2000)) throw cannotDraw(title, "width must be in [200, 2000]", width);
}

/** Returns the error that refuses a figure. */
export function cannotDraw(title: string, wanted: string, value: unknown): RangeError {
  const shown = typeof value === "string" ? `"${plainText(value, 60)}"` : String(value);
  return new RangeError(`Cannot draw "${plainText(title, 60)}" as ${wanted}: current value is ${shown}`);
}

/** Reads a number of a row. Throws a `TypeError` for anything but a number or `null`. */
export function readNumber<Row>(row: Row, field: Field<Row>, title: string): number | null {
  const value: unknown = row[field];
  if (value === null || value === undefined) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const error = cannotDraw(title, `${field} must be a finite number or null`, value);
    throw typeof value === "number" ? error : new TypeError(error.message);
  }
  return value;
}

export function needNumber<Row>(row: Row, field: Field<Row>, title: string): number {
  const value = readNumber(row, field, title);
  if (value === null) throw cannotDraw(title, `${field} must be a number in every row`, value);
  return value;
}

export function needValues(values: readonly (number | null)[], field: string, title: string): void {
  if (values.every((value) => value === null)) {
    throw cannotDraw(title, `${field} must be a number in one row or more`, null);
  }
}

/** Both ends of an interval; `null` if there is none. */
export interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

export function readInterval<Row>(
  row: Row,
  { title, low, high }: Pick<IntervalOptions<Row>, "title" | "low" | "high">,
): Interval {
  const read = (field: Field<Row> | undefined): number | null =>
    field === undefined ? null : readNumber(row, field, title);
  return statedInterval({ ...row, low: read(low), high: read(high) });
}

/** Formats an interval as ` [65.1, 91.9]`; empty if none is stated. */
export function intervalText(row: Parameters<typeof statedInterval>[0], digits = 1): string {
  const { low, high } = statedInterval(row);
  return low === null || high === null ? "" : ` [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
}

/** Refuses an interval whose ends are swapped, or that a logarithmic axis cannot show. */
export function checkInterval({ low, high }: Interval, title: string, spacing?: Spacing): void {
  if (low === null || high === null) return;
  if (low > high) throw cannotDraw(title, `low must be at most high (${high})`, low);
  checkValue(low, { title, field: "low", spacing });
}

/** Refuses a value that its axis cannot show. */
export function checkValue(
  value: number | null,
  { title, field, domain, spacing }: {
    readonly title: string;
    readonly field: string;
    readonly domain?: Domain | undefined;
    readonly spacing?: Spacing | undefined;
  },
): void {
  if (value === null) return;
  if ((spacing === "log" || spacing === "lengths") && value <= 0) {
    throw cannotDraw(title, `${field} must be above 0 on a logarithmic axis`, value);
  }
  if (domain !== undefined && (value < domain[0] || value > domain[1])) {
    throw cannotDraw(title, `${field} must be in the domain [${domain.join(", ")}] of its axis`, value);
  }
}

/** Formats a value and its interval with the same decimals; also returns the interval as a field for the tooltip. */
export function describeValue(
  value: number | null,
  { low, high }: Interval,
): { readonly text: string; readonly range: { readonly range?: string } } {
  if (low === null || high === null) return { text: shown(value), range: {} };
  const text = sharedFormat(value === null ? [low, high] : [value, low, high]);
  const range = `${text(low)} to ${text(high)}`;
  return { text: `${value === null ? shown(value) : text(value)} (${range})`, range: { range } };
}

/** Formats a value: a rounded number, plain text, or a dash. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "number" && Number.isFinite(value) ? numberText(value) : plainText(String(value));
}

/** Returns the additional tooltip values of a row, under reserved names. */
export function tipValues<Row>(row: Row, { tooltips = {} }: ChartOptions<Row>): Record<string, string> {
  return Object.fromEntries(Object.values(tooltips).map((field, index) => [`tip${index}`, shown(row[field])]));
}

/** Returns what a mark stands for, for screen readers and the tooltip of a picture: its own line, then the additional ones. */
export function describe<Row>(about: string, row: Row, { tooltips = {} }: Pick<ChartOptions<Row>, "tooltips">): string {
  const more = Object.entries(tooltips).map(([title, field]) =>
    `${capitalised(plainText(title))}: ${shown(row[field])}`
  );
  return [about, ...more.filter((line) => !line.endsWith(": –"))].join("\n");
}

/**
 * Returns the tooltip of a mark: its own lines first, then the additional ones.
 *
 * Subtle: the tooltip of a notebook draws a line titled `image` as a picture loaded from its value, and one titled
 * `title` as a heading; a capital letter makes them ordinary lines.
 */
export function tips(own: Readonly<Record<string, string>>, tooltips: Readonly<Record<string, string>> = {}): Spec[] {
  const lines = [
    ...Object.entries(own),
    ...Object.keys(tooltips).map((title, index) => [`tip${index}`, title] as const),
  ];
  const titles = keyTexts(lines.map(([, title]) => capitalised(plainText(title))));
  return lines.map(([field], index) => ({ field, type: "nominal", title: titles[index] }));
}

export function distinctOf<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

export function endsOf(values: readonly number[]): Domain {
  return values.reduce<Domain>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ]);
}

/** Returns the ends of a colour scale; a single value has the colour of the highest. */
export function colourDomain(values: readonly number[]): Domain {
  const [low, high] = endsOf(values);
  return low === high ? [low - 1, high] : [low, high];
}

export function categoryOf(value: unknown): Category {
  return typeof value === "number" ? value : String(value ?? "");
}

/** Returns the distinct categories in the given order; by default numbers ascending, and text in order of appearance. */
export function orderOf(
  values: readonly Category[],
  order: readonly Category[] | undefined,
  { title, name }: { readonly title: string; readonly name: string },
): readonly Category[] {
  const kinds = distinctOf(values);
  if (order === undefined) {
    const isNumeric = kinds.every((kind) => typeof kind === "number");
    return isNumeric ? kinds.sort((left, right) => Number(left) - Number(right)) : kinds;
  }
  const missing = kinds.find((kind) => !order.includes(kind));
  if (missing !== undefined) throw cannotDraw(title, `${name} must hold every value of its axis`, `no ${missing}`);
  return distinctOf(order);
}

/** Returns the series of a row; without a field for it all rows are of one series. */
export function seriesOf<Row>(row: Row, { series }: SeriesOptions<Row>): string {
  return series === undefined ? "" : String(row[series] ?? "");
}

/** The series of a chart, their shown names, colours and shapes. */
export interface SeriesStyle {
  readonly series: readonly string[];
  readonly names: readonly string[];
  readonly colours: readonly string[];
  readonly shapes: readonly string[];
}

export interface SeriesParts<Options> {
  readonly options: Options;
  readonly style: SeriesStyle;
  readonly frame: FigureFrame;
}

/** A kind of chart with series: its notes and the layer that a legend picks from, and how it draws its marks. */
interface SeriesChart<Mark, Options> extends Pick<Chart, "notes" | "view" | "axes" | "yEnds"> {
  /** Whether marks are areas, and not points of a shape. */
  readonly isArea?: boolean;
  /** The marks, whose series are not yet named. */
  readonly marks: readonly Mark[];
  /** How intervals are drawn, for the note. */
  readonly drawnAs?: string;
  readonly labelsFor?: (names: readonly string[], width: number, isAlone: boolean) => LegendPlace | null;
  readonly draw: (marks: readonly Mark[], parts: SeriesParts<Options>) => ReturnType<Chart["draw"]>;
}

/** Makes a chart with series: names and colours them, adds the legend, and notes how intervals are drawn. */
export function seriesChart<Row, Mark extends { readonly series: string }, Options extends SeriesOptions<Row>>(
  rows: readonly Row[],
  options: Options & IntervalOptions<Row>,
  { marks, drawnAs, notes = [], view, axes, yEnds, isArea = false, labelsFor, draw }: SeriesChart<Mark, Options>,
): Figure {
  const { title, low, high, interval, palette = "distinct", origin, series, seriesTitle = "" } = options;
  const isRanged = drawnAs !== undefined && low !== undefined && high !== undefined;
  const kinds = distinctOf(rows.map((row) => seriesOf(row, options)));
  const names = keyTexts(
    kinds.map((kind) => kind + originMark(kind, typeof origin === "object" ? origin[kind] : undefined)),
  );
  const colours = seriesColours(kinds, palette);
  const style = { series: kinds, names, colours, shapes: seriesShapes(kinds.length) };
  const named = marks.map((mark) => ({ ...mark, series: names[kinds.indexOf(mark.series)]! }));
  if (isRanged && interval === undefined) throw cannotDraw(title, "interval must describe low and high", interval);
  return makeFigure(isRanged ? { ...options, interval: `${drawnAs}: ${interval}` } : options, {
    notes,
    ...(view === undefined ? {} : { view }),
    ...(axes === undefined ? {} : { axes }),
    ...(yEnds === undefined ? {} : { yEnds }),
    ...(series === undefined ? { legendFor: () => ({ legend: null, room: 12 }) } : {
      legend: {
        title: plainText(seriesTitle),
        keys: names.map((name, at) => ({ name, colour: colours[at]!, shape: isArea ? "square" : style.shapes[at]! })),
      },
      legendFor: (width) => legendOf(names, seriesTitle, width),
    }),
    ...(labelsFor === undefined ? {} : { labelsFor: (width, isAlone) => labelsFor(names, width, isAlone) }),
    draw: (frame) => draw(named, { options, style, frame }),
  });
}

/** Places a legend beside the chart if its names are short, else below. */
function legendOf(names: readonly string[], title: string, width: number): LegendPlace {
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

/** Returns the channel that colours series. */
export function colourChannel({ names, colours }: SeriesStyle, legend: Spec | null): Spec {
  return { field: "series", type: "nominal", scale: { domain: names, range: colours }, legend };
}
