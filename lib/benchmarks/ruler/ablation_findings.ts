import { CLOSED_BOOK_PANEL, type LinePoint, type ScoreLine } from "./ablations.ts";
import {
  cannotTell,
  differenceInterval,
  type ExplainedReply,
  type FailureClass,
  type Finding,
  meanInterval,
  normalReach,
  type ScoreWithInterval,
  type Verdict,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Whether a number is at least so much: its whole interval must be on one side. */
export function judge({ low, high }: ScoreWithInterval, atLeast: number): Verdict {
  return low >= atLeast ? "holds" : high < atLeast ? "fails" : "cannot tell";
}

/** Whether a number lies between two others: its whole interval must be inside, or beyond one of them. */
function judgeBetween({ low, high }: ScoreWithInterval, [from, to]: readonly [number, number]): Verdict {
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

const UNKNOWN = "The model's replies were not published.";

/** Whether at least so many percent of the replies to some tasks show a way of failing. */
export function countMode(
  replies: readonly ExplainedReply[] | null,
  options: {
    readonly class: FailureClass;
    readonly tasks: RegExp;
    /** Percent. */
    readonly atLeast: number;
    /** The length to look at; all unless given. */
    readonly length?: number;
    /** Only lengths beyond this one are looked at. */
    readonly beyond?: number;
  },
): Finding {
  if (replies === null) return cannotTell(UNKNOWN);
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
  const { low, high } = wilsonInterval(shown, asked.length);
  const share = { score: (100 * shown) / asked.length, low: 100 * low, high: 100 * high };
  return {
    verdict: judge(share, atLeast),
    observed: `${shown} of ${asked.length} replies show it: ${written(share)} percent.`,
  };
}

/** Whether the distractors given in place of a target stand nearer to it than distractors picked at random would. */
export function distanceOf(replies: readonly ExplainedReply[] | null, task: string): Finding {
  if (replies === null) return cannotTell(UNKNOWN);
  const nearer = replies.filter((reply) => reply.task === task).flatMap(({ modes }) =>
    modes.filter((mode) => mode.class === "distractor").flatMap(({ evidence }) =>
      evidence.flatMap((one) => one.nearer === undefined ? [] : [one.nearer])
    )
  );
  if (nearer.length === 0) return cannotTell("No reply gave a distractor's value.");
  const { mean, low, high } = meanInterval(nearer);
  const share = { score: 100 * mean, low: 100 * low, high: 100 * high };
  return {
    verdict: share.high < 50 ? "holds" : share.low >= 50 ? "fails" : "cannot tell",
    observed: `In ${nearer.length} wrong values, ${
      written(share)
    } percent of the other needles stand nearer to the target on average; at random it would be 50.`,
  };
}

export function hopLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  return byKnob(panelOf(lines, "hops"), (series) => Number(/hop=(\d+)/.exec(series)?.[1]));
}

export function chainLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  return byKnob(panelOf(lines, "chains"), (series) => Number(/chain=(\d+)/.exec(series)?.[1]));
}

export function onAverage(lines: readonly ScoreLine[]): Finding {
  const [fewest, most] = [lines[0], lines.at(-1)];
  if (fewest === undefined || most === undefined || fewest === most) return cannotTell("Fewer than two were asked.");
  const gap = meanGap(fewest, most);
  if (gap === null) return cannotTell("They share no length.");
  return {
    verdict: judge(gap, 0),
    observed: `${most.series} is below ${fewest.series} by ${written(gap)} points on average.`,
  };
}

/** Twice a score less two others, with its interval (MOVER, as for the difference of two). */
export function twice(
  middle: { readonly score: number; readonly low: number; readonly high: number },
  first: typeof middle,
  last: typeof middle,
): typeof middle {
  const score = 2 * middle.score - first.score - last.score;
  const down = Math.hypot(2 * (middle.score - middle.low), first.high - first.score, last.high - last.score);
  const up = Math.hypot(2 * (middle.high - middle.score), first.score - first.low, last.score - last.low);
  return { score, low: score - down, high: score + up };
}

export function keyLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  // The haystack of UUIDs is another kind of needle.
  const sameNeedles = panelOf(lines, "keys").filter(({ series }) => !series.includes("K=U"));
  return byKnob(sameNeedles, (series) => series.endsWith("FULL") ? Infinity : Number(series.replace("#K=", "")));
}

/** The vanilla line, those of the other types, and the longest length that all of them share. */
export function typesOf(
  lines: readonly ScoreLine[],
): { readonly vanilla: ScoreLine | undefined; readonly others: readonly ScoreLine[]; readonly longest: number | null } {
  const vanilla = lineNamed(lines, "Vanilla NIAH");
  const others = panelOf(lines, "needle type").filter(({ series }) => /^K=/.test(series));
  const known = vanilla !== undefined && others.length > 0;
  return { vanilla, others, longest: known ? longestShared([vanilla, ...others]) : null };
}

export function opposite(verdict: Finding["verdict"]): Finding["verdict"] {
  return verdict === "holds" ? "fails" : verdict === "fails" ? "holds" : verdict;
}

export function shortestOf(replies: readonly ExplainedReply[] | null, task: string): number {
  return Math.min(...(replies ?? []).filter((reply) => reply.task === task).map(({ length }) => length));
}

export interface OverBaseline {
  readonly first: LinePoint;
  readonly last: LinePoint;
  readonly baseline: ScoreWithInterval;
}

export function overBaseline(
  lines: readonly ScoreLine[],
  look: (over: OverBaseline) => { readonly verdict: Finding["verdict"]; readonly said: string },
): Finding {
  const found = panelOf(lines, "qa").flatMap((line) => {
    const baseline = lineNamed(panelOf(lines, CLOSED_BOOK_PANEL), `${line.series} w/o context`)?.points[0];
    const [first, last] = [line.points[0], line.points.at(-1)];
    if (baseline === undefined || first === undefined || last === undefined || first === last) return [];
    return [{ series: line.series, baseline, ...look({ first, last, baseline }) }];
  });
  if (found.length === 0) return cannotTell("It was not asked at two lengths and without context.");
  const said = found.map(({ series, baseline, said }) =>
    `${series} (${baseline.score.toFixed(1)} without context) ${said}`
  );
  return { verdict: allOf(found.map(({ verdict }) => verdict)), observed: `${said.join("; ")}.` };
}
