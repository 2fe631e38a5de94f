import * as vega from "vega";

type ColourAt = (share: number) => string;

/** The exports of vega that its types leave out or say too loosely. */
const untyped = vega as unknown as {
  readonly scheme: (name: string) => ColourAt;
  readonly interpolateColors: (colours: string[], kind: "rgb") => ColourAt;
  readonly textMetrics: { width: (item: TextItem, text: unknown) => number };
};

/** A text that vega asks the width of. */
export interface TextItem {
  readonly fontSize?: number;
  readonly limit?: number;
}

/** The colour at a share of viridis: 0 is dark blue, 1 yellow. */
export function viridisAt(share: number): string {
  return untyped.scheme("viridis")(share);
}

/** The colour at a share of a list of colours. */
export function colourAt(colours: readonly string[], share: number): string {
  return untyped.interpolateColors(colours.slice(), "rgb")(share);
}

/** Makes vega lay out text by a measure of our own, where it would look for a canvas and its fonts. */
export function measureTextBy(width: (item: TextItem, text: string) => number): void {
  untyped.textMetrics.width = (item, text) => width(item, text === null || text === undefined ? "" : String(text));
}
