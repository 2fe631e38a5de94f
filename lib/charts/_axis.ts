import type { Spec } from "./figure.ts";
import { lengthLabel } from "./length_label.ts";
import { numberText } from "./number_text.ts";
import { distinctOf, type Domain, endsOf } from "./_rows.ts";
import { plainText, textWidth } from "./_text.ts";
import { LABEL_SIZE } from "./_theme.ts";

/**
 * How an axis is divided:
 * - *linear*: equal steps are equal differences
 * - *log*: equal steps are equal ratios, labelled in powers of ten
 * - *lengths*: equal steps are doublings, labelled `4K` to `1M`
 * - *steps*: the values that occur, evenly spaced
 */
export type Spacing = "linear" | "log" | "lengths" | "steps";

const LABEL_LIMIT = 190;
const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  [..."-0123456789"].map((digit, index) => [digit, [..."⁻⁰¹²³⁴⁵⁶⁷⁸⁹"][index]!]),
);

/** What an axis is made from. */
export interface AxisOptions {
  readonly title: string;
  readonly spacing: Spacing;
  readonly domain?: Domain;
  readonly label?: (value: number) => string;
  /** Degrees clockwise. */
  readonly labelAngle?: number;
  /** Room for the labels of a vertical axis, from {@linkcode labelExtent}. */
  readonly extent?: number;
  /** Length of a level axis, in pixels. */
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
    ...(labelAngle === undefined ? {} : turned(labelAngle)),
    ...(extent === undefined ? {} : fixedExtent(extent)),
  };
  const labels = label === undefined || ticks.length === 0 ? {} : { values: ticks, ...labelled(ticks, label) };
  if (spacing === "steps") {
    return {
      type: "ordinal",
      scale: { type: "point", padding: 0.4, domain: occurring },
      axis: {
        grid: false,
        ...turned(labelAngle ?? neededAngle(occurring.map(label ?? numberText), across)),
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

/** The ends of an axis where Vega would find none of use: one value alone stands in the middle, but keeps its 0. */
function domainOf(values: readonly number[], { spacing, zero = false }: AxisOptions): Domain | undefined {
  const [low, high] = endsOf(values);
  if (spacing === "lengths" && low < high) return [low, high];
  if (low !== high || spacing === "steps" || (zero && low !== 0)) return undefined;
  if (spacing !== "linear") return [low / 2, high * 2];
  return zero ? [0, 1] : [low - (Math.abs(low) * 0.1 || 1), high + (Math.abs(high) * 0.1 || 1)];
}

/** The powers of ten between the ends of an axis; none if there is at most one, and Vega's own marks serve better. */
function decades([low, high]: Domain): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  return last - first < 1 ? [] : Array.from({ length: last - first + 1 }, (_, index) => Number(`1e${first + index}`));
}

function decadeLabel(value: number): string {
  if (value >= 0.001 && value < 1e6) return numberText(value);
  const raised = String(Math.round(Math.log10(value))).replace(/./g, (digit) => RAISED[digit]!);
  return `10${raised}`;
}

/** Labels looked up by value, so that axis and tooltip say the same; the table is JSON, so no label can be run as code. */
export function labelled(values: readonly number[], label: (value: number) => string): Spec {
  const table = Object.fromEntries(values.map((value) => [value, plainText(label(value))]));
  return { labelExpr: `(${JSON.stringify(table)})[datum.value]` };
}

/** How far labels must be turned to stand side by side on an axis of some length. */
export function neededAngle(labels: readonly string[], across: number): number {
  const room = across / labels.length;
  const widest = Math.max(...labels.map((label) => textWidth(plainText(label), LABEL_SIZE)));
  if (widest <= room - 4) return 0;
  return room < LABEL_SIZE * 1.5 ? -90 : -45;
}

/** Turned labels hang from their ends. */
export function turned(labelAngle: number): Spec {
  if (labelAngle === 0) return { labelAngle };
  return { labelAngle, labelAlign: labelAngle > 0 ? "left" : "right", labelBaseline: "middle" };
}

/** How far the labels of a vertical axis reach, in pixels; fixed, so that every renderer leaves the same room. */
export function labelExtent(labels: readonly string[]): number {
  const widest = Math.max(0, ...labels.map((label) => textWidth(plainText(label), LABEL_SIZE)));
  return Math.ceil(Math.min(widest, LABEL_LIMIT)) + 10;
}

/** Makes a vertical axis reach as far as it was given room. */
export function fixedExtent(extent: number): Spec {
  return { minExtent: extent, maxExtent: extent, labelLimit: LABEL_LIMIT };
}

/** The room left of a chart, from the outer edge of its axis title, in pixels. */
export function leftRoom(extent: number): number {
  return extent + 23;
}
