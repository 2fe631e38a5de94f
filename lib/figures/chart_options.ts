import type { Domain } from "./theme.ts";
import type { Palette } from "./colours.ts";
import type { Field, FigureOptions } from "./figure.ts";

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
  readonly low?: Field<Row>;
  readonly high?: Field<Row>;
  /**
   * The number of samples of each value, or its field: a score in percent without an interval has the widest that these allow. A mean
   * of tasks has the samples of all of them.
   */
  readonly samples?: Field<Row> | number;
}

/** Options of charts of two numbers. */
export interface PlaneOptions<Row> extends SeriesOptions<Row> {
  /** The field of the horizontal axis, a number. */
  readonly x: Field<Row>;
  /** The field of the vertical axis, a number or `null`. */
  readonly y: Field<Row>;
  /** The horizontal axis with its unit, such as `"Context length (tokens)"`. */
  readonly xTitle: string;
  /** The vertical axis with its unit, such as `"Score (%)"`. */
  readonly yTitle: string;
  /**
   * The scale of the horizontal axis, `"lengths"` by default:
   * - *linear*: equal steps are equal differences
   * - *log*: equal steps are equal ratios, labelled in powers of ten
   * - *lengths*: equal steps are doublings, labelled `4K` to `1M`
   * - *steps*: the values that occur, evenly spaced
   */
  readonly xSpacing?: "linear" | "log" | "lengths" | "steps";
  /** The scale of the vertical axis; "linear" by default. */
  readonly ySpacing?: "linear" | "log";
  /** The ends of the vertical axis; every y must be inside, intervals are clipped. */
  readonly yDomain?: Domain;
}

export type Spacing = NonNullable<PlaneOptions<object>["xSpacing"]>;

/** A value on an axis of names. */
export type Category = string | number;
