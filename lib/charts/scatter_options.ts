import type { Domain, Tooltips } from "./_rows.ts";
import type { Palette } from "./_theme.ts";
import type { Field, FigureOptions } from "./figure.ts";

/** Options for a scatter chart. */
export interface ScatterOptions<Row> extends FigureOptions {
  /** The field of the horizontal axis: a number, or `null` where there is none. */
  readonly x: Field<Row>;
  /** The field of the vertical axis: a number, or `null` where there is none. */
  readonly y: Field<Row>;
  /** The field that names the group a point belongs to. */
  readonly series?: Field<Row>;
  /** The field whose text stands beside each point. */
  readonly label?: Field<Row>;
  /** The horizontal axis with its unit. */
  readonly xTitle: string;
  /** The vertical axis with its unit. */
  readonly yTitle: string;
  /** What the series are, over the legend. */
  readonly seriesTitle?: string;
  /**
   * How the horizontal axis is divided.
   *
   * @default {"linear"}
   */
  readonly xSpacing?: "linear" | "log" | "lengths";
  /**
   * How the vertical axis is divided.
   *
   * @default {"linear"}
   */
  readonly ySpacing?: "linear" | "log";
  /** The ends of the horizontal axis; every x must be inside. */
  readonly xDomain?: Domain;
  /** The ends of the vertical axis; every y must be inside. */
  readonly yDomain?: Domain;
  /** What it means to lie on the line where x equals y; no such line if left out. */
  readonly diagonal?: string;
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
   * @default {320}
   */
  readonly height?: number;
}
