import type { Spec } from "./figure.ts";
import { lengthLabel } from "./length_label.ts";
import { numberText } from "./number_text.ts";
import { distinctOf, type Domain } from "./_rows.ts";
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
  const domain = options.domain ?? (spacing === "lengths" ? lengthDomain(values) : undefined);
  const label = options.label ?? (spacing === "lengths" ? lengthLabel : undefined);
  const occurring = distinctOf(values).sort((left, right) => left - right);
  const shared = {
    title: plainText(title),
    ...(labelAngle === undefined ? {} : turned(labelAngle)),
    ...(extent === undefined ? {} : fixedExtent(extent)),
  };
  const labels = label === undefined ? {} : { values: occurring, ...labelled(occurring, label) };
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
    log: { type: "log" },
    lengths: { type: "log", base: 2, nice: false, padding: 12 },
  };
  return {
    type: "quantitative",
    scale: { ...scales[spacing], ...(domain === undefined ? {} : { domain, nice: false }) },
    axis: { labelOverlap: true, labelSeparation: 4, ...shared, ...labels },
  };
}

/** A logarithmic axis cannot have one value for both its ends. */
function lengthDomain(values: readonly number[]): Domain {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return low === high ? [low / 2, high * 2] : [low, high];
}

/** Labels looked up by value, so that axis and tooltip say the same; the table is JSON, so no label can be run as code. */
export function labelled<T extends number | string>(values: readonly T[], label: (value: T) => string): Spec {
  const table = Object.fromEntries(values.map((value) => [`=${value}`, plainText(label(value))]));
  return { labelExpr: `(${JSON.stringify(table)})['=' + datum.value]` };
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
