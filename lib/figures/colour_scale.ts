import * as d3 from "d3-interpolate";
import { type LegendContent, type LegendPlace, NARROW } from "./legend.ts";
import { plainText, textWidth, wrapText } from "./text_fit.ts";
import { type Domain, LABEL_SIZE, type Spec } from "./theme.ts";

/**
 * The colours of values:
 * - *viridis*: dark blue to yellow, perceptually uniform and safe for every kind of colour vision; every heatmap of scores has it
 * - a list of two or more colours, from the lowest value to the highest
 */
export type ColourScheme = "viridis" | readonly string[];

/**
 * The colours of needle tests, from red (lost) to green (found). Each is lighter than the one before it, so that the scale reads the
 * same without seeing red from green.
 */
export const RED_TO_GREEN = ["#7a0f2b", "#d2423c", "#e8b03a", "#93e8ae"] as const;

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

/** The colour interpolation of Vega; the package has no types. */
const { interpolateRgb, piecewise } = d3 as unknown as {
  readonly interpolateRgb: unknown;
  readonly piecewise: (interpolate: unknown, colours: readonly string[]) => (share: number) => string;
};

const VIRIDIS = (
  "440154470e61481a6c482575472f7d443a834144873d4e8a39568c35608d31688e2d708e2a788e27818e23888e21918d1f988b1fa08822a884" +
  "2ab07f35b77943bf7154c56866cc5d7ad1518fd744a5db36bcdf27d2e21be9e51afde725"
).match(/.{6}/g)!.map((colour) => `#${colour}`);

/** Returns the colour at a share of viridis, such as `rgb(68, 1, 84)`: 0 is dark blue, 1 yellow. */
export function viridisAt(share: number): string {
  return colourAt(VIRIDIS, share);
}

/** Returns the colour at a share of a list of colours. */
export function colourAt(colours: readonly string[], share: number): string {
  return piecewise(interpolateRgb, colours)(share);
}

/** Text and lines on coloured cells, which are the same on a dark page. */
export const ON_DARK = "#ffffff";

export const ON_LIGHT = "#1a1a1a";
