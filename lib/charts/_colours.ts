import type { Spec } from "./figure.ts";
import type { Domain } from "./_rows.ts";
import { colourAt, viridisAt } from "./_vega.ts";

/**
 * How a value becomes a colour:
 * - *viridis*: dark blue to yellow, even to every kind of colour vision
 * - *needle*: red, amber, green, as figures of needle tests have it
 * - a list of two colours or more, from the least value to the greatest
 */
export type ColourScheme = "viridis" | "needle" | readonly string[];

const NEEDLE = ["#F0496E", "#EBB839", "#0CD79F"];

/** The colour scale of a scheme over a domain. */
export function colourScale(colours: ColourScheme, [low, high]: Domain): Spec {
  if (colours === "viridis") return { domain: [low, high], scheme: "viridis" };
  const range = colours === "needle" ? NEEDLE : colours;
  // Vega reads a list of colours piece by piece only over as many values.
  return {
    domain: range.map((_, index) => low + (high - low) * index / (range.length - 1)),
    range,
    interpolate: "rgb",
  };
}

/** Whether the colour of a value is so dark that a text on it must be white. */
export function isDark(value: number, options: { readonly colours: ColourScheme; readonly domain: Domain }): boolean {
  const { colours, domain: [low, high] } = options;
  const share = (value - low) / (high - low);
  const colour = colours === "viridis" ? viridisAt(share) : colourAt(colours === "needle" ? NEEDLE : colours, share);
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
  // Rec. 709 luma, from 0 (black) to 255 (white).
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 140;
}
