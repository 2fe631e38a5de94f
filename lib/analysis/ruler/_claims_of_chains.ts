import type { AblationEvidence } from "./ablation_claims.ts";
import type { Claim } from "../claims.ts";
import { differenceInterval } from "../intervals/difference_interval.ts";
import { lengthText } from "../length_text.ts";
import { allOf, at, byKnob, cannotTell, judge, meanGap, panelOf, written } from "./_line_findings.ts";
import { ordered } from "./_order_finding.ts";
import type { ScoreLine } from "./score_line.ts";

const FIGURE_3 = "section 5; Figure 3";
const MIDDLE = 131_072;

/** Claims about variable tracking. */
export const CLAIMS_OF_CHAINS: readonly Claim<AblationEvidence>[] = [
  {
    id: "R19-hops",
    source: `${FIGURE_3}, left`,
    kind: "paper",
    quote: "both adding more chains and more hops contribute to large degradation in Yi’s performance",
    statement:
      "More hops contribute to the degradation (our measure: the most score lower than the fewest, on average over the " +
      "lengths, beyond chance).",
    check: ({ lines }) => onAverage(hopLines(lines)),
  },
  {
    id: "R19-hops-each",
    source: `${FIGURE_3}, left`,
    kind: "check",
    statement: "More hops lower the score at every length.",
    check: ({ lines }) => ordered(hopLines(lines)),
  },
  {
    id: "R19-chains",
    source: `${FIGURE_3}, middle left`,
    kind: "paper",
    quote: "both adding more chains and more hops contribute to large degradation in Yi’s performance",
    statement:
      "More chains contribute to the degradation (our measure: the most score lower than the fewest, on average over the " +
      "lengths, beyond chance).",
    check: ({ lines }) => onAverage(chainLines(lines)),
  },
  {
    id: "R19-chains-each",
    source: `${FIGURE_3}, middle left`,
    kind: "check",
    statement: "More chains lower the score at every length.",
    check: ({ lines }) => ordered(chainLines(lines)),
  },
  {
    id: "R19-steady",
    source: `${FIGURE_3}, left`,
    kind: "paper",
    quote: "Yi consistently degrades in the more-hops setting as we increase context size",
    statement:
      "With several hops the score falls consistently with length (our measure: a loss from the shortest to the longest, and " +
      "no rise from one length to the next, both beyond chance).",
    check: ({ lines }) => {
      const hops = hopLines(lines).filter(({ points }) => points.length > 1);
      if (hops.length === 0) return cannotTell("It was not asked at two lengths.");
      const losses = hops.map(({ points }) => differenceInterval(points[0]!, points.at(-1)!));
      const rises = hops.flatMap(({ series, points }) =>
        points.slice(1).map((point, before) => ({ series, point, gap: differenceInterval(point, points[before]!) }))
      ).filter(({ gap }) => gap.low > 0);
      const said = losses.map((loss, line) => `${hops[line]!.series} ${written(loss)}`).join(", ");
      const rising = rises.map(({ series, point }) => `${series} at ${lengthText(point.length)}`).join(", ");
      return {
        verdict: rises.length > 0 ? "fails" : allOf(losses.map((loss) => judge(loss, 0))),
        observed: `Points lost from shortest to longest: ${said}. Rises beyond chance: ${rising || "none"}.`,
      };
    },
  },
  {
    id: "R19-late",
    source: `${FIGURE_3}, middle left`,
    kind: "paper",
    quote: "the degradation in the more-chains setting is most significant for lengths greater than 128K",
    statement:
      "With several chains most is lost beyond 128K (our measure: more from there to the longest length than from the " +
      "shortest up to there, beyond chance).",
    check: ({ lines }) => {
      const losses = chainLines(lines).flatMap((line) => {
        const [first, middle, last] = [line.points[0], at(line, MIDDLE), line.points.at(-1)];
        if (first === undefined || middle === undefined || last === undefined) return [];
        if (first.length >= MIDDLE || last.length <= MIDDLE) return [];
        const [early, late] = [differenceInterval(first, middle), differenceInterval(middle, last)];
        // The score at 128K is in both losses: late less early is first + last - 2 * middle, with the sign turned.
        return [{ line, early, late, more: twice(middle, first, last) }];
      });
      if (losses.length === 0) return cannotTell("No line has scores below, at and beyond 128K.");
      const said = losses.map(({ line, early, late }) =>
        `${line.series} ${early.score.toFixed(1)} up to 128K and ${late.score.toFixed(1)} beyond`
      );
      return {
        verdict: allOf(losses.map(({ more }) => judge(more, 0))),
        observed: `Points lost: ${said.join(", ")}. The least difference is ${
          written(losses.reduce((least, next) => next.more.score < least.more.score ? next : least).more)
        }.`,
      };
    },
  },
];

function hopLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  return byKnob(panelOf(lines, "hops"), (series) => Number(/hop=(\d+)/.exec(series)?.[1]));
}

function chainLines(lines: readonly ScoreLine[]): readonly ScoreLine[] {
  return byKnob(panelOf(lines, "chains"), (series) => Number(/chain=(\d+)/.exec(series)?.[1]));
}

function onAverage(lines: readonly ScoreLine[]): ReturnType<Claim<AblationEvidence>["check"]> {
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
function twice(
  middle: { readonly score: number; readonly low: number; readonly high: number },
  first: typeof middle,
  last: typeof middle,
): typeof middle {
  const score = 2 * middle.score - first.score - last.score;
  const down = Math.hypot(2 * (middle.score - middle.low), first.high - first.score, last.high - last.score);
  const up = Math.hypot(2 * (middle.high - middle.score), first.score - first.low, last.score - last.low);
  return { score, low: score - down, high: score + up };
}
