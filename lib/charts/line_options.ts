import type { Spacing } from "./_axis.ts";
import type { Domain, Tooltips } from "./_rows.ts";
import type { Palette } from "./_theme.ts";
import type { Threshold } from "./_threshold.ts";
import type { Field, FigureOptions } from "./figure.ts";

/** Options for a line chart. */
export interface LineOptions<Row> extends FigureOptions {
  /** The field of the horizontal axis, a number in every row. */
  readonly x: Field<Row>;
  /** The field of the vertical axis, a number or `null` for a gap. */
  readonly y: Field<Row>;
  /** The field that names the line a row belongs to; one line if left out. */
  readonly series?: Field<Row>;
  /** The horizontal axis with its unit, such as `"Context length (tokens)"`. */
  readonly xTitle: string;
  /** The vertical axis with its unit, such as `"Score (%)"`. */
  readonly yTitle: string;
  /** What the series are, over the legend. */
  readonly seriesTitle?: string;
  /** The field of the lower end of the interval round y. */
  readonly low?: Field<Row>;
  /** The field of the upper end of the interval round y. */
  readonly high?: Field<Row>;
  /**
   * How the interval is drawn.
   *
   * @default {"band"}
   */
  readonly intervalAs?: "band" | "bars";
  /**
   * How the horizontal axis is divided.
   *
   * @default {"lengths"}
   */
  readonly xSpacing?: Spacing;
  /**
   * How the vertical axis is divided.
   *
   * @default {"linear"}
   */
  readonly ySpacing?: "linear" | "log";
  /** How a value of the horizontal axis is written. */
  readonly xLabel?: (value: number) => string;
  /** The ends of the horizontal axis; every x must be inside. */
  readonly xDomain?: Domain;
  /** The ends of the vertical axis; every y must be inside, intervals are cut at them. */
  readonly yDomain?: Domain;
  /** Lines across the chart, such as a score to reach. */
  readonly thresholds?: readonly Threshold[];
  /** Where lines are dashed, and what that means. The stretch that leads to a row for which `when` holds is dashed. */
  readonly dashed?: { readonly when: (row: Row) => boolean; readonly means: string };
  /**
   * Colours: as different as can be, in viridis order, or a list.
   *
   * @default {"distinct"}
   */
  readonly palette?: Palette | readonly string[];
  /** Further fields to show on hovering, by what to call them. */
  readonly tooltips?: Tooltips<Row>;
  /**
   * Height of the chart without its texts, in pixels.
   *
   * @default {300}
   */
  readonly height?: number;
}
