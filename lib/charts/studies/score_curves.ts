import { type Origin, RULER_THRESHOLD, type ScoreRow } from "@/lib/analysis/mod.ts";
import type { Figure } from "../figure.ts";
import { lineChart } from "../line_chart.ts";

/** Options for {@linkcode scoreCurves}. */
export interface ScoreCurvesOptions {
  /** The finding. */
  readonly title: string;
  /** What the lines are, over the legend, such as `Task` or `Model`. */
  readonly seriesTitle: string;
  /** Samples behind each point. */
  readonly n: number | string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /**
   * The score that a length must reach to be effective, in percent.
   *
   * @default {RULER_THRESHOLD}
   */
  readonly threshold?: number;
}

/**
 * Draws scores by context length: a line for each task or mean, with its interval as a band where it has one.
 *
 * @param rows Scores by task and length; rows without a score are gaps.
 * @param options Title, legend, n and origin.
 * @returns The figure.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { task: "vt", n: 25, failed: 0, noAnswer: 0 };
 * const rows = [{ ...row, length: 4096, score: 96, low: 80, high: 99 }, { ...row, length: 8192, score: 80, low: 60, high: 92 }];
 * const figure = scoreCurves(rows, { title: "Chains break", seriesTitle: "Task", n: 25, origin: "measured" });
 * match(await figure.svg(), /Chains break/);
 * ```
 */
export function scoreCurves(rows: readonly ScoreRow[], options: ScoreCurvesOptions): Figure {
  const { threshold = RULER_THRESHOLD, ...labels } = options;
  const withIntervals = rows.some(({ low }) => low !== null);
  return lineChart(rows, {
    ...labels,
    x: "length",
    y: "score",
    series: "task",
    xTitle: "Context length (tokens)",
    yTitle: "Score (%)",
    yDomain: [0, 100],
    caption: `${
      withIntervals ? "Bands are 95% intervals. " : ""
    }The level line is the score that makes a length effective: ${threshold}, Llama2-7B's at 4K in the RULER paper unless another was chosen.`,
    thresholds: [{ y: threshold, label: String(threshold) }],
    ...(withIntervals ? { low: "low", high: "high", interval: "95% interval" } as const : {}),
  });
}
