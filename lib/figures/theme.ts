import * as d3 from "d3-interpolate";
import { plainText, textWidth, wrapText } from "./text_fit.ts";

/** The fonts of every figure. */
export const FONT = "Inter, Helvetica, Arial, sans-serif";

export const INK = "#222222";

export const SOFT_INK = "#595959";

/** Text and lines on coloured cells, which are the same on a dark page. */
export const ON_DARK = "#ffffff";

export const ON_LIGHT = "#1a1a1a";

export const GAP = "#dcdcdc";

export const WARNING = "#a84300";

export const RED = "#c1121f";

const GRID = "#ececec";
const RULE = "#9a9a9a";

export const TITLE_SIZE = 15;

export const NOTE_SIZE = 12;

export const LABEL_SIZE = 11;

/** Series beyond the eighth, which labels at the ends of their lines distinguish. */
export const REST = "#767676";

/** The palette of Okabe and Ito (2008), made for every kind of colour vision, with violet for its yellow (too faint on white). */
export const DISTINCT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#3d3d3d", "#a01fd8"];

// With the colours, the first 24 series look different.
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];

/**
 * The colours of series: distinct; ordered along viridis, for series of a quantity; or by name, so that a model has the same colour
 * in several figures. A series without a colour is grey.
 */
export type Palette = "distinct" | "ordered" | readonly string[] | Readonly<Record<string, string>>;

/** Returns a colour for each name, at most eight hues: further series are grey, or the nearest of eight steps if ordered. */
export function seriesColours(names: readonly string[], palette: Palette): string[] {
  if (palette === "ordered") {
    const step = names.length === 1 ? 0 : (ORDERED.length - 1) / (names.length - 1);
    return names.map((_, index) => ORDERED[names.length === 1 ? 3 : Math.round(index * step)]!);
  }
  if (typeof palette === "object" && !Array.isArray(palette)) {
    const byName = palette as Readonly<Record<string, string>>;
    return names.map((name) => Object.hasOwn(byName, name) ? byName[name]! : REST);
  }
  const colours = palette === "distinct" ? DISTINCT : palette as readonly string[];
  return names.map((_, index) => colours[index] ?? REST);
}

/** The number of published models with a colour, so that others beside them have one too. */
const MAX_PUBLISHED = 6;

/**
 * Gives models their colours, in order, for the palette of several figures: the first of the published ones, then the others; a model
 * without a colour is grey.
 */
export function coloursOf(
  models: readonly string[],
  published: readonly string[] = [],
): Readonly<Record<string, string>> {
  const named = [...[...new Set(published)].slice(0, MAX_PUBLISHED), ...models];
  return Object.fromEntries([...new Set(named)].slice(0, DISTINCT.length).map((name, at) => [name, DISTINCT[at]!]));
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
    gridColor: GRID,
    domainColor: RULE,
    tickColor: RULE,
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

/** Charts narrower than this, in pixels, have their legends below. */
export const NARROW = 450;

/** Returns the legend of a colour scale, beside its chart or below it. */
export function colourLegend(
  { valueTitle, colours = "viridis", domain, height }: {
    readonly valueTitle: string;
    readonly colours: ColourScheme | undefined;
    readonly domain: Domain;
    readonly height: number;
  },
): { readonly legend: LegendContent; readonly legendFor: (width: number) => LegendPlace } {
  const title = wrapText(plainText(valueTitle), { width: 120, size: LABEL_SIZE, weight: "bold" });
  const widest = Math.max(52, ...title.map((line) => textWidth(line, LABEL_SIZE, "bold")));
  const legend = { title, gradientLength: Math.min(height - 20, 200), gradientThickness: 12 };
  const shares = Array.from({ length: 9 }, (_, at) => at / 8);
  const ofShare = (share: number): string => colours === "viridis" ? viridisAt(share) : colourAt(colours, share);
  return {
    legend: { title: plainText(valueTitle), scale: { colours: shares.map(ofShare), domain } },
    legendFor: (width) =>
      width < NARROW
        ? { legend: { ...legend, orient: "bottom", direction: "horizontal", gradientLength: 120 }, room: 0 }
        : { legend, room: Math.ceil(widest) + 20 },
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

/** The content of a legend: the keys of series, or a colour scale. */
export interface LegendContent {
  readonly title: string;
  readonly keys?: readonly { readonly name: string; readonly colour: string; readonly shape?: string }[];
  readonly scale?: { readonly colours: readonly string[]; readonly domain: Domain };
}

/** A legend and its room. */
export interface LegendPlace {
  /** The Vega-Lite legend; `null` for none. */
  readonly legend: Spec | null;
  /** The width of the legend beside the chart, in pixels. */
  readonly room: number;
  /** Whether the room is for the names of lines at their ends. */
  readonly isDirect?: boolean;
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

/** Eight steps for ordered series, near viridis but without its yellow (too faint on white); none is a colour of a heatmap. */
export const ORDERED = ["#4a005c", "#4e2480", "#444791", "#376496", "#2c8096", "#259a91", "#3cb381", "#74ca60"];

const ON_DARK_PAGE = {
  distinct: ["#3d8fe0", "#dc5a14", "#17a877", "#d77fb4", "#8fd0fa", "#ecc24a", "#f0f3f6", "#c040f5"],
  ordered: ["#2a788e", "#228d8d", "#1fa187", "#32b57b", "#59c765", "#8cd646", "#c5e022", "#fde725"],
};

/** The colours of figures on a dark page: text has a contrast of at least 4.5 with `#0d1117`, and marks 3. */
export const DARK: Readonly<Record<string, string>> = {
  white: "#0d1117",
  [INK]: "#e6edf3",
  [SOFT_INK]: "#a8b1bb",
  [GAP]: "#4a525c",
  [WARNING]: "#ff9d57",
  [GRID]: "#262c34",
  [RULE]: "#6e7681",
  [REST]: "#8b949e",
  [RED]: "#ff7b72",
  ...Object.fromEntries(DISTINCT.map((colour, at) => [colour, ON_DARK_PAGE.distinct[at]!])),
  ...Object.fromEntries(ORDERED.map((colour, at) => [colour, ON_DARK_PAGE.ordered[at]!])),
  // The darkest classes of failures.
  "#2b2b2b": "#c9d1d9",
  "#5b2a9d": "#8458cc",
  "#7a4a21": "#a26a38",
  "#a8123e": "#d43a66",
  "#143c7d": "#3f6fc2",
};
