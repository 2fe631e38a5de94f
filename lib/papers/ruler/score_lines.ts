import { PAPER_SAMPLES } from "./published_leaderboard.ts";
import { type FigureOptions, lengthLabel } from "@/lib/figures/mod.ts";
import { midInterval, type ScoreRow, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** A line of a figure: the scores of one task or model over lengths. */
export interface ScoreLine {
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
  /** Number of samples, if known. */
  readonly n?: number;
}

/** Options for figures of score lines. */
export interface LineFigureOptions extends Pick<FigureOptions, "title" | "caption" | "origin" | "warning" | "n"> {
  /** Whether to draw the 95% intervals. */
  readonly withIntervals?: boolean;
}

/** The axes of a chart of score lines. */
export const SCORE_AXES = {
  x: "length",
  y: "score",
  series: "series",
  xTitle: "Context length (tokens)",
  xLabel: lengthLabel,
  yDomain: [0, 100],
} as const;

export const INTERVALS = { low: "low", high: "high", interval: "95% interval" } as const;

/** Converts the rows that have a score. */
export function pointsOf(rows: readonly ScoreRow[]): readonly LinePoint[] {
  return rows.flatMap(({ length, score, low, high, n }): LinePoint[] =>
    score === null || low === null || high === null ? [] : [{ length, score, low, high, n }]
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

export function at(line: ScoreLine | undefined, length: number): LinePoint | undefined {
  return line?.points.find((point) => point.length === length);
}

/** Returns the lengths at which all lines have a score, rising. */
export function sharedLengths([first, ...others]: readonly ScoreLine[]): readonly number[] {
  return (first?.points ?? []).map(({ length }) => length)
    .filter((length) => others.every((line) => at(line, length) !== undefined));
}

const KNOBS = {
  hops: /hop=(\d+)/,
  chains: /chain=(\d+)/,
  alpha: /alpha=([\d.]+)/,
  values: /^#V=(\d+)$/,
  // Without the haystack of UUIDs, which is another type of needle.
  keys: /^#K=(\d+|FULL)$/,
} as const;

/** Returns the lines of a panel by their knob, rising; a haystack of nothing but keys comes last. */
export function knobLines(lines: readonly ScoreLine[], panel: keyof typeof KNOBS): readonly ScoreLine[] {
  const valueOf = ({ series }: ScoreLine): number => {
    const value = KNOBS[panel].exec(series)?.[1];
    return value === "FULL" ? Infinity : Number(value);
  };
  const known = panelOf(lines, panel).filter((line) => !Number.isNaN(valueOf(line)));
  return known.toSorted((left, right) => valueOf(left) - valueOf(right));
}

export function lineNamed(lines: readonly ScoreLine[], series: string): ScoreLine | undefined {
  return lines.find((line) => line.series === series);
}
