import type { AblationEvidence } from "./ablation_claims.ts";
import type { Claim } from "../claims.ts";
import { differenceInterval } from "../intervals/difference_interval.ts";
import { lengthText } from "../length_text.ts";
import {
  allOf,
  at,
  below,
  cannotTell,
  fall,
  judge,
  lineNamed,
  longestShared,
  meanPoint,
  panelOf,
  written,
} from "./_line_findings.ts";
import { countMode } from "./_reply_findings.ts";
import type { ScoreLine } from "./score_line.ts";

/** "Almost perfect". */
const NEARLY = 95;
/** A loss below this many points is none. */
const SMALL = 1;
const FIGURE_2 = "section 5; Figure 2";
const BEYOND = 131_072;
/** The tasks of the figure's left panel that ask for UUIDs. */
const UUID_TASKS = /^niah_(single_3|[a-z]+_uuids)$/;

/** Claims about the types of needles. */
export const CLAIMS_OF_NEEDLES: readonly Claim<AblationEvidence>[] = [
  {
    id: "R12",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote:
      "Yi achieves almost perfect performance when using needle of word-number pair in the standard passkey retrieval and vanilla NIAH",
    statement:
      `Passkeys and vanilla needles are found almost perfectly (our measure: ${NEARLY} or more at every length).`,
    check: ({ lines }) => {
      const known = ["Passkey retrieval", "Vanilla NIAH"].flatMap((series) => lineNamed(lines, series) ?? []);
      const points = known.flatMap((line) => line.points);
      if (points.length === 0) return cannotTell("Neither was asked.");
      const worst = points.reduce((least, point) => point.score < least.score ? point : least);
      return {
        verdict: allOf(points.map((point) => judge(point, NEARLY))),
        observed: `The lowest of ${points.length} scores is ${written(worst)}, at ${lengthText(worst.length)}.`,
      };
    },
  },
  {
    id: "R12-types",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote: "performance degrades when the needle takes other forms",
    statement:
      "Needles of other forms are found less often (our measure: their mean is below the vanilla needle at the longest " +
      "length, beyond chance).",
    check: ({ lines }) => {
      const { vanilla, others, longest } = typesOf(lines);
      if (longest === null) return cannotTell("No other type was asked beside vanilla at one length.");
      const whole = at(vanilla!, longest)!;
      const loss = differenceInterval(whole, meanPoint(others.map((line) => at(line, longest)!)));
      const said = others.map((line) => `${line.series} ${written(differenceInterval(whole, at(line, longest)!))}`);
      return {
        verdict: judge(loss, 0),
        observed: `Points lost at ${lengthText(longest)}: ${written(loss)} on average; ${said.join(", ")}.`,
      };
    },
  },
  {
    id: "R12-each",
    source: `${FIGURE_2}, left`,
    kind: "check",
    statement: `Each other type of needle costs at least ${SMALL} point against the vanilla one at the longest length.`,
    check: ({ lines }) => {
      const { vanilla, others, longest } = typesOf(lines);
      if (longest === null) return cannotTell("No other type was asked beside vanilla at one length.");
      const losses = others.map((line) => ({ line, loss: fall(vanilla!, line)! }));
      const none = losses.filter(({ loss }) => judge(loss, SMALL) !== "holds").map(({ line }) => line.series);
      return {
        verdict: allOf(losses.map(({ loss }) => judge(loss, SMALL))),
        observed: `${losses.length - none.length} of ${losses.length} surely do${
          none.length === 0 ? "" : `; not ${none.join(", ")}`
        }.`,
      };
    },
  },
  {
    id: "R12-uuids",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote: "We observe the largest degradation in the task of retrieving UUIDs",
    statement:
      "The largest loss is with UUIDs (our measure: UUIDs as keys and values are below words as keys and values at the " +
      "longest length, beyond chance).",
    check: ({ lines }) => below(lines, ["K=W, V=W", "K=U, V=U"], { atLeast: 0 }),
  },
  {
    id: "R12-digits",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote: "Yi sometimes fail to return the complete 32 digits given long (>128K) input context",
    statement:
      "Beyond 128K some UUIDs are returned without all of their 32 digits (our measure: 1% of replies or more have only a " +
      "part of one).",
    check: ({ lines, replies }) => {
      const finding = countMode(replies, { class: "partial value", tasks: UUID_TASKS, atLeast: 1, beyond: BEYOND });
      const scores = ["K=W, V=U", "K=U, V=U"].flatMap((name) => {
        const last = lineNamed(lines, name)?.points.at(-1);
        return last === undefined || last.length <= BEYOND ? [] : [`${name} ${written(last)}`];
      });
      return replies !== null || scores.length === 0
        ? finding
        : cannotTell(`${finding.observed} A score does not say what a wrong reply lacks: ${scores.join(", ")}.`);
    },
  },
  {
    id: "R12-words",
    source: `${FIGURE_2}, left`,
    kind: "check",
    statement: `UUIDs asked for by a word are returned whole beyond 128K (${100 - SMALL} or more).`,
    check: ({ lines }) => {
      const line = lineNamed(lines, "K=W, V=U");
      const beyond = line?.points.filter(({ length }) => length > BEYOND) ?? [];
      if (beyond.length === 0) return cannotTell("No UUID was asked for by a word beyond 128K.");
      const worst = beyond.reduce((least, point) => point.score < least.score ? point : least);
      return {
        verdict: judge(worst, 100 - SMALL),
        observed: `${written(worst)} of them are at ${
          lengthText(worst.length)
        }, the worst of ${beyond.length} lengths beyond 128K.`,
      };
    },
  },
];

/** The vanilla line, those of the other types, and the longest length that all of them share. */
function typesOf(
  lines: readonly ScoreLine[],
): { readonly vanilla: ScoreLine | undefined; readonly others: readonly ScoreLine[]; readonly longest: number | null } {
  const vanilla = lineNamed(lines, "Vanilla NIAH");
  const others = panelOf(lines, "needle type").filter(({ series }) => /^K=/.test(series));
  const known = vanilla !== undefined && others.length > 0;
  return { vanilla, others, longest: known ? longestShared([vanilla, ...others]) : null };
}
