import type { Spacing } from "./chart_options.ts";
import type { FigureFrame } from "./figure.ts";
import { distinctOf, endsOf } from "./row_values.ts";
import { fourDigits, numberText, plainText, textWidth } from "./text_fit.ts";
import { type Domain, LABEL_SIZE, type Spec } from "./theme.ts";
import { lengthText } from "@/lib/base/mod.ts";

/** The maximum width of the labels of a vertical axis, in pixels, and as a share of the frame. */
export const LABEL_LIMIT = 220;

const LABEL_SHARE = 0.42;

/** The room to the left of a chart whose vertical axis is shown by its neighbour, in pixels. */
export const WITHOUT_AXIS = 4;

/** Adds an invisible mark over a chart, higher than labels of axes and points at its upper end, so that the titles of a row align. */
export function withTopSpace(body: Spec): Spec {
  const mark = { type: "point", x: 0, y: -6, size: 1, opacity: 0, tooltip: null, aria: false };
  return { ...body, layer: [...body["layer"] as readonly Spec[], { data: { values: [{}] }, mark }] };
}

/** Removes the title of an axis that is shown below. */
export function withoutTitle(position: Spec, isShared = false): Spec {
  return isShared ? { ...position, axis: { ...position["axis"] as Spec, title: null } } : position;
}

/** Removes title and labels of an axis that is shown to the left. */
export function withoutLabels(position: Spec, isShared = false): Spec {
  if (!isShared) return position;
  const { minExtent: _, maxExtent: __, ...axis } = position["axis"] as Spec;
  return { ...position, axis: { ...axis, title: null, labels: false, ticks: false } };
}

/**
 * Divides the width of a frame, so that the labels of the vertical axis have the same room in every renderer.
 *
 * @returns Pixels: the width of the labels of the vertical axis, the distance from its outer edge to the origin, and the width of
 *   the chart itself.
 */
export function divideFrame(
  frame: FigureFrame,
  labels: readonly string[],
  hasTitle = true,
): { readonly extent: number; readonly left: number; readonly width: number } {
  const limit = Math.min(LABEL_LIMIT, Math.round(LABEL_SHARE * frame.width));
  const extent = Math.ceil(Math.min(widestOf(labels), limit)) + 10;
  const left = frame.shared?.y ? WITHOUT_AXIS : extent + (hasTitle ? 23 : 3);
  return { extent, left, width: Math.round(frame.width - left - frame.room - 16) };
}

export function widestOf(labels: readonly string[]): number {
  return Math.max(0, ...labels.map((label) => textWidth(plainText(label), LABEL_SIZE)));
}

/** Returns the widest labels of an axis, with minus signs; without a domain a rounded scale may need one digit more. */
export function endLabels(values: readonly number[], domain: Domain | undefined): string[] {
  // Labels between the ends have decimals if there are about six.
  const decimals = domain === undefined ? 0 : Math.max(0, Math.ceil(-Math.log10((domain[1] - domain[0]) / 5)));
  const texts = domain?.map((end) => decimals === 0 ? numberText(end) : end.toFixed(decimals)) ??
    endsOf(values).map((end) => `${numberText(end)}0`);
  return texts.map((text) => text.replace("-", "−"));
}

interface AxisOptions {
  readonly title: string;
  readonly spacing: Spacing;
  readonly domain?: Domain | undefined;
  readonly label?: ((value: number) => string) | undefined;
  /** Room for the labels of a vertical axis, in pixels. */
  readonly extent?: number;
  /** The room that points moved to the side need at both ends, in pixels. */
  readonly aside?: number;
  /** Whether an axis without a domain starts at 0. */
  readonly zero?: boolean;
}

