import { labelSpot, type Place, type Spot } from "./layers.ts";
import { type Category, distinctOf, endsOf, type Spacing } from "./rows.ts";
import { numberText, plainText, textWidth } from "./text_fit.ts";
import { type Channels, type Domain, LABEL_SIZE, SOFT_INK, type Spec, WARNING } from "./theme.ts";
import { lengthText } from "@/lib/text/mod.ts";

const LABEL_LIMIT = 190;

const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  [..."-0123456789"].map((digit, index) => [digit, [..."⁻⁰¹²³⁴⁵⁶⁷⁸⁹"][index]!]),
);

/** What an axis is made from. */
interface AxisOptions {
  readonly title: string;
  readonly spacing: Spacing;
  readonly domain?: Domain;
  readonly label?: (value: number) => string;
  /** Degrees clockwise. */
  readonly labelAngle?: number;
  /** Room for the labels of a vertical axis, from {@linkcode labelExtent}. */
  readonly extent?: number;
  /** Length of a horizontal axis, in pixels. */
  readonly across?: number;
  /** Whether an axis without a domain starts at 0. */
  readonly zero?: boolean;
}

/** The type, scale and axis of a position channel. */
export function positionOf(values: readonly number[], options: AxisOptions): Spec {
  const { spacing, title, labelAngle, extent, across = Infinity, zero = false } = options;
  const occurring = distinctOf(values).sort((left, right) => left - right);
  const domain = options.domain ?? domainOf(occurring, options);
  const ticks = spacing === "log" && options.label === undefined ? decades(domain ?? endsOf(occurring)) : occurring;
  const label = options.label ??
    { linear: undefined, steps: undefined, lengths: lengthLabel, log: decadeLabel }[spacing];
  const shared = {
    title: plainText(title),
    ...(labelAngle === undefined ? {} : angledLabels(labelAngle)),
    ...(extent === undefined ? {} : fixedExtent(extent)),
  };
  const labels = label === undefined || ticks.length === 0 ? {} : { values: ticks, ...labelled(ticks, label) };
  if (spacing === "steps") {
    return {
      type: "ordinal",
      scale: { type: "point", padding: 0.4, domain: occurring },
      axis: {
        grid: false,
        ...angledLabels(labelAngle ?? fittingAngle(occurring.map(label ?? numberText), across)),
        ...shared,
        ...labels,
      },
    };
  }
  const scales = {
    linear: { zero },
    log: { type: "log", nice: false },
    lengths: { type: "log", base: 2, nice: false, padding: 12 },
  };
  return {
    type: "quantitative",
    scale: { ...scales[spacing], ...(domain === undefined ? {} : { domain, nice: false }) },
    axis: { labelOverlap: true, labelSeparation: 4, tickCount: 6, ...shared, ...labels },
  };
}

/** The ends of an axis where Vega's own are of no use: a single value is centred. */
function domainOf(values: readonly number[], { spacing, zero = false }: AxisOptions): Domain | undefined {
  const [low, high] = endsOf(values);
  if (spacing === "lengths" && low < high) return [low, high];
  if (low !== high || spacing === "steps" || (zero && low !== 0)) return undefined;
  if (spacing !== "linear") return [low / 2, high * 2];
  return zero ? [0, 1] : [low - (Math.abs(low) * 0.1 || 1), high + (Math.abs(high) * 0.1 || 1)];
}

/** The powers of ten between the ends of an axis; none if there is at most one, as Vega's own ticks serve better. */
function decades([low, high]: Domain): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  return last - first < 1 ? [] : Array.from({ length: last - first + 1 }, (_, index) => Number(`1e${first + index}`));
}

function decadeLabel(value: number): string {
  if (value >= 0.001 && value < 1e6) return numberText(value);
  const raised = String(Math.round(Math.log10(value))).replace(/./g, (digit) => RAISED[digit]!);
  return `10${raised}`;
}

/** Labels looked up by value, so that axis and tooltip agree; the table is JSON, so no label can be run as code. */
export function labelled(values: readonly number[], label: (value: number) => string): Spec {
  const table = Object.fromEntries(values.map((value) => [value, plainText(label(value))]));
  return { labelExpr: `(${JSON.stringify(table)})[datum.value]` };
}

/** The angle that labels need to fit side by side on an axis. */
export function fittingAngle(labels: readonly string[], across: number): number {
  const room = across / labels.length;
  const widest = Math.max(...labels.map((label) => textWidth(plainText(label), LABEL_SIZE)));
  if (widest <= room - 4) return 0;
  return room < LABEL_SIZE * 1.5 ? -90 : -45;
}

