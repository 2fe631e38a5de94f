import type { Category } from "./_categories.ts";
import type { ColourScheme } from "./_colours.ts";
import type { Domain, Tooltips } from "./_rows.ts";
import type { Field, FigureOptions } from "./figure.ts";

/** Options for a heatmap. */
export interface HeatmapOptions<Row> extends FigureOptions {
  /** The field of the columns: text or numbers. */
  readonly x: Field<Row>;
  /** The field of the rows, drawn from top to bottom: text or numbers. */
  readonly y: Field<Row>;
  /** The field of the colour: a number, or `null` for a grey cell. */
  readonly value: Field<Row>;
  /** What the columns are, with their unit. */
  readonly xTitle: string;
  /** What the rows are, with their unit. */
  readonly yTitle: string;
  /** What the colour is, with its unit. */
  readonly valueTitle: string;
  /** The columns from left to right; numbers ascending, text as it comes, if left out. */
  readonly xOrder?: readonly Category[];
  /** The rows from top to bottom; numbers ascending, text as it comes, if left out. */
  readonly yOrder?: readonly Category[];
  /** How a column is written, such as `lengthLabel`. */
  readonly xLabel?: (value: Category) => string;
  /** How a row is written. */
  readonly yLabel?: (value: Category) => string;
  /** How far the labels of the columns are turned, in degrees clockwise; as far as they need, if left out. */
  readonly xLabelAngle?: number;
  /** Columns and rows whose labels are red, and what that means. */
  readonly highlighted?: { readonly values: readonly Category[]; readonly means: string };
  /**
   * How a value becomes a colour.
   *
   * @default {"viridis"}
   */
  readonly colours?: ColourScheme;
  /** The values of the first and the last colour; the least and greatest value if left out. */
  readonly domain?: Domain;
  /** Whether the cells hold their values as text. */
  readonly showValues?: boolean;
  /** Whether a white line shows the mean of each column, from the lower end of the domain (bottom) to the upper (top). */
  readonly columnMeans?: boolean;
  /** Further fields to show on hovering, by what to call them. */
  readonly tooltips?: Tooltips<Row>;
  /** Height of the cells together, in pixels; by their number if left out. */
  readonly height?: number;
}
