import { at, gapText, judge, meanGap, panelOf, type ScoreLine, scoreText, sharedLengths } from "./score_lines.ts";
import {
  cannotTell,
  differenceInterval,
  type Finding,
  normalReach,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Checks that the second line is `atLeast` to `atMost` points below the first at the longest length of both. */
export function below(
  lines: readonly ScoreLine[],
  [first, second]: readonly [string, string],
  { atLeast, atMost = Infinity }: { readonly atLeast: number; readonly atMost?: number },
): Finding {
  const [upper, lower] = [lineNamed(lines, first), lineNamed(lines, second)];
  if (upper === undefined || lower === undefined) return cannotTell(`${first} and ${second} were not both asked.`);
  const longest = longestShared([upper, lower]);
  if (longest === undefined) return cannotTell(`${first} and ${second} share no length.`);
  const [from, to] = [at(upper, longest)!, at(lower, longest)!];
  const loss = differenceInterval(from, to);
  const { low, high } = loss;
  return {
    // The whole interval must be inside, or beyond one end.
    verdict: low >= atLeast && high <= atMost ? "holds" : high < atLeast || low > atMost ? "fails" : "cannot tell",
    observed: `At ${lengthText(longest)} ${first} scores ${from.score.toFixed(1)} and ${second} ${
      to.score.toFixed(1)
    }: a loss of ${scoreText(loss)}.`,
  };
}

/**
 * Checks that each line is above the next at every length. It holds if no two are reversed and the first is above the last on average;
 * it fails if two are reversed beyond an interval that is corrected for the number of comparisons (Bonferroni).
 */
export function ordered(lines: readonly ScoreLine[], lengths = allLengths(lines)): Finding {
  const pairs = lengths.flatMap((length) => {
    const there = lines.filter((line) => at(line, length) !== undefined);
    return there.slice(1).map((harder, before) => {
      const easier = there[before]!;
      return { length, easier, harder, gap: differenceInterval(at(easier, length)!, at(harder, length)!) };
    });
  });
  if (pairs.length === 0) return cannotTell("Fewer than two lines have a score at any one length.");
  const reversed = pairs.filter(({ gap }) => gap.score < 0);
  const factor = normalReach(1 - 0.05 / pairs.length) / normalReach(0.95);
  const sure = reversed.filter(({ gap }) => gap.score + factor * (gap.high - gap.score) < 0);
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const overall = meanGap(first, last, lengths);
  const wrong = new Set(reversed.map(({ length }) => length));
  const worst = reversed.toSorted((left, right) => left.gap.score - right.gap.score)[0];
  const examples = worst === undefined
    ? ""
    : ` The largest reversal is ${worst.harder.series} above ${worst.easier.series} at ${
      lengthText(worst.length)
    }, by ${(-worst.gap.score).toFixed(1)}${sure.length > 0 ? "" : ", which is within chance"}.`;
  const lead = overall === null ? "" : ` ${gapText(first, last, overall)} on average.`;
  return {
    verdict: sure.length > 0
      ? "fails"
      : reversed.length === 0 && overall !== null && overall.low > 0
      ? "holds"
      : "cannot tell",
    observed: `In order at ${lengths.length - wrong.size} of ${lengths.length} lengths.${lead}${examples}`,
  };
}

function allLengths(lines: readonly ScoreLine[]): readonly number[] {
  const lengths = new Set(lines.flatMap(({ points }) => points.map(({ length }) => length)));
  return [...lengths].sort((left, right) => left - right);
}

/** Checks that the first line is above the last, on average over the lengths that they share. */
export function onAverage(lines: readonly ScoreLine[]): Finding {
  const [fewest, most] = [lines[0], lines.at(-1)];
  if (fewest === undefined || most === undefined || fewest === most) return cannotTell("Fewer than two were asked.");
  const gap = meanGap(fewest, most);
  if (gap === null) return cannotTell("They share no length.");
  return {
    verdict: judge(gap, 0),
    observed: `${gapText(fewest, most, gap)} points on average.`,
  };
}

/** Returns twice a score less two others, with its interval by MOVER, as for the difference of two. */
export function twice(
  middle: ScoreWithInterval,
  first: ScoreWithInterval,
  last: ScoreWithInterval,
): ScoreWithInterval {
  const score = 2 * middle.score - first.score - last.score;
  const down = Math.hypot(2 * (middle.score - middle.low), first.high - first.score, last.high - last.score);
  const up = Math.hypot(2 * (middle.high - middle.score), first.score - first.low, last.score - last.low);
  return { score, low: score - down, high: score + up };
}

const KNOBS = {
  hops: /hop=(\d+)/,
  chains: /chain=(\d+)/,
  alpha: /alpha=([\d.]+)/,
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

/** Returns the vanilla line, those of the other types, and the longest length that all share; `null` without any. */
export function typesOf(
  lines: readonly ScoreLine[],
): { readonly vanilla: ScoreLine; readonly others: readonly ScoreLine[]; readonly longest: number } | null {
  const vanilla = lineNamed(lines, "Vanilla NIAH");
  const others = panelOf(lines, "needle type").filter(({ series }) => /^K=/.test(series));
  if (vanilla === undefined || others.length === 0) return null;
  const longest = longestShared([vanilla, ...others]);
  return longest === undefined ? null : { vanilla, others, longest };
}

export function lineNamed(lines: readonly ScoreLine[], series: string): ScoreLine | undefined {
  return lines.find((line) => line.series === series);
}

/** Returns the longest length at which all lines have a score. */
export function longestShared(lines: readonly ScoreLine[]): number | undefined {
  return sharedLengths(lines).at(-1);
}