/** Turned labels hang from their ends. */
export function angledLabels(labelAngle: number): Spec {
  if (labelAngle === 0) return { labelAngle };
  return { labelAngle, labelAlign: labelAngle > 0 ? "left" : "right", labelBaseline: "middle" };
}

/** The width of the labels of a vertical axis, in pixels; fixed, so that every renderer leaves the same room. */
export function labelExtent(labels: readonly string[]): number {
  const widest = Math.max(0, ...labels.map((label) => textWidth(plainText(label), LABEL_SIZE)));
  return Math.ceil(Math.min(widest, LABEL_LIMIT)) + 10;
}

/** Fixes the width of a vertical axis. */
export function fixedExtent(extent: number): Spec {
  return { minExtent: extent, maxExtent: extent, labelLimit: LABEL_LIMIT };
}

/** The room to the left of a chart, axis title included, in pixels. */
export function leftRoom(extent: number): number {
  return extent + 23;
}

/**
 * Formats a context length for an axis, and any other number as such.
 *
 * `K` is 1,024 tokens and `M` 1,048,576 everywhere, as in the flags of the shell, so 1,000,000 is written out.
 *
 * @param tokens A length in tokens. Range: 0 up.
 * @returns The length, with its unit letter where it is a whole number of units.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual([512, 4096, 131072, 200000, 1048576].map(lengthLabel), ["512", "4K", "128K", "200,000", "1M"]);
 * ```
 */
export function lengthLabel(tokens: number): string {
  return Number.isInteger(tokens) && tokens > 0 ? lengthText(tokens) : numberText(tokens);
}

/** What an axis of categories is made from. */
interface BandOptions {
  readonly title: string;
  readonly label?: ((value: Category) => string) | undefined;
  /** Degrees clockwise. */
  readonly labelAngle?: number | undefined;
  /** Room for the labels of a vertical axis, in pixels. */
  readonly extent?: number;
  /** Length of the axis in pixels, if it is horizontal. */
  readonly across?: number;
  readonly highlighted?: readonly Category[];
  readonly padding?: number;
}

/** The type, scale and axis of a position channel whose values are the numbers of categories, from 0, in their order. */
export function bandOf(values: readonly Category[], options: BandOptions): Spec {
  const { title, extent, across, highlighted = [], padding = 0 } = options;
  const label = options.label ?? categoryText;
  const labels = values.map((value) => plainText(label(value)));
  const labelAngle = options.labelAngle ?? (across === undefined ? 0 : fittingAngle(labels, across));
  return {
    type: "ordinal",
    scale: { type: "band", domain: values.map((_, index) => index), padding },
    axis: {
      title: plainText(title),
      grid: false,
      domain: padding > 0,
      ...angledLabels(labelAngle),
      ...(extent === undefined ? { labelLimit: 190, labelOverlap: labelAngle === 0 } : fixedExtent(extent)),
      // A category is identified by its number: its name may be any text, and is only ever used as a label.
      labelExpr: `${JSON.stringify(labels)}[datum.value]`,
      description: plainText(`${title}: ${labels.join(", ")}`),
      ...(highlighted.length === 0 ? {} : highlighting(highlighted.map((value) => values.indexOf(value)))),
    },
  };
}

/** A category as a reader sees it. */
export function categoryText(value: Category): string {
  return typeof value === "number" ? numberText(value) : plainText(value);
}

function highlighting(values: readonly number[]): Spec {
  const test = `indexof(${JSON.stringify(values)}, datum.value) >= 0`;
  return {
    labelColor: { condition: { test, value: WARNING }, value: SOFT_INK },
    labelFontWeight: { condition: { test, value: "bold" }, value: "normal" },
  };
}

/** A straight line across a chart, with its name. */
export interface Threshold {
  /** Where it crosses the vertical axis; the line is horizontal. */
  readonly y?: number;
  /** Where it crosses the horizontal axis, if it has no `y`; the line is vertical. */
  readonly x?: number;
  /** What the line means, its number included. */
  readonly label: string;
  /** The series whose colour the line takes; grey if none. */
  readonly series?: string;
}

/** What the layers of a threshold need to know of its chart. */
interface ThresholdOptions {
  readonly channels: Channels;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
  /** The lines of the chart, which the label must avoid. */
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
