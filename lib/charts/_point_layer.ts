import { type Channels, fading } from "./_channels.ts";
import { POINTS } from "./_line_layers.ts";
import type { ReadPoint } from "./_line_points.ts";
import type { Point } from "./_runs.ts";
import { shown, tips, tipValues } from "./_rows.ts";
import type { SeriesLook } from "./_series.ts";
import { plainText } from "./_text.ts";
import type { Spec } from "./figure.ts";
import { lengthLabel } from "./length_label.ts";
import type { LineOptions } from "./line_options.ts";
import { numberText } from "./number_text.ts";

const MOST_MARKED = 40;

/** Whether lines are short enough for their points to be marked. */
export function areMarked(points: readonly Point[]): boolean {
  return Map.groupBy(points, ({ series }) => series).values().every(({ length }) => length <= MOST_MARKED);
}

/**
 * The layer that marks the points, with what they say on hovering and to a screen reader. On long lines the points are
 * not seen, and only some of them, evenly spaced, can be hovered over.
 */
export function pointLayer<Row extends object>(
  points: readonly ReadPoint<Row>[],
  { options, channels, look }: {
    readonly options: LineOptions<Row>;
    readonly channels: Channels;
    readonly look: SeriesLook;
  },
): Spec {
  const { xTitle, yTitle, series, seriesTitle = "Series", interval, tooltips = {}, xSpacing = "lengths" } = options;
  const label = options.xLabel ?? (xSpacing === "lengths" ? lengthLabel : numberText);
  const marked = areMarked(points);
  const drawn = (marked ? points : thinned(points)).filter(({ y }) => y !== null);
  const values = drawn.map(({ row, series: name, x, y, low, high }) => {
    const range = low === null || high === null ? {} : { range: `${numberText(low)} to ${numberText(high)}` };
    const [xText, yText] = [plainText(label(x)), shown(y)];
    const about = `${name === "–" ? "" : `${name}, `}${xText}: ${yText}${"range" in range ? ` (${range.range})` : ""}`;
    return { series: name, x, y, xText, yText, ...range, about, ...tipValues(row, tooltips) };
  });
  const own = {
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
    ...(values.some((value) => "range" in value) ? { range: interval ?? "Interval" } : {}),
  };
  return {
    name: POINTS,
    data: { values },
    mark: { type: "point", filled: true, size: 50, stroke: "white", strokeWidth: 0.75 },
    encoding: {
      x: channels.x,
      y: channels.y,
      color: channels.colour,
      ...(marked ? { shape: { ...channels.colour, scale: { domain: look.names, range: look.shapes } } } : {}),
      opacity: marked ? fading(1, 0.12) : { value: 0 },
      tooltip: tips(own, tooltips),
      description: { field: "about", type: "nominal" },
    },
  };
}

function thinned<T extends Point>(points: readonly T[]): T[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap((line) => {
    const step = Math.ceil(line.length / MOST_MARKED);
    return line.filter((_, index) => index % step === 0 || index === line.length - 1);
  }).toArray();
}
