import type { LegendContent, LegendPlace } from "./legend.ts";
import type { Domain, Spec } from "./theme.ts";
import type { Zoom } from "./zoom.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/** The key under which a Jupyter kernel looks for the display form of an object. */
export const JUPYTER_DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** One output in several forms, by MIME type; a frontend shows the best that it supports. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** The fields of a row. */
export type Field<Row> = Extract<keyof Row, string>;

/** Options of every figure. */
export interface FigureOptions {
  /** The finding, as a sentence without its full stop. */
  readonly title: string;
  /** How to read the figure. */
  readonly caption: string;
  /** Samples of each mark: a number, or a phrase such as `"n = 25 to 500 samples a point"`. */
  readonly n: number | string;
  /** The origin of the numbers; by series if there are several. */
  readonly origin: Origin | Readonly<Record<string, Origin>>;
  /** The meaning of bands or bars around a value, such as `"95% interval"`; required if there are any. */
  readonly interval?: string;
  /** A warning at the end of the note, such as that lengths are in another model's tokens. */
  readonly warning?: string | undefined;
  /** The run whose replies the marks stand for, or runs by a text of their rows: marks of a report lead to these replies. */
  readonly runs?: string | Readonly<Record<string, string>> | undefined;
  /** Width of the whole picture, in pixels. Range: 200 to 2,000; 700 by default. */
  readonly width?: number;
}

/** Options that every figure and table takes. */
export type Titled = Pick<FigureOptions, "title" | "origin" | "warning" | "runs">;

/** The room of a chart. */
export interface FigureFrame extends LegendPlace {
  /** From the outer edge of the left axis to the right end, the legend's room included, in pixels. */
  readonly width: number;
  /** Whether the chart is alone, and not a panel beside others. */
  readonly isAlone?: boolean;
  /** Axes that a neighbour shows: the vertical one to the left, or the title of the horizontal one below. */
  readonly shared?: {
    readonly y?: boolean;
    readonly xTitle?: boolean;
    /** The ends of the vertical axis of all panels, if the chart has none of its own. */
    readonly yDomain?: Domain | undefined;
  };
}

/** A drawn chart, without title, note and caption. */
export interface Drawing {
  readonly body: Spec;
  /** From the outer edge of the left axis to the origin, in pixels. */
  readonly left: number;
}

/** The parts of a figure that depend on the kind of chart. */
export interface Chart {
  /** Phrases of the note after origin, n and interval. */
  readonly notes?: readonly string[];
  /** The name of the layer whose marks a legend picks, if any. */
  readonly view?: string;
  /** The layers, and not panels of others, into which a reader can zoom. */
  readonly zoom?: Zoom;
  /** The content of the legend; charts with equal content share one. */
  readonly legend?: LegendContent;
  /** The axes as texts; panels with equal ones show them once. */
  readonly axes?: { readonly x: string; readonly y: string };
  /** The least and the greatest value of a vertical axis without a domain of its own. */
  readonly yEnds?: Domain;
  readonly legendFor: (width: number) => LegendPlace;
  /** Returns the room for labels instead of a legend, alone or as a panel; `null` if the chart keeps its legend. */
  readonly labelsFor?: (width: number, isAlone: boolean) => LegendPlace | null;
  /** Draws the chart to the width of a frame. */
  readonly draw: (frame: FigureFrame) => Drawing;
}

/** The parts of a figure, from which {@linkcode panels} combines several. */
export interface FigureParts
  extends Omit<Chart, "notes">, Required<Pick<FigureOptions, "title" | "caption" | "width">> {
  /** Origin, n, interval and notes, each a phrase. */
  readonly phrases: readonly string[];
  readonly origins: readonly Origin[];
}

/** A captioned chart, the same in a notebook, on a page and in a file. */
export interface Figure extends Pick<FigureParts, "title" | "caption" | "origins"> {
  /** Origin, n and interval in one line, as drawn under the title. */
  readonly note: string;
  /** Title, note and caption as plain text. */
  readonly text: string;
  /** The picture as a Vega-Lite 5 specification, its data included. */
  readonly spec: Spec;
  /** The parts that {@linkcode panels} combines. */
  readonly parts: FigureParts;
  /** Returns the chart alone at a width in pixels, without title, note and caption, as a Vega-Lite 5 specification. */
  readonly chart: (width: number) => Spec;
  /** The specification with what {@linkcode figureHtml} needs to draw the figure into a page. */
  readonly pageSpec: () => Spec;
  /** Draws the picture as SVG text, byte for byte the same on every machine. */
  readonly svg: () => Promise<string>;
  /** Returns the interactive chart, the SVG and the text; a notebook shows the first that it supports. */
  readonly [JUPYTER_DISPLAY]: () => Promise<MimeBundle>;
}

/** The default width of a picture, in pixels. */
export const WIDTH = 700;
