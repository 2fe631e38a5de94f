import { type Channels, fading } from "./_channels.ts";
import { POINTS } from "./_line_layers.ts";
import type { ReadPoint } from "./_line_points.ts";
import { shown, tips, tipValues } from "./_rows.ts";
import type { SeriesLook } from "./_series.ts";
import type { Spec } from "./figure.ts";
import { lengthLabel } from "./length_label.ts";
import type { LineOptions } from "./line_options.ts";
import { numberText } from "./number_text.ts";

const MOST_MARKED = 40;

/** The layer that marks the points, with what they say on hovering and to a screen reader. */
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
  const drawn = points.filter(({ y }) => y !== null);
  const values = drawn.map(({ row, series: name, x, y, low, high }) => {
    const range = low === null || high === null ? {} : { range: `${numberText(low)} to ${numberText(high)}` };
    const [xText, yText] = [label(x), shown(y)];
    const about = `${name === "–" ? "" : `${name}, `}${xText}: ${yText}${"range" in range ? ` (${range.range})` : ""}`;
    return { series: name, x, y, xText, yText, ...range, about, ...tipValues(row, tooltips) };
  });
  const own = {
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
    ...(values.some((value) => "range" in value) ? { range: interval ?? "Interval" } : {}),
  };
  const longest = Math.max(...Map.groupBy(values, (value) => value.series).values().map(({ length }) => length));
  return {
    name: POINTS,
    data: { values },
    mark: { type: "point", filled: true, size: 50, stroke: "white", strokeWidth: 0.75 },
    encoding: {
      x: channels.x,
      y: channels.y,
      color: channels.colour,
      shape: { ...channels.colour, scale: { domain: look.names, range: look.shapes } },
      opacity: longest > MOST_MARKED ? { value: 0 } : fading(1, 0.12),
      tooltip: tips(own, tooltips),
      description: { field: "about", type: "nominal" },
    },
  };
}
