import { labelExtent, leftRoom, positionOf } from "./_axis.ts";
import { barLayers, BARS } from "./_bar_layers.ts";
import { type Bars, readBars } from "./_bars.ts";
import { bandOf, categoryText } from "./_band_axis.ts";
import { makeFigure, originsOf, saidOf } from "./_figure.ts";
import { cannotDraw, checkFigure, endsOf } from "./_rows.ts";
import { lookOf, seriesLegend, type SeriesLook } from "./_series.ts";
import type { BarOptions } from "./bar_options.ts";
import type { Drawing, Figure, Frame } from "./figure.ts";
import { numberText } from "./number_text.ts";

/**
 * Draws bars: a number for each of some names, by series side by side or stacked, with intervals as thin bars.
 *
 * A bar whose value is `null`, or that has no row, says "n/a"; a 0 has no length and says nothing unless values are shown.
 *
 * @param rows At least one row, in any order; at most one for each bar.
 * @param options What to draw and what to say of it.
 * @returns The figure.
 * @throws {RangeError} If there are no rows or no value, two rows for one bar, a value outside the domain, or a stack with a part that is missing, negative or has an interval.
 * @throws {TypeError} If a value is something other than a number or `null`.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const figure = barChart([{ task: "cwe", score: 84.8 }, { task: "fwe", score: null }], {
 *   title: "Common words are counted well",
 *   caption: "The second task was not run.",
 *   origin: "simulated",
 *   n: 25,
 *   category: "task",
 *   value: "score",
 *   categoryTitle: "Task",
 *   valueTitle: "Score (%)",
 * });
 * match(await figure.svg(), /n\/a/);
 * ```
 */
export function barChart<Row extends object>(rows: readonly Row[], options: BarOptions<Row>): Figure {
  checkFigure(rows, options);
  const { title, caption, width = 700, origin } = options;
  const hasInterval = options.low !== undefined && options.high !== undefined;
  if (hasInterval && options.interval === undefined) {
    throw cannotDraw(title, "interval must say what low and high are", options.interval);
  }
  const read = readBars(rows, options);
  const look = lookOf(read.series, options);
  return makeFigure({
    title,
    caption,
    said: saidOf(hasInterval ? { ...options, interval: `thin lines: ${options.interval}` } : options),
    origins: originsOf(origin),
    width,
    view: BARS,
    ...seriesLegend(look, options),
    draw: (frame) => drawBars(read, { options, look, frame }),
  });
}

function drawBars<Row extends object>(
  read: Bars<Row>,
  { options, look, frame }: { readonly options: BarOptions<Row>; readonly look: SeriesLook; readonly frame: Frame },
): Drawing {
  const { horizontal = false, stacked = false } = options;
  const names = read.categories.map(options.categoryLabel ?? categoryText);
  const extent = labelExtent(horizontal ? names : valueLabels(read, options));
  const left = leftRoom(extent);
  const beside = stacked ? 1 : read.series.length;
  const width = Math.round(frame.width - left - frame.room - 16);
  const height = options.height ?? (horizontal ? Math.max(60, names.length * (beside * 14 + 10)) : 280);
  const category = bandOf(read.categories, {
    title: options.categoryTitle,
    label: options.categoryLabel,
    labelAngle: options.labelAngle,
    padding: !horizontal && width > names.length * 150 ? 0.5 : 0.25,
    ...(horizontal ? { extent } : { across: width }),
  });
  const value = positionOf(lengthsOf(read, options), {
    title: options.valueTitle,
    spacing: "linear",
    zero: true,
    ...(options.valueDomain === undefined ? {} : { domain: options.valueDomain }),
    ...(horizontal ? {} : { extent }),
  });
  return {
    left,
    body: { width, height, layer: barLayers(read, { options, look, category, value, legend: frame.legend }) },
  };
}

/** All that the axis of values has to show. */
function lengthsOf<Row>({ bars }: Bars<Row>, { stacked }: BarOptions<Row>): number[] {
  if (!stacked) return bars.flatMap(({ value, low, high }) => [value, low, high]).filter((value) => value !== null);
  const stacks = Map.groupBy(bars, ({ category }) => category).values();
  return stacks.map((parts) => parts.reduce((sum, { value }) => sum + (value ?? 0), 0)).toArray();
}

function valueLabels<Row>(read: Bars<Row>, options: BarOptions<Row>): string[] {
  // A scale without a domain is rounded outwards: one digit more.
  return options.valueDomain?.map(numberText) ?? endsOf(lengthsOf(read, options)).map((end) => `${numberText(end)}0`);
}
