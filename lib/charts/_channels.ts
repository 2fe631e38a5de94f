import type { Spec } from "./figure.ts";

/** The encodings that the layers of a chart have in common; every layer must say them alike, or Vega-Lite joins their titles. */
export interface Channels {
  readonly x: Spec;
  readonly y: Spec;
  readonly colour: Spec;
}

/** Fades the series that are not picked in the legend. */
export function fading(shown: number, faded: number): Spec {
  return { condition: { param: PICKED, value: shown }, value: faded };
}

/** The name of the parameter that holds the series picked in a legend. */
export const PICKED = "picked";

/** Lets a reader pick series in the legend; `view` names the layer whose marks carry them. */
export function legendPicker(views: readonly string[]): Spec {
  return { name: PICKED, select: { type: "point", fields: ["series"] }, bind: "legend", views };
}
