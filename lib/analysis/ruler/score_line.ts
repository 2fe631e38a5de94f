import type { ScoreWithInterval } from "../intervals/difference_interval.ts";
import { midInterval } from "../intervals/interval.ts";
import { PAPER_SAMPLES } from "../published/published_score_rows.ts";
import type { ScoreRow } from "../row.ts";

/** A score at a length, with its interval, all in percent. */
export interface LinePoint extends ScoreWithInterval {
  /** Context length in tokens. */
  readonly length: number;
}

/** A line of a figure: how one task or model fares over lengths. */
export interface ScoreLine {
  /** Which panel it stands in. */
  readonly panel: string;
  /** Its name in the legend. */
  readonly series: string;
  /** Its points, lengths rising; lengths without a score are left out. */
  readonly points: readonly LinePoint[];
}

/** A point of a line as a row of a chart. */
export interface LineRow extends LinePoint {
  /** The line's name. */
  readonly series: string;
}

/**
 * Gives the points of lines as rows of a chart.
 *
 * @param lines The lines.
 * @param panel The panel whose lines are wanted; all unless given.
 * @returns A row a point, in the order of the lines.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const point = { length: 4096, score: 90, low: 80, high: 95 };
 * const lines = [{ panel: "keys", series: "#K=4", points: [point] }];
 * deepEqual(lineRows(lines, "keys"), [{ series: "#K=4", ...point }]);
 * deepEqual(lineRows(lines, "values"), []);
 * ```
 */
export function lineRows(lines: readonly ScoreLine[], panel?: string): readonly LineRow[] {
  return lines.filter((line) => panel === undefined || line.panel === panel)
    .flatMap(({ series, points }) => points.map((point) => ({ series, ...point })));
}

/** The points of the rows that have a score, lengths rising. */
export function pointsOf(rows: readonly ScoreRow[]): readonly LinePoint[] {
  return rows.flatMap(({ length, score, low, high }): LinePoint[] =>
    score === null || low === null || high === null ? [] : [{ length, score, low, high }]
  ).toSorted((left, right) => left.length - right.length);
}

/**
 * A printed score as if it had been measured here on yes/no answers: on {@linkcode PAPER_SAMPLES} of each task, which
 * section 4 states for the main results and section 5 does not say otherwise.
 */
export function printedPoint(
  { length, score }: { readonly length: number; readonly score: number },
  tasks = 1,
): LinePoint {
  const n = tasks * PAPER_SAMPLES;
  const { low, high } = midInterval((score / 100) * n, n);
  return { length, score, low: 100 * low, high: 100 * high };
}
