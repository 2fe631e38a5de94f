import * as d3 from "d3-interpolate";
import { plainText, textWidth, wrapText } from "./text_fit.ts";

export const FONT = "Inter, Helvetica, Arial, sans-serif";

export const INK = "#222222";

export const SOFT_INK = "#595959";

export const GAP = "#dcdcdc";

export const WARNING = "#a84300";

export const TITLE_SIZE = 15;

export const NOTE_SIZE = 12;

export const LABEL_SIZE = 11;

// For charts of more than seven series, which labels at the line ends or shapes distinguish too.
const MORE = ["#882255", "#999933", "#5e3c99", "#8c510a", "#66c2a5"];

/** The palette of Okabe and Ito (2008), made for every kind of colour vision, without its yellow (too faint on white). */
export const DISTINCT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#3d3d3d", ...MORE];

// Six shapes and seven colours: the first 42 series look different.
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];

/** The colours of series: distinct, or along viridis from dark to light for ordered series. */
export type Palette = "distinct" | "viridis";

export function seriesColours(count: number, palette: Palette): string[] {
  if (palette === "distinct") return Array.from({ length: count }, (_, index) => DISTINCT[index % DISTINCT.length]!);
  // The last tenth of viridis is yellow, too faint on white for a line.
  return Array.from({ length: count }, (_, index) => viridisAt(count === 1 ? 0.4 : 0.88 * index / (count - 1)));
}

export function seriesShapes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => SHAPES[index % SHAPES.length]!);
}

/** The theme of every figure, limited to features of Vega-Lite 5.6, the version in JupyterLab. */
export const CONFIG = {
  font: FONT,
  title: {
    anchor: "start",
    align: "left",
    fontSize: TITLE_SIZE,
    fontWeight: 600,
    lineHeight: 20,
    color: INK,
    subtitleFontSize: NOTE_SIZE,
    subtitleLineHeight: 17,
    subtitlePadding: 5,
    offset: 14,
  },
  axis: {
    labelFontSize: LABEL_SIZE,
    labelColor: SOFT_INK,
    labelPadding: 4,
    titleFontSize: 12,
    titleFontWeight: "normal",
    titleColor: INK,
    titlePadding: 9,
    gridColor: "#ececec",
    domainColor: "#9a9a9a",
    tickColor: "#9a9a9a",
    tickSize: 4,
  },
  legend: {
    labelFontSize: LABEL_SIZE,
    labelColor: INK,
    labelLimit: 220,
    titleFontSize: LABEL_SIZE,
    titleFontWeight: 600,
    titleColor: INK,
    titleLimit: 220,
    symbolStrokeWidth: 0,
    symbolSize: 60,
    rowPadding: 4,
    offset: 16,
  },
  view: { stroke: null },
  concat: { spacing: 16 },
};

/**
 * The colours of values:
 * - *viridis*: dark blue to yellow, perceptually uniform and safe for every kind of colour vision; every heatmap of scores has it
 * - a list of two or more colours, from the lowest value to the highest
 */
export type ColourScheme = "viridis" | readonly string[];

/** Returns the colour scale of a scheme over a domain. */
export function colourScale(colours: ColourScheme, [low, high]: Domain): Spec {
  if (colours === "viridis") return { domain: [low, high], scheme: "viridis" };
  // Vega interpolates a list of colours only over a domain of the same length.
  return {
    domain: colours.map((_, index) => low + (high - low) * index / (colours.length - 1)),
    range: colours,
    interpolate: "rgb",
  };
}

/** Whether the colour of a value is so dark that text on it must be white. */
export function isDark(value: number, options: { readonly colours: ColourScheme; readonly domain: Domain }): boolean {
  const { colours, domain: [low, high] } = options;
  const share = (value - low) / (high - low);
  const colour = colours === "viridis" ? viridisAt(share) : colourAt(colours, share);
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
  // Rec. 709 luma, from 0 (black) to 255 (white).
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 140;
}

/** Options of charts whose colour is a value. */
export interface ColourOptions {
  /** The title of the colour scale, with its unit. */
  readonly valueTitle: string;
  /** The colours of values; "viridis" by default. */
  readonly colours?: ColourScheme;
  /** The values of the first and the last colour; by default the lowest and the highest value. */
  readonly domain?: Domain;
}

/** Returns the legend of a colour scale, beside its chart. */
export function colourLegend(
  { valueTitle, colours = "viridis", domain, height }: {
    readonly valueTitle: string;
    readonly colours: ColourScheme | undefined;
    readonly domain: Domain;
    readonly height: number;
  },
): { readonly legendKey: string; readonly legendFor: () => LegendPlace } {
  const title = wrapText(plainText(valueTitle), { width: 120, size: LABEL_SIZE, weight: "bold" });
  const widest = Math.max(52, ...title.map((line) => textWidth(line, LABEL_SIZE, "bold")));
  const legend = { title, gradientLength: Math.min(height - 20, 200), gradientThickness: 12 };
  return {
    legendKey: JSON.stringify([colours, domain, valueTitle]),
    legendFor: () => ({ legend, room: Math.ceil(widest) + 20 }),
  };
}

/** The encodings of all layers of a chart; if they differed, Vega-Lite would concatenate their titles. */
export interface Channels {
  readonly x: Spec;
  readonly y: Spec;
  readonly colour: Spec;
}

/** Returns an opacity that fades the series not picked in the legend. */
export function fading(shown: number, faded: number): Spec {
  return { condition: { param: PICKED, value: shown }, value: faded };
}

/** The name of the parameter with the series picked in a legend. */
const PICKED = "picked";

/** Returns the parameter by which a reader picks series in the legend, or by a point if there is none, in the layers `views`. */
export function legendPicker(views: readonly string[], hasLegend = true): Spec {
  return {
    name: PICKED,
    select: { type: "point", fields: ["series"] },
    ...(hasLegend ? { bind: "legend" } : {}),
    views,
  };
}

/** A Vega-Lite specification as plain JSON. */
export type Spec = Readonly<Record<string, unknown>>;

/** A legend and its room. */
export interface LegendPlace {
  /** The Vega-Lite legend; `null` for none. */
  readonly legend: Spec | null;
  /** The width of the legend beside the chart, in pixels. */
  readonly room: number;
}

/** The lowest and the highest value of an axis or a colour. */
export type Domain = readonly [number, number];

/** The colour interpolation of Vega; the package has no types. */
const { interpolateRgb, piecewise } = d3 as unknown as {
  readonly interpolateRgb: unknown;
  readonly piecewise: (interpolate: unknown, colours: readonly string[]) => (share: number) => string;
};

/** The colours of viridis in Vega. */
const VIRIDIS = (
  "440154470e61481a6c482575472f7d443a834144873d4e8a39568c35608d31688e2d708e2a788e27818e23888e21918d1f988b1fa08822a884" +
  "2ab07f35b77943bf7154c56866cc5d7ad1518fd744a5db36bcdf27d2e21be9e51afde725"
).match(/.{6}/g)!.map((colour) => `#${colour}`);

/** Returns the colour at a share of viridis, such as `rgb(68, 1, 84)`: 0 is dark blue, 1 yellow. */
export function viridisAt(share: number): string {
  return colourAt(VIRIDIS, share);
}

function colourAt(colours: readonly string[], share: number): string {
  return piecewise(interpolateRgb, colours)(share);
}