/** Returns the type, scale and axis of a position channel. */
export function positionOf(values: readonly number[], options: AxisOptions): Spec {
  const { spacing, title, extent, zero = false, aside = 0 } = options;
  const occurring = distinctOf(values).sort((left, right) => left - right);
  const domain = options.domain ?? domainOf(occurring, options);
  const ticks = options.label === undefined ? ticksOf(occurring, spacing, domain) : occurring;
  const label = options.label ??
    { linear: undefined, steps: undefined, lengths: lengthLabels(ticks), log: decadeLabel }[spacing];
  const shared = { title: plainText(title), ...(extent === undefined ? {} : fixedExtent(extent)) };
  const labels = label === undefined || ticks.length === 0 ? {} : { values: ticks, ...labelled(ticks, label) };
  if (spacing === "steps") {
    return {
      type: "ordinal",
      scale: { type: "point", padding: 0.4, domain: occurring },
      axis: {
        grid: false,
        labelAngle: 0,
        labelOverlap: true,
        labelSeparation: 4,
        ...shared,
        ...labels,
      },
    };
  }
  const padding = aside + (spacing === "lengths" ? 12 : 0);
  const scales = {
    linear: { zero },
    log: { type: "log", nice: false },
    lengths: { type: "log", base: 2, nice: false },
  };
  return {
    type: "quantitative",
    scale: {
      ...scales[spacing],
      ...(padding === 0 ? {} : { padding }),
      ...(domain === undefined ? {} : { domain, nice: false }),
    },
    axis: { labelOverlap: true, labelSeparation: 4, tickCount: 6, ...shared, ...labels },
  };
}

/** Returns the ends of an axis if Vega's default is unsuitable: a single value is centred. */
function domainOf(values: readonly number[], { spacing, zero = false }: AxisOptions): Domain | undefined {
  const [low, high] = endsOf(values);
  if (spacing === "lengths" && low < high) return [low, high];
  if (low !== high || spacing === "steps" || (zero && low !== 0)) return undefined;
  if (spacing !== "linear") return [low / 2, high * 2];
  return zero ? [0, 1] : [low - (Math.abs(low) * 0.1 || 1), high + (Math.abs(high) * 0.1 || 1)];
}

// Lengths that an axis names, if they are no powers of two.
const MAX_LENGTHS = 10;

/** Returns the values that an axis names: those that occur, but round ones of a logarithmic axis and of many lengths. */
function ticksOf(occurring: readonly number[], spacing: Spacing, domain = endsOf(occurring)): readonly number[] {
  if (spacing === "log") return decades(domain);
  if (spacing !== "lengths" || occurring.length <= MAX_LENGTHS) return occurring;
  const [first, last] = [Math.ceil(Math.log2(domain[0])), Math.floor(Math.log2(domain[1]))];
  return last - first < 2 ? occurring : Array.from({ length: last - first + 1 }, (_, index) => 2 ** (first + index));
}

/** Returns the powers of ten between the ends of an axis; none if there is at most one, as Vega's ticks are better then. */
function decades([low, high]: Domain): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  return last - first < 1 ? [] : Array.from({ length: last - first + 1 }, (_, index) => Number(`1e${first + index}`));
}

const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  [..."-0123456789"].map((digit, index) => [digit, [..."⁻⁰¹²³⁴⁵⁶⁷⁸⁹"][index]!]),
);

function decadeLabel(value: number): string {
  if (value >= 0.001 && value < 1e6) return numberText(value);
  const raised = String(Math.round(Math.log10(value))).replace(/./g, (digit) => RAISED[digit]!);
  return `10${raised}`;
}

/** Looks up labels by value, so that axis and tooltip agree; the table is JSON, so no label can be run as code. */
export function labelled(values: readonly number[], label: (value: number) => string): Spec {
  const table = Object.fromEntries(values.map((value) => [fourDigits(value), plainText(label(value))]));
  return { labelExpr: `(${JSON.stringify(table)})[datum.value]` };
}

/** Fixes the width of a vertical axis. */
export function fixedExtent(extent: number): Spec {
  return { minExtent: extent, maxExtent: extent, labelLimit: Math.min(extent - 8, LABEL_LIMIT) };
}

/**
 * Formats a context length for an axis, and any other number as such.
 *
 * `K` is 1,024 tokens and `M` 1,048,576, as in command-line flags, so 1,000,000 is written in full.
 */
export function lengthLabel(tokens: number): string {
  return Number.isInteger(tokens) && tokens > 0 ? lengthText(tokens) : numberText(tokens);
}

/** Returns the format of the context lengths of one axis: {@linkcode lengthLabel}, or all in full if some must be. */
export function lengthLabels(lengths: readonly number[]): (tokens: number) => string {
  return lengths.some((tokens) => lengthLabel(tokens).includes(",")) ? numberText : lengthLabel;
}
