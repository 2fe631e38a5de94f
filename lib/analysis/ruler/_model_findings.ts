import { linearRegression, linearRegressionLine, rSquared } from "simple-statistics";
import type { Finding } from "../claims.ts";
import { differenceInterval, type ScoreWithInterval } from "../intervals/difference_interval.ts";
import { lengthText } from "../length_text.ts";
import { allOf, at, cannotTell, judge, sharedLengths, written } from "./_line_findings.ts";
import type { ModelLine } from "./model_lines.ts";
import type { LinePoint } from "./score_line.ts";

/** The share of its score at the shortest length that a model loses to the longest, in percent. */
function relativeLoss(first: LinePoint, last: LinePoint): ScoreWithInterval {
  const ratio = last.score / first.score;
  // The interval of a ratio, from those of its parts (MOVER; Donner and Zou 2012); the first score is above 0.
  const down = Math.hypot(last.score - last.low, ratio * (first.high - first.score)) / first.score;
  const up = Math.hypot(last.high - last.score, ratio * (first.score - first.low)) / first.score;
  return { score: 100 * (1 - ratio), low: 100 * (1 - ratio - up), high: 100 * (1 - ratio + down) };
}

/** Whether the first of two models is above the second at the shortest length, and loses a smaller share by the longest. */
export function sizeFindings(
  larger: ModelLine,
  smaller: ModelLine,
): { readonly atShortest: Finding; readonly relative: Finding } {
  const lengths = sharedLengths([larger, smaller]);
  const [shortest, longest] = [lengths[0], lengths.at(-1)];
  if (shortest === undefined || longest === undefined || shortest === longest) {
    const open = cannotTell(`${larger.series} and ${smaller.series} do not share two lengths.`);
    return { atShortest: open, relative: open };
  }
  const [from, to] = [larger, smaller].map((line) => [at(line, shortest)!, at(line, longest)!] as const) as [
    readonly [LinePoint, LinePoint],
    readonly [LinePoint, LinePoint],
  ];
  const gap = differenceInterval(from[0], to[0]);
  const names = `${larger.series} scores ${from[0].score.toFixed(1)} and ${smaller.series} ${to[0].score.toFixed(1)}`;
  const atShortest: Finding = {
    verdict: judge(gap, 0),
    observed: `At ${lengthText(shortest)} ${names}: a difference of ${written(gap)}.`,
  };
  if (from[0].score === 0 || to[0].score === 0) {
    return { atShortest, relative: cannotTell("A model that scores 0 at the shortest length has nothing to lose.") };
  }
  const [kept, lost] = [relativeLoss(...from), relativeLoss(...to)];
  return {
    atShortest,
    relative: {
      verdict: judge(differenceInterval(lost, kept), 0),
      observed: `From ${lengthText(shortest)} to ${lengthText(longest)} ${larger.series} loses ${
        written(kept)
      } percent of its score, ${smaller.series} ${written(lost)}.`,
    },
  };
}

/** Whether models fall by so many points in the first doubling beyond what they were trained on, more than in any within. */
export function extrapolationFinding(lines: readonly ModelLine[], atLeast: number): Finding {
  const found = lines.flatMap(({ series, points, trained }) => {
    const last = points.findLastIndex(({ length }) => trained !== null && length <= trained);
    const [edge, beyond] = [points[last], points[last + 1]];
    if (edge === undefined || beyond === undefined) return [];
    const steps = points.slice(0, last + 1).slice(1).map((point, before) => points[before]!.score - point.score);
    return [{ series, edge, beyond, drop: differenceInterval(edge, beyond), within: Math.max(0, ...steps) }];
  });
  if (found.length === 0) return cannotTell("No model was asked beyond the length it is said to be trained on.");
  const said = found.map(({ series, edge, beyond, drop, within }) =>
    `${series} loses ${written(drop)} from ${lengthText(edge.length)} to ${lengthText(beyond.length)}, at most ${
      within.toFixed(1)
    } a step before`
  );
  return {
    verdict: allOf(found.map(({ drop, within }) => judge(drop, Math.max(atLeast, within)))),
    observed: `${said.join("; ")}.`,
  };
}

/** Whether scores stand within so many points of a straight line over the logarithm of the length. */
export function straightFinding(lines: readonly ModelLine[], margin: number): Finding {
  const found = lines.flatMap(({ series, points, trained }) => {
    const within = points.filter(({ length }) => trained === null || length <= trained);
    if (within.length < 3) return [];
    const places = within.map(({ length, score }) => [Math.log2(length), score]);
    const line = linearRegressionLine(linearRegression(places));
    const misses = within.map((point, at) => ({ point, miss: Math.abs(point.score - line(places[at]![0]!)) }));
    const worst = misses.reduce((most, next) => next.miss > most.miss ? next : most);
    // A flat line has no variance to explain.
    const isFlat = within.every(({ score }) => score === within[0]!.score);
    return [{ series, worst, square: isFlat ? null : rSquared(places, line) }];
  });
  if (found.length === 0) return cannotTell("No model was asked at three lengths that it was trained on.");
  const verdicts = found.map(({ worst: { point, miss } }) => {
    const reach = Math.max(point.score - point.low, point.high - point.score);
    return judge({ score: -miss, low: -miss - reach, high: -Math.max(0, miss - reach) }, -margin);
  });
  const said = found.map(({ series, worst, square }) =>
    `${series} within ${worst.miss.toFixed(1)} points${square === null ? "" : ` (R² ${square.toFixed(2)})`}`
  );
  return { verdict: allOf(verdicts), observed: `${said.join(", ")}.` };
}
