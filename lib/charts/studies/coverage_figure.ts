import {
  exactInterval,
  type Interval,
  midInterval,
  normalInterval,
  shareCoverage,
  wilsonInterval,
} from "@/lib/analysis/mod.ts";
import type { Figure } from "../figure.ts";
import { lineChart } from "../line_chart.ts";

/** Options for {@linkcode coverageFigure}. */
export interface CoverageFigureOptions {
  /** The finding. */
  readonly title: string;
  /** Yes/no samples behind each interval. Range: 1 to 500. */
  readonly trials: number;
}

const INTERVALS: Readonly<Record<string, (successes: number, trials: number) => Interval>> = {
  "textbook (mean ± 1.96 errors)": normalInterval,
  "Wilson": wilsonInterval,
  "exact": exactInterval,
  "mid-p, used here": midInterval,
};
// True scores from a half to nearly all right; the other half mirrors it.
const SHARES = Array.from({ length: 100 }, (_, at) => 0.5 + at / 200);

/**
 * Draws how often 95% intervals of a share hold the true one, exactly: the textbook one beside those that keep their width.
 *
 * @param options The finding, and the samples behind each interval.
 * @returns The figure.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * match(coverageFigure({ title: "Near 100 they differ", trials: 5 }).text, /5 samples an interval/);
 * ```
 */
export function coverageFigure(options: CoverageFigureOptions): Figure {
  const { title, trials } = options;
  const rows = Object.entries(INTERVALS).flatMap(([name, interval]) => {
    const known = Array.from({ length: trials + 1 }, (_, successes) => interval(successes, trials));
    return SHARES.map((share) => ({
      name,
      truth: 100 * share,
      covered: 100 * shareCoverage((successes) => known[successes]!, { trials, share }),
    }));
  });
  return lineChart(rows, {
    title,
    caption:
      "How often an interval that says 95% holds the true score. The zigzag: right answers come in whole numbers.",
    origin: "measured",
    n: `${trials} samples an interval, every number of right answers counted`,
    x: "truth",
    y: "covered",
    series: "name",
    seriesTitle: "Interval",
    xSpacing: "linear",
    xTitle: "True score (%)",
    yTitle: "Intervals that hold it (%)",
    xDomain: [50, 100],
    yDomain: [0, 100],
    thresholds: [{ y: 95, label: "95" }],
  });
}
