import { fixedExtent, neededAngle, turned } from "./_axis.ts";
import type { Spec } from "./figure.ts";
import type { Category } from "./_categories.ts";
import { numberText } from "./number_text.ts";
import { plainText } from "./_text.ts";
import { SOFT_INK, WARNING } from "./_theme.ts";

/** What an axis of categories is made from. */
export interface BandOptions {
  readonly title: string;
  readonly label?: ((value: Category) => string) | undefined;
  /** Degrees clockwise. */
  readonly labelAngle?: number | undefined;
  /** Room for the labels of a vertical axis, in pixels. */
  readonly extent?: number;
  /** Length of the axis in pixels, if it is level. */
  readonly across?: number;
  readonly highlighted?: readonly Category[];
  readonly padding?: number;
}

/** The type, scale and axis of a position channel whose values are the numbers of categories, from 0, in their order. */
export function bandOf(values: readonly Category[], options: BandOptions): Spec {
  const { title, extent, across, highlighted = [], padding = 0 } = options;
  const label = options.label ?? categoryText;
  const labels = values.map((value) => plainText(label(value)));
  const labelAngle = options.labelAngle ?? (across === undefined ? 0 : neededAngle(labels, across));
  return {
    type: "ordinal",
    scale: { type: "band", domain: values.map((_, index) => index), padding },
    axis: {
      title: plainText(title),
      grid: false,
      domain: padding > 0,
      ...turned(labelAngle),
      ...(extent === undefined ? { labelLimit: 190, labelOverlap: labelAngle === 0 } : fixedExtent(extent)),
      // A category is known by its number: its name may be any text, and only a label is ever made of it.
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
