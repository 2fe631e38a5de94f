import { PAPER_SAMPLES } from "./leaderboard.ts";
import {
  differenceInterval,
  midInterval,
  type ScoreRow,
  type ScoreWithInterval,
  type Verdict,
} from "@/lib/statistics/mod.ts";

/** A line of a figure: the scores of one task or model over lengths. */
export interface ScoreLine {
  /** The panel it is drawn in. */
  readonly panel: string;
  /** Its name in the legend. */
  readonly series: string;
  /** Lengths rising; those without a score are left out. */
  readonly points: readonly LinePoint[];
}

/** A score at a length, with its interval, all in percent. */
export interface LinePoint extends ScoreWithInterval {
  /** Context length in tokens. */
  readonly length: number;
}

/** Converts the rows that have a score. */
export function pointsOf(rows: readonly ScoreRow[]): readonly LinePoint[] {
  return rows.flatMap(({ length, score, low, high }): LinePoint[] =>
    score === null || low === null || high === null ? [] : [{ length, score, low, high }]
  ).toSorted((left, right) => left.length - right.length);
}

/**
 * Adds to a printed score the interval of {@linkcode PAPER_SAMPLES} yes/no answers to each task, the number of section 4 of the paper;
 * sections 5 and 6 state none.
 */
export function printedPoint(
  { length, score }: { readonly length: number; readonly score: number },
  tasks = 1,
): LinePoint {
  const n = tasks * PAPER_SAMPLES;
  const { low, high } = midInterval((score / 100) * n, n);
  return { length, score, low: 100 * low, high: 100 * high };
}

export function panelOf(lines: readonly ScoreLine[], panel: string): readonly ScoreLine[] {
  return lines.filter((line) => line.panel === panel);
}

export function at({ points }: ScoreLine, length: number): LinePoint | undefined {
  return points.find((point) => point.length === length);
}

/** Returns the lengths at which all lines have a score, rising. */
export function sharedLengths([first, ...others]: readonly ScoreLine[]): readonly number[] {
  return (first?.points ?? []).map(({ length }) => length)
    .filter((length) => others.every((line) => at(line, length) !== undefined));
}

/** Returns the mean difference of two lines over the lengths that they share, or those `among` them. */
export function meanGap(first: ScoreLine, second: ScoreLine, among?: readonly number[]): ScoreWithInterval | null {
  const lengths = sharedLengths([first, second]).filter((length) => among?.includes(length) ?? true);
  if (lengths.length === 0) return null;
  return meanPoint(lengths.map((length) => differenceInterval(at(first, length)!, at(second, length)!)));
}

/** Averages points, with the interval by MOVER, as for differences. */
export function meanPoint(points: readonly ScoreWithInterval[]): ScoreWithInterval {
  const count = points.length;
  const score = points.reduce((sum, point) => sum + point.score, 0) / count;
  return {
    score,
    low: score - Math.hypot(...points.map((point) => point.score - point.low)) / count,
    high: score + Math.hypot(...points.map((point) => point.high - point.score)) / count,
  };
}

/** Checks that a number is at least a bound: the whole interval must be on one side. */
export function judge({ low, high }: ScoreWithInterval, atLeast: number): Verdict {
  return low >= atLeast ? "holds" : high < atLeast ? "fails" : "cannot tell";
}

/** Combines the verdicts of parts that must all hold. */
export function allOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fails")) return "fails";
  return verdicts.every((verdict) => verdict === "holds") ? "holds" : "cannot tell";
}

/** Formats a score with its interval, to one decimal. */
export function scoreText({ score, low, high }: ScoreWithInterval): string {
  return `${score.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

/** Formats the difference of two lines: "A is below B by 6.0 (5.2 to 6.7)". */
export function gapText(first: ScoreLine, second: ScoreLine, gap: ScoreWithInterval): string {
  return gap.score < 0
    ? `${first.series} is below ${second.series} by ${scoreText({ score: -gap.score, low: -gap.high, high: -gap.low })}`
    : `${first.series} is above ${second.series} by ${scoreText(gap)}`;
}
