import type { ContextLimit } from "@/lib/analysis/mod.ts";
import type { Figure, FigureOptions } from "../figure.ts";
import { lineChart } from "../line_chart.ts";

/** An effective context limit that belongs to a line of a figure. */
export interface LimitPoint extends ContextLimit {
  /** The name of the line. */
  readonly series: string;
}

/** Options for {@linkcode limitCurves}. */
export interface LimitCurvesOptions extends Pick<FigureOptions, "title" | "n" | "origin"> {
  /** What makes the task harder, with its unit. */
  readonly xTitle: string;
  /** The limit, with the unit of its sizes. */
  readonly yTitle: string;
  /** What the lines are, over the legend. */
  readonly seriesTitle: string;
  /** The accuracy that counts as effective, in percent. */
  readonly level: number;
}

/**
 * Draws effective context limits by difficulty, which are the contours of accuracy at one level.
 *
 * @param points Limits of at least one line.
 * @param options Axes, level, title, n and origin.
 * @returns The figure.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const limit = { series: "random", limit: 8000, low: 6000, high: 9000, isBeyond: false };
 * const points = [{ ...limit, difficulty: 2 }, { ...limit, difficulty: 25, limit: 7000 }];
 * const axes = { xTitle: "Needles", yTitle: "Limit (tokens)", seriesTitle: "Placement", level: 75 };
 * match(await limitCurves(points, { ...axes, title: "Few or many", n: 10, origin: "measured" }).svg(), /Few or many/);
 * ```
 */
export function limitCurves(points: readonly LimitPoint[], options: LimitCurvesOptions): Figure {
  const { level, ...rest } = options;
  const beyond = points.some(({ isBeyond }) => isBeyond)
    ? " A limit at the greatest size tested may lie beyond it."
    : "";
  return lineChart(points, {
    ...rest,
    x: "difficulty",
    y: "limit",
    series: "series",
    low: "low",
    high: "high",
    interval: "95% interval (Bayesian bootstrap over samples)",
    xSpacing: "steps",
    caption:
      `The size at which accuracy falls through ${level}%: below a line the model is more accurate, above it less.${beyond}`,
  });
}
