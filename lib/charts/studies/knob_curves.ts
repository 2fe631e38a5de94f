import type { KnobRow } from "@/lib/analysis/mod.ts";
import type { Figure, FigureOptions } from "../figure.ts";
import { lineChart } from "../line_chart.ts";

/** What a figure by knobs needs of a row. */
export type KnobPoint = Pick<KnobRow, "knobs" | "score" | "low" | "high">;

/** Options for {@linkcode knobCurves}. */
export interface KnobCurvesOptions extends Pick<FigureOptions, "title" | "n" | "origin"> {
  /** The knob that is turned along the horizontal axis, a number in every row. */
  readonly knob: string;
  /** What it is, with its unit. */
  readonly xTitle: string;
  /** Another knob, with a line for each of its values. */
  readonly series?: string;
  /** What the lines are, over the legend. */
  readonly seriesTitle?: string;
}

/**
 * Draws scores by a knob of a task, such as the number of steps: a line for each value of another knob, with intervals.
 *
 * @param rows Scores with the knobs of their tasks.
 * @param options What is turned, title, n and origin.
 * @returns The figure; the values of the knob are evenly spaced.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const rows = [
 *   { knobs: { steps: 2 }, score: 90, low: 70, high: 97 },
 *   { knobs: { steps: 5 }, score: 40, low: 23, high: 59 },
 * ];
 * const options = { knob: "steps", xTitle: "Steps", title: "Long threads break", n: 25, origin: "measured" } as const;
 * match(await knobCurves(rows, options).svg(), /Long threads break/);
 * ```
 */
export function knobCurves(rows: readonly KnobPoint[], options: KnobCurvesOptions): Figure {
  const { knob, series, ...labels } = options;
  const points = rows.map(({ knobs, score, low, high }) => ({
    x: Number(knobs[knob]),
    line: String(knobs[series ?? ""] ?? ""),
    ...{ score, low, high },
  }));
  const hasIntervals = rows.some(({ low }) => low !== null);
  return lineChart(points, {
    ...labels,
    x: "x",
    y: "score",
    yTitle: "Score (%)",
    yDomain: [0, 100],
    xSpacing: "steps",
    caption: `Mean score of the samples.${hasIntervals ? " Bars are 95% intervals." : ""}`,
    ...(series === undefined ? {} : { series: "line" as const }),
    ...(hasIntervals ? { low: "low", high: "high", interval: "95% interval", intervalAs: "bars" } as const : {}),
  });
}
