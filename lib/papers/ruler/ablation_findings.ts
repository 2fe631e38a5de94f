import { CLOSED_BOOK_PANEL } from "./ablations.ts";
import { allOf, at, judge, meanGap, panelOf, placed, type ScoreLine, sharedLengths, written } from "./score_lines.ts";
import {
  cannotTell,
  differenceInterval,
  type ExplainedReply,
  type FailureClass,
  type Finding,
  meanOfClusters,
  normalReach,
  type ScoreWithInterval,
  shareInPercent,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Whether the second line is between `atLeast` and `atMost` points below the first at the longest length of both. */
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
    }: a loss of ${written(loss)}.`,
  };
}

/** Whether a line falls from its shortest to its longest length. */
export function falls(line: ScoreLine | undefined): Finding {
  const [first, last] = [line?.points[0], line?.points.at(-1)];
  if (line === undefined || first === undefined || last === undefined || first === last) {
    return cannotTell("It was not asked at two lengths.");
  }
  const loss = differenceInterval(first, last);
  return {
    verdict: judge(loss, 0),
    observed: `${line.series} goes from ${first.score.toFixed(1)} at ${lengthText(first.length)} to ${
      last.score.toFixed(1)
    } at ${lengthText(last.length)}, a loss of ${written(loss)}.`,
  };
}

/**
 * Whether each line is above the next at every length. It holds if no two are reversed and the first is above the last on
 * average; it fails if two are, beyond an interval that allows for the number of comparisons (Bonferroni).
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
  const lead = overall === null ? "" : ` ${placed(first, last, overall)} on average.`;
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

/** Whether the first line is above the last, on average over the lengths that they share. */
export function onAverage(lines: readonly ScoreLine[]): Finding {
  const [fewest, most] = [lines[0], lines.at(-1)];
  if (fewest === undefined || most === undefined || fewest === most) return cannotTell("Fewer than two were asked.");
  const gap = meanGap(fewest, most);
  if (gap === null) return cannotTell("They share no length.");
  return {
    verdict: judge(gap, 0),
    observed: `${placed(fewest, most, gap)} points on average.`,
  };
}

/** Whether question answering comes nearer to its score without context as the context grows. */
export function approachesBaseline(lines: readonly ScoreLine[]): Finding {
  const found = panelOf(lines, "qa").flatMap(({ series, points }) => {
    const baseline = lineNamed(panelOf(lines, CLOSED_BOOK_PANEL), `${series} w/o context`)?.points[0];
    const [first, last] = [points[0], points.at(-1)];
    if (baseline === undefined || first === undefined || last === undefined || first === last) return [];
    const loss = differenceInterval(first, last);
    const closed = (100 * loss.score) / (first.score - baseline.score);
    const share = Number.isFinite(closed) ? `, ${closed.toFixed(0)}% of the way` : "";
    const lost = `loses ${written(loss)} from ${lengthText(first.length)} to ${lengthText(last.length)}${share}`;
    const left = `is still ${written(differenceInterval(last, baseline))} above it`;
    return [{ loss, said: `${series} (${baseline.score.toFixed(1)} without context) ${lost}, and ${left}` }];
  });
  if (found.length === 0) return cannotTell("It was not asked at two lengths and without context.");
  return {
    verdict: allOf(found.map(({ loss }) => judge(loss, 0))),
    observed: `${found.map(({ said }) => said).join("; ")}.`,
  };
}

/** Twice a score less two others, with its interval (MOVER, as for the difference of two). */
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

export const UNKNOWN_REPLIES = "The model's replies were not published.";

/** Whether at least so many percent of the replies to some tasks fail in a given way. */
export function countMode(
  replies: readonly ExplainedReply[] | null,
  options: {
    readonly class: FailureClass;
    readonly tasks: RegExp;
    /** Percent. */
    readonly atLeast: number;
    readonly length?: number;
    /** Only lengths beyond this one count. */
    readonly beyond?: number;
  },
): Finding {
  if (replies === null) return cannotTell(UNKNOWN_REPLIES);
  const { class: name, tasks, atLeast, length, beyond = 0 } = options;
  const asked = replies.filter((reply) =>
    tasks.test(reply.task) && !reply.failed && (length === undefined || reply.length === length) &&
    reply.length > beyond
  );
  if (asked.length === 0) {
    const at = length === undefined || !Number.isFinite(length) ? "" : ` at ${lengthText(length)}`;
    const where = beyond === 0 ? at : ` beyond ${lengthText(beyond)}`;
    return cannotTell(`No such task was asked${where}, or every call failed.`);
  }
  const shown = asked.filter(({ modes }) => modes.some((mode) => mode.class === name)).length;
  const share = shareInPercent(shown, asked.length);
  return {
    verdict: judge(share, atLeast),
    observed: `${shown} of ${asked.length} replies show it: ${written(share)} percent.`,
  };
}

/** Whether distractors given in place of a target stand nearer to it than distractors picked at random. */
export function distanceOf(replies: readonly ExplainedReply[] | null, task: string): Finding {
  if (replies === null) return cannotTell(UNKNOWN_REPLIES);
  // The wrong values of one reply are about the same target.
  const nearer = replies.filter((reply) => reply.task === task).flatMap(({ modes }, at) =>
    modes.filter((mode) => mode.class === "distractor").flatMap(({ evidence }) =>
      evidence.flatMap((one) =>
        one.nearer === undefined ? [] : [{ cell: task, cluster: String(at), values: [one.nearer] }]
      )
    )
  );
  if (nearer.length === 0) return cannotTell("No reply gave a distractor's value.");
  const { mean, low, high } = meanOfClusters(nearer);
  const share = { score: 100 * mean, low: 100 * low, high: 100 * high };
  return {
    verdict: share.high < 50 ? "holds" : share.low >= 50 ? "fails" : "cannot tell",
    observed: `In ${nearer.length} wrong values, ${
      written(share)
    } percent of the other needles are nearer to the target on average; at random it would be 50.`,
  };
}

/** The lines of a panel by their knob, rising. */
function byKnob(
  lines: readonly ScoreLine[],
  { panel, knobOf }: { readonly panel: string; readonly knobOf: (series: string) => number },
): readonly ScoreLine[] {
  return panelOf(lines, panel).toSorted((left, right) => knobOf(left.series) - knobOf(right.series));
}

export function hopLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  return byKnob(lines, { panel: "hops", knobOf: (series) => Number(/hop=(\d+)/.exec(series)?.[1]) });
}

export function chainLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  return byKnob(lines, { panel: "chains", knobOf: (series) => Number(/chain=(\d+)/.exec(series)?.[1]) });
}

export function alphaLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  return byKnob(lines, { panel: "alpha", knobOf: (series) => Number(series.replace("alpha=", "")) });
}

/** The lines by number of keys; the haystack of UUIDs is left out, as it is another type of needle. */
export function keyLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  const knobOf = (series: string): number => series.endsWith("FULL") ? Infinity : Number(series.replace("#K=", ""));
  return byKnob(lines.filter(({ series }) => !series.includes("K=U")), { panel: "keys", knobOf });
}

/** The vanilla line, those of the other types, and the longest length that all of them share; `null` without any. */
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

/** The longest length at which all the lines have a score. */
export function longestShared(lines: readonly ScoreLine[]): number | undefined {
  return sharedLengths(lines).at(-1);
}
