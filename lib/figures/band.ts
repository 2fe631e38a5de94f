import { fixedExtent, LABEL_LIMIT, widestOf } from "./axis.ts";
import type { Category } from "./chart_options.ts";
import { numberText, plainText, sharedFormat } from "./text_fit.ts";
import { LABEL_SIZE, type Spec } from "./theme.ts";

/** Returns the angle at which labels fit side by side on an axis. */
export function fittingAngle(labels: readonly string[], across: number): number {
  const room = across / labels.length;
  if (widestOf(labels) <= room - 4) return 0;
  return room < LABEL_SIZE * 1.5 ? -90 : -45;
}

/** Aligns rotated labels at their ends. */
export function angledLabels(labelAngle: number): Spec {
  if (labelAngle === 0) return { labelAngle };
  return { labelAngle, labelAlign: labelAngle > 0 ? "left" : "right", labelBaseline: "middle" };
}

interface BandOptions {
  readonly title: string;
  readonly label?: ((value: Category) => string) | undefined;
  readonly labelAngle?: number | undefined;
  /** Room for the labels of a vertical axis, in pixels. */
  readonly extent?: number;
  /** Length of the axis in pixels, if it is horizontal. */
  readonly across?: number;
  readonly padding?: number;
}

/** Returns the type, scale and axis of a position channel whose values are the indices of categories. */
export function bandOf(values: readonly Category[], options: BandOptions): Spec {
  const { title, extent, across, padding = 0 } = options;
  const labels = categoryTexts(values, options.label);
  const labelAngle = options.labelAngle ?? (across === undefined ? 0 : fittingAngle(labels, across));
  return {
    type: "ordinal",
    scale: { type: "band", domain: values.map((_, index) => index), padding },
    axis: {
      title: plainText(title),
      grid: false,
      domain: padding > 0,
      ...angledLabels(labelAngle),
      ...(across === undefined || labelAngle === 0 ? {} : { values: fittingLabels(labels.length, across, labelAngle) }),
      ...(extent === undefined ? { labelLimit: LABEL_LIMIT, labelOverlap: labelAngle === 0 } : fixedExtent(extent)),
      // A category is identified by its index: its name may be any text, and is only used as a label.
      labelExpr: `${JSON.stringify(labels)}[datum.value]`,
      description: plainText(`${title}: ${labels.join(", ")}`),
    },
  };
}

/** Returns the indices of the categories whose rotated labels fit on an axis: all, every second, and so on. */
function fittingLabels(count: number, across: number, labelAngle: number): readonly number[] {
  const pitch = LABEL_SIZE / Math.max(Math.abs(Math.sin(labelAngle * Math.PI / 180)), 0.5);
  const step = Math.ceil(pitch * count / across);
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}

/** Formats the categories of an axis; numbers have the same decimals if they remain distinct. */
export function categoryTexts(
  values: readonly Category[],
  label?: ((value: Category) => string) | undefined,
): readonly string[] {
  const numbers = values.filter((value) => typeof value === "number");
  const text = sharedFormat(numbers);
  const isClear = new Set(numbers.map(text)).size === numbers.length;
  const ofNumber = isClear ? text : numberText;
  return values.map((value) =>
    label === undefined && typeof value === "number" ? ofNumber(value) : plainText((label ?? categoryText)(value))
  );
}

export function categoryText(value: Category): string {
  return typeof value === "number" ? numberText(value) : plainText(value);
}
