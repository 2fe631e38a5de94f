import type { AblationEvidence } from "./ablation_claims.ts";
import { COMMON_WORDS, NO_CONTEXT_PANEL } from "./ablation_lines.ts";
import type { Claim, Finding } from "../claims.ts";
import { differenceInterval, type ScoreWithInterval } from "../intervals/difference_interval.ts";
import type { ExplainedReply } from "../failures/failure_rows.ts";
import { lengthText } from "../length_text.ts";
import { allOf, at, byKnob, cannotTell, judge, lineNamed, panelOf, written } from "./_line_findings.ts";
import { ordered } from "./_order_finding.ts";
import { countMode } from "./_reply_findings.ts";
import type { LinePoint, ScoreLine } from "./score_line.ts";

const AT_128K = 131_072;
const NO_LINE: ScoreLine = { panel: "", series: "", points: [] };
const COPYING = "section 5, copying";

/** Claims about counting words, answering questions, and copying. */
export const CLAIMS_OF_WORDS: readonly Claim<AblationEvidence>[] = [
  {
    id: "R17",
    source: COPYING,
    kind: "paper",
    quote: "Over 80% of Yi’s output in the CWE task at 128K is simply a string copied from the one-shot example",
    statement: "Over 80% of replies to common words at 128K copy the worked example.",
    check: ({ lines, replies }) => {
      const finding = countMode(replies, { class: "example copied", tasks: /^cwe$/, atLeast: 80, length: AT_128K });
      const score = at(lineNamed(lines, COMMON_WORDS) ?? NO_LINE, AT_128K);
      return replies !== null || score === undefined ? finding : cannotTell(
        `${finding.observed} Such a reply scores about 0, so the score of ${
          score.score.toFixed(1)
        } at 128K does not contradict it.`,
      );
    },
  },
  {
    id: "R17-short",
    source: COPYING,
    kind: "paper",
    quote: "whereas the copying is nonexistent for short sequences",
    statement:
      "For short sequences no reply to common words copies it (our measure: fewer than 5% at the shortest length).",
    check: ({ replies }) => {
      const finding = countMode(replies, {
        class: "example copied",
        tasks: /^cwe$/,
        atLeast: 5,
        length: shortestOf(replies, "cwe"),
      });
      return { ...finding, verdict: opposite(finding.verdict) };
    },
  },
  {
    id: "R18",
    source: "section 5, footnote 7",
    kind: "paper",
    quote:
      "We also experimented with removing the one-shot example. The model will simply copy the string of the beginning of the input",
    statement: "Without the worked example the model copies the beginning of the input.",
    check: ({ replies }) =>
      cannotTell(
        replies === null
          ? "The model's replies were not published."
          : "The tasks are asked with their example, as RULER's are.",
      ),
  },
  {
    id: "R20",
    source: "section 5; Figure 3, middle right",
    kind: "paper",
    quote: "Yi fails to correctly output the top frequent words as we decrease the α in Zeta distribution",
    statement: "The top words are missed more as alpha decreases (our measure: a lower score at every length).",
    check: ({ lines }) =>
      ordered(byKnob(panelOf(lines, "alpha"), (series) => Number(series.replace("alpha=", ""))).toReversed()),
  },
  {
    id: "R21",
    source: "section 5; Figure 3, right",
    kind: "paper",
    quote: "Yi’s performance approaches its no-context baseline as we extend the context with distracting paragraphs",
    statement:
      "Question answering comes nearer to its score without context as the context grows (our measure: it loses from the " +
      "shortest to the longest length, beyond chance).",
    check: ({ lines }) =>
      overBaseline(lines, ({ first, last, baseline }) => {
        const loss = differenceInterval(first, last);
        const closed = (100 * loss.score) / (first.score - baseline.score);
        const share = Number.isFinite(closed) ? `, ${closed.toFixed(0)}% of the way` : "";
        return {
          verdict: judge(loss, 0),
          said: `loses ${written(loss)} from ${lengthText(first.length)} to ${
            lengthText(last.length)
          }${share}, and is still ${written(differenceInterval(last, baseline))} above it`,
        };
      }),
  },
];

function opposite(verdict: Finding["verdict"]): Finding["verdict"] {
  return verdict === "holds" ? "fails" : verdict === "fails" ? "holds" : verdict;
}

function shortestOf(replies: readonly ExplainedReply[] | null, task: string): number {
  return Math.min(...(replies ?? []).filter((reply) => reply.task === task).map(({ length }) => length));
}

interface OverBaseline {
  readonly first: LinePoint;
  readonly last: LinePoint;
  readonly baseline: ScoreWithInterval;
}

function overBaseline(
  lines: AblationEvidence["lines"],
  look: (over: OverBaseline) => { readonly verdict: Finding["verdict"]; readonly said: string },
): Finding {
  const found = panelOf(lines, "qa").flatMap((line) => {
    const baseline = lineNamed(panelOf(lines, NO_CONTEXT_PANEL), `${line.series} w/o context`)?.points[0];
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
