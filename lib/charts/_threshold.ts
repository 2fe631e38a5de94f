import type { Channels } from "./_channels.ts";
import type { Spec } from "./figure.ts";
import { labelSpot, type Place, type Spot } from "./_label_spot.ts";
import { plainText } from "./_text.ts";
import { LABEL_SIZE } from "./_theme.ts";

/** A straight line across a chart, with its name. */
export interface Threshold {
  /** Where it crosses the vertical axis; the line is level. */
  readonly y?: number;
  /** Where it crosses the horizontal axis, if it has no `y`; the line is upright. */
  readonly x?: number;
  /** What the line means, its number included. */
  readonly label: string;
  /** The series whose colour the line takes; grey if none. */
  readonly series?: string;
}

/** What the layers of a threshold need to know of its chart. */
export interface ThresholdOptions {
  readonly channels: Channels;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
  /** The lines of the chart, which the label is to keep clear of. */
  readonly lines: readonly (readonly Place[])[];
  /** Where a value of the vertical axis stands, as a share of the chart's height. */
  readonly shareOf: (y: number) => number;
}

/** The layer that draws the line of a threshold. */
export function thresholdRule(threshold: Threshold, { channels, colour }: ThresholdOptions): Spec {
  const mark = { type: "rule", color: colour, strokeWidth: 1.25, strokeDash: [2, 3], tooltip: null, aria: false };
  return { ...placeOf(threshold, channels), mark };
}

/** The layers that write the label of a threshold; it has a white rim, as lines may run behind it. */
export function thresholdLabel(threshold: Threshold, options: ThresholdOptions): Spec[] {
  const { channels, colour } = options;
  const label = plainText(threshold.label);
  const side = threshold.y === undefined
    ? { y: "height", align: "left", baseline: "bottom", dx: 5, dy: -4 }
    : besideLevel(labelSpot(label, { ...options, at: options.shareOf(threshold.y) }));
  const text = { type: "text", text: label, fontSize: LABEL_SIZE, tooltip: null, ...side };
  const rim = { ...text, color: "white", stroke: "white", strokeWidth: 3, strokeJoin: "round", aria: false };
  const place = placeOf(threshold, channels);
  return [{ ...place, mark: rim }, { ...place, mark: { ...text, color: colour } }];
}

function besideLevel({ side, over }: Spot): Spec {
  const across = side === "left" ? { x: 5 } : { x: "width", dx: -5 };
  return { ...across, align: side, baseline: over ? "bottom" : "top", dy: over ? -4 : 4 };
}

function placeOf({ x, y }: Threshold, channels: Channels): Spec {
  return y === undefined
    ? { data: { values: [{ x }] }, encoding: { x: { ...channels.x, field: "x" } } }
    : { data: { values: [{ y }] }, encoding: { y: { ...channels.y, field: "y" } } };
}
