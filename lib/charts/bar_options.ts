import type { Category } from "./_categories.ts";
import type { Domain, Tooltips } from "./_rows.ts";
import type { Palette } from "./_theme.ts";
import type { Field, FigureOptions } from "./figure.ts";

/** Options for a bar chart. */
export interface BarOptions<Row> extends FigureOptions {
  /** The field that names the place of a bar: text or a number. */
  readonly category: Field<Row>;
  /** The field of a bar's length: a number, or `null` where there is none. */
  readonly value: Field<Row>;
  /** The field that names the bars or parts of one place; one bar a place if left out. */
  readonly series?: Field<Row>;
  /** What the places are, with their unit. */
  readonly categoryTitle: string;
  /** What the length of a bar is, with its unit. */
  readonly valueTitle: string;
  /** What the series are, over the legend. */
  readonly seriesTitle?: string;
  /**
   * Whether the series of a place are parts of one bar rather than bars side by side.
   *
   * @default {false}
   */
  readonly stacked?: boolean;
  /**
   * Whether bars lie, which leaves room for long names.
   *
   * @default {false}
   */
  readonly horizontal?: boolean;
  /** The field of the lower end of the interval round the value; not for stacked bars. */
  readonly low?: Field<Row>;
  /** The field of the upper end of the interval round the value. */
  readonly high?: Field<Row>;
  /** The places in their order; numbers ascending, text as it comes, if left out. */
  readonly order?: readonly Category[];
  /** How a place is written. */
  readonly categoryLabel?: (value: Category) => string;
  /** How far the names of the places are turned, in degrees clockwise; as far as they need, if left out. */
  readonly labelAngle?: number;
  /** The ends of the axis of values; from 0 if left out. */
  readonly valueDomain?: Domain;
  /** Whether bars carry their values as text. */
  readonly showValues?: boolean;
  /**
   * Colours: as different as can be, in viridis order, or a list.
   *
   * @default {"distinct"}
   */
  readonly palette?: Palette | readonly string[];
  /** Further fields to show on hovering, by what to call them. */
  readonly tooltips?: Tooltips<Row>;
  /** Height of the chart without its texts, in pixels; 280, or by the number of bars where they lie. */
  readonly height?: number;
}
