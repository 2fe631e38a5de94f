import type { Domain, Spec } from "./theme.ts";

/** Charts narrower than this, in pixels, have their legends below. */
export const NARROW = 450;

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

/** The room of a chart whose legend is outside it. */
export const WITHOUT_LEGEND: LegendPlace = { legend: null, room: 0 };
