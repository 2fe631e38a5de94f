import type { ScoreRow } from "@/lib/analysis/mod.ts";
import type { Field, Figure, FigureOptions } from "./figure.ts";
import { lineChart } from "./line_chart.ts";

/** Options for {@linkcode knobCurves}. */
export interface KnobCurvesOptions<Row> extends Pick<FigureOptions, "title" | "n" | "origin"> {
  /** The field of the knob that is turned along the horizontal axis. */
  readonly x: Field<Row>;
  /** What it is, with its unit. */
  readonly xTitle: string;
  /** The field of another knob, with a line for each of its values. */
  readonly series?: Field<Row>;
  /** What the lines are, over the legend. */
  readonly seriesTitle?: string;
}

/**
 * Draws scores by a knob of a task, such as the number of steps: a line for each value of another knob, with intervals.
 *
 * @param rows Scores with the knobs of their tasks beside them.
 * @param options What is turned, title, n and origin.
 * @returns The figure; the values of the knob are evenly spaced.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { task: "a", length: 4096, n: 25, failed: 0, noAnswer: 0 };
 * const rows = [{ ...row, steps: 2, score: 90, low: 70, high: 97 }, { ...row, steps: 5, score: 40, low: 23, high: 59 }];
 * const options = { x: "steps", xTitle: "Steps in a thread", title: "Long threads break", n: 25, origin: "measured" } as const;
 * match(await knobCurves(rows, options).svg(), /Long threads break/);
 * ```
 */
export function knobCurves<Row extends ScoreRow>(rows: readonly Row[], options: KnobCurvesOptions<Row>): Figure {
  const hasIntervals = rows.some(({ low }) => low !== null);
  return lineChart(rows, {
    ...options,
    y: "score" as Field<Row>,
    yTitle: "Score (%)",
    yDomain: [0, 100],
    xSpacing: "steps",
    caption: `Mean score of the samples.${hasIntervals ? " Bars are 95% intervals." : ""}`,
    ...(hasIntervals
      ? { low: "low" as Field<Row>, high: "high" as Field<Row>, interval: "95% interval", intervalAs: "bars" as const }
      : {}),
  });
}
