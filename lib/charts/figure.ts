import type { Origin } from "@/lib/analysis/mod.ts";

/** The name under which a Jupyter kernel looks for the pictures of an object. */
export const JUPYTER_DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** One output in several forms, by MIME type; a reader shows the best it knows. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** A Vega-Lite specification as plain JSON. */
export type Spec = Readonly<Record<string, unknown>>;

/** The fields of a row. */
export type Field<Row> = Extract<keyof Row, string>;

/** What every figure must say of itself. */
export interface FigureOptions {
  /** The finding, as a sentence without its full stop. */
  readonly title: string;
  /** How to read the figure. */
  readonly caption: string;
  /** Samples behind each mark: a number, or words such as `"n = 25 to 500 samples a point"`. */
  readonly n: number | string;
  /** Where the numbers come from; by series where they come from several places. */
  readonly origin: Origin | Readonly<Record<string, Origin>>;
  /** What the bands or bars round a value are, such as `"95% interval"`; needed where there are any. */
  readonly interval?: string;
  /**
   * Width of the whole picture, in pixels. Range: 200 to 2,000.
   *
   * @default {700}
   */
  readonly width?: number;
}

/** A legend and the room it takes beside its chart, in pixels. */
export interface LegendPlace {
  /** The legend as Vega-Lite has it; `null` for none. */
  readonly legend: Spec | null;
  /** The room beside the chart that it takes, in pixels. */
  readonly room: number;
}

/** The room a chart is drawn in. */
export interface Frame extends LegendPlace {
  /** From the outer edge of the left axis to the right end, the legend's room included, in pixels. */
  readonly width: number;
}

/** A chart drawn to a width, without title, note and caption. */
export interface Drawing {
  /** A Vega-Lite view. */
  readonly body: Spec;
  /** From the outer edge of the left axis to the origin, in pixels. */
  readonly left: number;
}

/** What a figure is put together from, so that several can be put together into one. */
export interface FigureParts {
  /** The finding. */
  readonly title: string;
  /** How to read it. */
  readonly caption: string;
  /** Origin, n, interval and what else there is to say, each a phrase. */
  readonly said: readonly string[];
  /** Where its numbers come from. */
  readonly origins: readonly Origin[];
  /** Width of the whole picture, in pixels. */
  readonly width: number;
  /** The name of the layer whose marks a legend picks, if one does. */
  readonly view?: string;
  /** What the legend says; charts of which it is the same can share one. */
  readonly legendKey?: string;
  /** The legend of a picture of some width. */
  readonly legendFor: (width: number) => LegendPlace;
  /** Draws the chart to the width of a frame. */
  readonly draw: (frame: Frame) => Drawing;
}

/** A captioned picture, the same in a notebook, on a page and in a file. */
export interface Figure {
  /** The finding. */
  readonly title: string;
  /** Origin, n and interval in one line, as drawn under the title. */
  readonly note: string;
  /** How to read the figure. */
  readonly caption: string;
  /** Where its numbers come from. */
  readonly origins: readonly Origin[];
  /** Title, note and caption as plain text. */
  readonly text: string;
  /** The picture as a Vega-Lite 5 specification, its data included. */
  readonly spec: Spec;
  /** What {@linkcode panels} puts together. */
  readonly parts: FigureParts;
  /** Draws the picture as SVG text, byte for byte the same on every machine. */
  readonly svg: () => Promise<string>;
  /** The interactive picture, the SVG and the text, of which a notebook shows the first it knows. */
  readonly [JUPYTER_DISPLAY]: () => Promise<MimeBundle>;
}
