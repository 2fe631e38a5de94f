import { lengthLabel } from "@/lib/figures/mod.ts";
import { isLengthEvidence } from "@/lib/papers/evidence/evidence.ts";
import type { Evidence, LengthEvidence } from "@/lib/statistics/mod.ts";

/** A line of a figure: the scores of one task or model over lengths. */
export interface ScoreLine {
  readonly series: string;
  /** Lengths rising; those without a score are left out. */
  readonly points: readonly LengthEvidence[];
}

export const SCORE_AXES = {
  x: "length",
  y: "score",
  series: "series",
  xTitle: "Context length (tokens)",
  xLabel: lengthLabel,
  yDomain: [0, 100],
} as const;

/** Returns the lines of scores at some lengths, in the order of the rows; rows whose line is `null` are left out. */
export function scoreLines(rows: readonly Evidence[], lineOf: (row: Evidence) => string | null): readonly ScoreLine[] {
  const placed = rows.filter(isLengthEvidence);
  return [...Map.groupBy(placed, lineOf)].flatMap(([series, points]) =>
    series === null ? [] : [{ series, points: points.toSorted((left, right) => left.length - right.length) }]
  );
}

export function at(line: ScoreLine | undefined, length: number): LengthEvidence | undefined {
  return line?.points.find((point) => point.length === length);
}

/** Returns the lengths at which all lines have a score, rising. */
export function sharedLengths([first, ...others]: readonly ScoreLine[]): readonly number[] {
  return (first?.points ?? []).map(({ length }) => length)
    .filter((length) => others.every((line) => at(line, length) !== undefined));
}

export function lineNamed(lines: readonly ScoreLine[], series: string): ScoreLine | undefined {
  return lines.find((line) => line.series === series);
}

/** Returns the points of a line with its name, for a chart. */
export function seriesPoints({ series, points }: ScoreLine): readonly (LengthEvidence & Pick<ScoreLine, "series">)[] {
  return points.map((point) => ({ ...point, series }));
}
