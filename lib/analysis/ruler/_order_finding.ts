import type { Finding } from "../claims.ts";
import { differenceInterval } from "../intervals/difference_interval.ts";
import { lengthText } from "../length_text.ts";
import { at, cannotTell, meanGap, written } from "./_line_findings.ts";
import { normalReach } from "../intervals/_normal.ts";
import type { ScoreLine } from "./score_line.ts";

/**
 * Whether each line is above the next at every length. It holds if no two are the other way round and the first is above
 * the last on average; it fails if two are, beyond an interval that allows for the number of comparisons (Bonferroni).
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
  const overall = meanGap(within(first, lengths), within(last, lengths));
  const wrong = new Set(reversed.map(({ length }) => length));
  const worst = reversed.toSorted((left, right) => left.gap.score - right.gap.score)[0];
  const examples = worst === undefined
    ? ""
    : ` The farthest the other way round is ${worst.harder.series} above ${worst.easier.series} at ${
      lengthText(worst.length)
    }, by ${(-worst.gap.score).toFixed(1)}${sure.length > 0 ? "" : ", which is within chance"}.`;
  const lead = overall === null ? "" : ` ${first.series} is above ${last.series} by ${written(overall)} on average.`;
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

function within(line: ScoreLine, lengths: readonly number[]): ScoreLine {
  return { ...line, points: line.points.filter(({ length }) => lengths.includes(length)) };
}
