import { divideFrame, endLabels, positionOf, withoutLabels, withoutTitle } from "./axis.ts";
import type { PlaneOptions, Spacing } from "./chart_options.ts";
import type { Channels } from "./legend.ts";
import { colourChannel, type SeriesParts } from "./series_chart.ts";
import type { Domain } from "./theme.ts";

/** Lays out a chart of two numbers in a frame, and returns the channels that place and colour its marks. */
export function planeOf<Row>(
  xs: readonly number[],
  ys: readonly number[],
  { options, xSpacing, xLabel, aside = 0, style, frame }: SeriesParts<PlaneOptions<Row>> & {
    readonly xSpacing: Spacing;
    readonly xLabel?: ((value: number) => string) | undefined;
    /** The room that points moved to the side need, in pixels. */
    readonly aside?: number;
  },
): { readonly left: number; readonly width: number; readonly channels: Channels } {
  const { xTitle, yTitle, ySpacing = "linear", yDomain } = options;
  const { extent, left, width } = divideFrame(frame, endLabels(ys, yDomain));
  const { shared } = frame;
  const x = withoutTitle(
    positionOf(xs, { title: xTitle, spacing: xSpacing, label: xLabel, aside }),
    shared?.xTitle,
  );
  const y = withoutLabels(positionOf(ys, { title: yTitle, spacing: ySpacing, extent, domain: yDomain }), shared?.y);
  const colour = colourChannel(style, frame.legend);
  return { left, width, channels: { x: { field: "x", ...x }, y: { field: "y", ...y }, colour } };
}

/** Returns the share of a value between the ends of an axis: 0 at the lower, 1 at the upper. */
export function shareWithin([low, high]: Domain, spacing: Spacing): (value: number) => number {
  const scaled = spacing === "linear" ? (value: number): number => value : Math.log;
  const span = scaled(high) - scaled(low);
  return (value) => span === 0 ? 0.5 : (scaled(value) - scaled(low)) / span;
}
