import { type Channels, fading } from "./_channels.ts";
import type { Dot } from "./_dots.ts";
import { shown, tips, tipValues } from "./_rows.ts";
import type { SeriesLook } from "./_series.ts";
import { INK, LABEL_SIZE, SOFT_INK } from "./_theme.ts";
import type { Spec } from "./figure.ts";
import type { ScatterOptions } from "./scatter_options.ts";

/** The name of the layer that holds the points. */
export const DOTS = "dots";

/** The layer of the points, with what they say on hovering and to a screen reader. */
export function dotLayer<Row>(
  dots: readonly Dot<Row>[],
  { options, channels, look }: {
    readonly options: ScatterOptions<Row>;
    readonly channels: Channels;
    readonly look: SeriesLook;
  },
): Spec {
  const { series, seriesTitle = "Series", label, xTitle, yTitle, tooltips = {} } = options;
  const values = dots.map(({ row, ...dot }) => {
    const [xText, yText] = [shown(dot.x), shown(dot.y)];
    const names = [dot.label, ...(series === undefined ? [] : [dot.series])].filter((name) => name !== "");
    const about = `${names.length === 0 ? "" : `${names.join(", ")}: `}${xText}, ${yText}`;
    return { ...dot, xText, yText, about, ...tipValues(row, tooltips) };
  });
  const own = {
    ...(label === undefined ? {} : { label: "Name" }),
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
  };
  return {
    name: DOTS,
    data: { values },
    mark: { type: "point", filled: true, size: 60, stroke: "white", strokeWidth: 0.75 },
    encoding: {
      x: channels.x,
      y: channels.y,
      color: channels.colour,
      shape: { ...channels.colour, scale: { domain: look.names, range: look.shapes } },
      opacity: fading(0.9, 0.12),
      tooltip: tips(own, tooltips),
      description: { field: "about", type: "nominal" },
    },
  };
}

/** The texts beside the points. */
export function labelLayer(dots: readonly Dot<unknown>[], channels: Channels): Spec {
  return {
    data: { values: dots.map(({ x, y, label }) => ({ x, y, label })) },
    mark: {
      type: "text",
      align: "left",
      baseline: "middle",
      dx: 7,
      fontSize: LABEL_SIZE - 1,
      color: INK,
      tooltip: null,
      aria: false,
    },
    encoding: { x: channels.x, y: channels.y, text: { field: "label", type: "nominal" } },
  };
}

/** The line where x equals y, as far as both axes have values. */
export function diagonalLayer<Row>(
  dots: readonly Dot<Row>[],
  { options, channels }: { readonly options: ScatterOptions<Row>; readonly channels: Channels },
): Spec {
  const [xs, ys] = [options.xDomain ?? dots.map(({ x }) => x), options.yDomain ?? dots.map(({ y }) => y)];
  const low = Math.max(Math.min(...xs), Math.min(...ys));
  const high = Math.min(Math.max(...xs), Math.max(...ys));
  return {
    data: { values: low < high ? [{ x: low, y: low }, { x: high, y: high }] : [] },
    mark: { type: "line", color: SOFT_INK, strokeWidth: 1.25, strokeDash: [2, 3], tooltip: null, aria: false },
    encoding: { x: channels.x, y: channels.y },
  };
}
