import type { Finding, Verdict } from "../claims.ts";
import { differenceInterval, type ScoreWithInterval } from "../intervals/difference_interval.ts";
import { lengthText } from "../length_text.ts";
import type { LinePoint, ScoreLine } from "./score_line.ts";

/** A finding that leaves the claim open. */
export function cannotTell(observed: string): Finding {
  return { verdict: "cannot tell", observed };
}

/** Whether a number is at least so much: its whole interval must be on one side. */
export function judge({ low, high }: ScoreWithInterval, atLeast: number): Verdict {
  return low >= atLeast ? "holds" : high < atLeast ? "fails" : "cannot tell";
}

/** Whether a number lies between two others: its whole interval must be inside, or beyond one of them. */
export function judgeBetween({ low, high }: ScoreWithInterval, [from, to]: readonly [number, number]): Verdict {
  return low >= from && high <= to ? "holds" : high < from || low > to ? "fails" : "cannot tell";
}

/** Verdicts of parts that must all hold. */
export function allOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fails")) return "fails";
  return verdicts.every((verdict) => verdict === "holds") ? "holds" : "cannot tell";
}

/** The line of a panel with some name. */
export function lineNamed(lines: readonly ScoreLine[], series: string): ScoreLine | undefined {
  return lines.find((line) => line.series === series);
}

/** The lines of a panel, in their order. */
export function panelOf(lines: readonly ScoreLine[], panel: string): readonly ScoreLine[] {
  return lines.filter((line) => line.panel === panel);
}

/** A score with its interval, to a decimal. */
export function written({ score, low, high }: ScoreWithInterval): string {
  return `${score.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

/** The point of a line at a length. */
export function at({ points }: ScoreLine, length: number): LinePoint | undefined {
  return points.find((point) => point.length === length);
}

/** The greatest length at which all of some lines have a score. */
export function longestShared(lines: readonly ScoreLine[]): number | null {
  return sharedLengths(lines).at(-1) ?? null;
}

/** The lengths at which all of some lines have a score, rising. */
export function sharedLengths(lines: readonly ScoreLine[]): readonly number[] {
  const [first, ...others] = lines;
  return (first?.points ?? []).map(({ length }) => length)
    .filter((length) => others.every((line) => at(line, length) !== undefined));
}

/** The mean, over the lengths that two lines share, of how far the first is above the second. */
export function meanGap(first: ScoreLine, second: ScoreLine): ScoreWithInterval | null {
  const lengths = sharedLengths([first, second]);
  if (lengths.length === 0) return null;
  return meanPoint(lengths.map((length) => differenceInterval(at(first, length)!, at(second, length)!)));
}

/** The mean of points, with its interval (MOVER, as for differences). */
export function meanPoint(points: readonly ScoreWithInterval[]): ScoreWithInterval {
  const count = points.length;
  const score = points.reduce((sum, point) => sum + point.score, 0) / count;
  return {
    score,
    low: score - Math.hypot(...points.map((point) => point.score - point.low)) / count,
    high: score + Math.hypot(...points.map((point) => point.high - point.score)) / count,
  };
}

/** Lines by their knob, rising. */
export function byKnob(lines: readonly ScoreLine[], knobOf: (series: string) => number): readonly ScoreLine[] {
  return lines.toSorted((left, right) => knobOf(left.series) - knobOf(right.series));
}

/** How far a line is below another at the longest length they share. */
export function fall(upper: ScoreLine, lower: ScoreLine): ScoreWithInterval | null {
  const longest = longestShared([upper, lower]);
  return longest === null ? null : differenceInterval(at(upper, longest)!, at(lower, longest)!);
}

/** Whether a line falls by so many points from its shortest to its longest length. */
export function fromTo(line: ScoreLine | undefined, atLeast: number): Finding {
  const [first, last] = [line?.points[0], line?.points.at(-1)];
  if (line === undefined || first === undefined || last === undefined || first === last) {
    return cannotTell("It was not asked at two lengths.");
  }
  const loss = differenceInterval(first, last);
  return {
    verdict: judge(loss, atLeast),
    observed: `${line.series} goes from ${first.score.toFixed(1)} at ${lengthText(first.length)} to ${
      last.score.toFixed(1)
    } at ${lengthText(last.length)}, a loss of ${written(loss)}.`,
  };
}

/** Whether the second of two lines is so many points below the first at the longest length, and not more than so many. */
export function below(
  lines: readonly ScoreLine[],
  [first, second]: readonly [string, string],
  { atLeast, atMost = Infinity }: { readonly atLeast: number; readonly atMost?: number },
): Finding {
  const [upper, lower] = [lineNamed(lines, first), lineNamed(lines, second)];
  if (upper === undefined || lower === undefined) return cannotTell(`${first} and ${second} were not both asked.`);
  const loss = fall(upper, lower);
  const longest = longestShared([upper, lower]);
  if (loss === null || longest === null) return cannotTell(`${first} and ${second} share no length.`);
  const [from, to] = [at(upper, longest)!, at(lower, longest)!];
  return {
    verdict: judgeBetween(loss, [atLeast, atMost]),
    observed: `At ${lengthText(longest)} ${first} scores ${from.score.toFixed(1)} and ${second} ${
      to.score.toFixed(1)
    }: a loss of ${written(loss)}.`,
  };
}
