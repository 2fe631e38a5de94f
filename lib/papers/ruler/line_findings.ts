import { lengthText } from "@/lib/base/mod.ts";
import { at, lineNamed, type ScoreLine, sharedLengths } from "./score_lines.ts";
import {
  decidedByDifference,
  differenceInterval,
  type Finding,
  normalReach,
  notAsked,
  type ScoreWithInterval,
  type Verdict,
  verdictOf,
  weightedMean,
} from "@/lib/statistics/mod.ts";

/** Returns the mean difference of two lines over the lengths that they share, or those `among` them. */
export function meanGap(first: ScoreLine, second: ScoreLine, among?: readonly number[]): ScoreWithInterval | null {
  const lengths = sharedLengths([first, second]).filter((length) => among?.includes(length) ?? true);
  if (lengths.length === 0) return null;
  return meanPoint(lengths.map((length) => differenceInterval(at(first, length)!, at(second, length)!)));
}

export function meanPoint(points: readonly ScoreWithInterval[]): ScoreWithInterval {
  return weightedMean(points, points.map(() => 1));
}

/** Checks that a number is at least a bound: the whole interval must be on one side. */
export function judge({ low, high }: ScoreWithInterval, atLeast: number): Verdict {
  return verdictOf(low >= atLeast, high < atLeast);
}

/** Checks that the first of two scores is above the second, by {@linkcode decidedByDifference}. */
export function judgeAbove(first: ScoreWithInterval, second: ScoreWithInterval, observed = ""): Finding {
  return decidedByDifference(differenceInterval(first, second), observed, { scores: [first, second] });
}

/** Combines the verdicts of parts that must all hold. */
export function allOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fails")) return "fails";
  return verdicts.every((verdict) => verdict === "holds") ? "holds" : "cannot tell";
}

/** Joins the findings of parts that must all hold; it is not asked if a part is not. */
export function allFindings(parts: readonly Finding[]): Finding {
  const observed = parts.map((part) => part.observed).join(" ");
  if (parts.some(({ isAsked }) => isAsked === false)) return notAsked(observed);
  return { verdict: allOf(parts.map(({ verdict }) => verdict)), observed };
}

export function scoreText({ score, low, high }: ScoreWithInterval): string {
  return `${score.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

/** Formats the difference of two lines: "A is below B by 6.0 (5.2 to 6.7)". */
export function gapText(first: ScoreLine, second: ScoreLine, gap: ScoreWithInterval): string {
  return gap.score < 0
    ? `${first.series} is below ${second.series} by ${scoreText({ score: -gap.score, low: -gap.high, high: -gap.low })}`
    : `${first.series} is above ${second.series} by ${scoreText(gap)}`;
}

/** Checks that the second line is `atLeast` to `atMost` points below the first at a length; at all by default. */
export function below(
  lines: readonly ScoreLine[],
  [first, second]: readonly [string, string],
  { atLeast = 0, atMost = Infinity, length }: {
    readonly atLeast?: number;
    readonly atMost?: number;
    readonly length: number;
  },
): Finding {
  const [from, to] = [first, second].map((series) => at(lineNamed(lines, series), length));
  if (from === undefined || to === undefined) {
    return notAsked(`${first} and ${second} were not both asked at ${lengthText(length)}.`);
  }
  const loss = differenceInterval(from, to);
  const scores = `${first} scores ${from.score.toFixed(1)} and ${second} ${to.score.toFixed(1)}`;
  const observed = `At ${lengthText(length)} ${scores}: a loss of ${scoreText(loss)}.`;
  const enough = decidedByDifference(loss, observed, { scores: [from, to], bar: atLeast });
  const isMore = verdictOf(loss.high <= atMost, loss.low > atMost);
  return enough.verdict === "holds" ? { verdict: isMore, observed } : enough;
}

/**
 * Checks that each line is above the next on average over the lengths that they share: at a single length neighbouring settings often
 * differ by less than the samples show. It holds if no two means are reversed and the first line is above the last beyond chance; it fails
 * if two lines are reversed, on average or at a length, beyond an interval that is corrected for the number of comparisons (Bonferroni).
 */
export function ordered(lines: readonly ScoreLine[]): Finding {
  const [first, last] = [lines[0], lines.at(-1)];
  const overall = first === undefined || first === last ? null : meanGap(first, last!);
  if (overall === null) return notAsked("Fewer than two lines have a score at any one length.");
  const steps = lines.slice(1).flatMap((harder, before) => {
    const easier = lines[before]!;
    const gap = meanGap(easier, harder);
    return gap === null ? [] : [{ easier, harder, gap }];
  });
  const lengths = sharedLengths(lines);
  const gaps = lengths.map((length) =>
    steps.map(({ easier, harder }) => differenceInterval(at(easier, length)!, at(harder, length)!))
  );
  const inOrder = gaps.filter((ofLength) => ofLength.every(({ score }) => score >= 0));
  const compared = [...steps.map(({ gap }) => gap), ...gaps.flat()];
  const factor = normalReach(1 - 0.05 / compared.length) / normalReach(0.95);
  const isSure = compared.some(({ score, high }) => score + factor * (high - score) < 0);
  const isInOrder = steps.every(({ gap }) => gap.score >= 0) && overall.low > 0;
  const texts = steps.map(({ easier, harder, gap }) => gapText(easier, harder, gap)).join(", ");
  return {
    verdict: verdictOf(isInOrder && !isSure, isSure),
    observed: `On average ${texts}. In order at ${inOrder.length} of ${lengths.length} lengths.`,
  };
}
