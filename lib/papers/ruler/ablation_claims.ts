import { lengthText } from "@/lib/base/mod.ts";
import { closedBookLines, isVanilla, panelLines, type PanelName } from "./ablations.ts";
import { allFindings, below, judgeAbove, meanPoint, ordered, scoreText } from "./line_findings.ts";
import { at, lineNamed, type ScoreLine, sharedLengths } from "./score_lines.ts";
import { onRun } from "@/lib/papers/evidence/pairs.ts";
import {
  type Claim,
  differenceInterval,
  type Evidence,
  type Finding,
  notAsked,
  type PublishedClaim,
  type RunEvidence,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

const FIGURE_2 = "section 5; Figure 2";
const FIGURE_3 = "section 5; Figure 3";
const AT_256K = 262_144;

/**
 * Claims of section 5 of the RULER paper about Yi-34B, checked on the scores of its figures or of a run. "Longest" is the longest length
 * of the scores, 256K in the paper.
 */
export const ABLATION_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  {
    id: "R12-types",
    source: `${FIGURE_2}, left`,
    quote: "performance degrades when the needle takes other forms",
    statement:
      "Needles of other forms are found less often (our measure: their mean is below the vanilla needle at the longest length, beyond chance).",
    expected: "holds",
    needs: { knobs: ["keyType", "valueType"] },
    check: checkTypes,
  },
  {
    id: "R13",
    source: `${FIGURE_2}, middle left`,
    quote:
      "Yi dropping by ∼40 points at 256K in the extreme version, where the context is full of irrelevant needles (#K=FULL)",
    statement: "A context of nothing but needles costs about 40 points at 256K (our measure of about: 30 to 50).",
    expected: "holds",
    needs: { knobs: ["haystack"] },
    check: (rows) => below(panelLines(rows, "keys"), ["#K=1", "#K=FULL"], { atLeast: 30, atMost: 50, length: AT_256K }),
  },
  {
    id: "R14",
    source: `${FIGURE_2}, middle left`,
    quote: "increasing the number of distracting needles steadily lowers performance",
    statement:
      "More distracting needles steadily lower the score (our measure: 1, 4, 8 and nothing but needles come in this order on average over the lengths, the ends beyond chance).",
    expected: "holds",
    needs: { knobs: ["keys", "haystack"] },
    // Without the haystack of UUIDs, which is another type of needle.
    check: (rows) => ordered(knobLines(rows.filter(({ knobs }) => isVanilla(knobs)), "keys")),
  },
  {
    id: "R15",
    source: `${FIGURE_2}, right`,
    quote: "increasing the number of queries from 1 to 8 drops the performance by ∼15 points",
    statement: "Asking for 8 keys instead of 1 costs about 15 points (our measure of about: 10 to 20, at 256K).",
    expected: "holds",
    needs: { knobs: ["queries"] },
    check: (rows) => below(panelLines(rows, "queries"), ["#Q=1", "#Q=8"], { atLeast: 10, atMost: 20, length: AT_256K }),
  },
  {
    id: "R16",
    source: `${FIGURE_2}, middle right`,
    quote:
      "we notice significant degradation in performance when the model needs to retrieve multiple items from a long input",
    statement:
      "Several items are returned worse than one from a long input (our measure: the most values of one key are below one at the longest length, beyond chance).",
    expected: "holds",
    needs: { knobs: ["values"] },
    check: checkValues,
  },
  {
    id: "R19",
    source: `${FIGURE_3}, left and middle left`,
    quote: "both adding more chains and more hops contribute to large degradation in Yi’s performance",
    quantifier: { of: "all", word: "both" },
    statement:
      "Both more chains and more hops degrade variable tracking (our measure: the numbers of each come in order on average over the lengths, the ends beyond chance).",
    expected: "holds",
    needs: { knobs: ["chains", "hops"] },
    check: (rows) => allFindings((["chains", "hops"] as const).map((knob) => ordered(knobLines(rows, knob)))),
  },
  {
    id: "R20",
    source: "section 5; Figure 3, middle right",
    quote: "Yi fails to correctly output the top frequent words as we decrease the α in Zeta distribution",
    statement:
      "The top words are missed more as alpha decreases (our measure: a lower score on average over the lengths, the ends beyond chance).",
    expected: "holds",
    needs: { knobs: ["alpha"] },
    check: (rows) => ordered(knobLines(rows, "alpha").toReversed()),
  },
  {
    id: "R21",
    source: "section 5; Figure 3, right",
    quote: "Yi’s performance approaches its no-context baseline as we extend the context with distracting paragraphs",
    statement:
      "Question answering approaches its score without context as the context grows (our measure: both tasks together lose from the shortest to the longest length, beyond chance).",
    expected: "holds",
    needs: { knobs: ["documents"] },
    check: checkBaseline,
  },
];

/** The same claims, checked on a run that varied the knobs. */
export const ABLATION_RUN_CLAIMS: readonly Claim<RunEvidence>[] = ABLATION_CLAIMS.map((claim) => onRun(claim));

/** Returns the lines of a panel by their knob, rising; a haystack of nothing but keys comes last. */
function knobLines(rows: readonly Evidence[], panel: PanelName): readonly ScoreLine[] {
  const valueOf = ({ points: [point] }: ScoreLine): number =>
    point!.knobs["haystack"] === "needle" ? Infinity : Number(point!.knobs[panel]);
  return panelLines(rows, panel).toSorted((left, right) => valueOf(left) - valueOf(right));
}

/** Checks that needles of other forms are below the vanilla needle, on average over two forms or more. */
function checkTypes(rows: readonly Evidence[]): Finding {
  const lines = panelLines(rows, "needle type");
  const vanilla = lineNamed(lines, "Vanilla NIAH");
  const others = lines.filter(({ series }) => /^K=/.test(series));
  const longest = vanilla === undefined ? undefined : sharedLengths([vanilla, ...others]).at(-1);
  if (longest === undefined || others.length < 2) {
    return notAsked("Fewer than two other forms were asked beside the vanilla needle at one length.");
  }
  const whole = at(vanilla, longest)!;
  const rest = meanPoint(others.map((line) => at(line, longest)!));
  const texts = others.map((line) => `${line.series} ${scoreText(differenceInterval(whole, at(line, longest)!))}`);
  const loss = scoreText(differenceInterval(whole, rest));
  return judgeAbove(whole, rest, `Points lost at ${lengthText(longest)}: ${loss} on average; ${texts.join(", ")}.`);
}

/** Checks that the most values of one key are below one value at the longest length. */
function checkValues(rows: readonly Evidence[]): Finding {
  const asked = knobLines(rows, "values");
  const [one, most] = [asked[0], asked.at(-1)];
  const longest = one === undefined || one === most ? undefined : sharedLengths([one, most!]).at(-1);
  if (longest === undefined) return notAsked("Fewer than two numbers of values were asked at one length.");
  return below(asked, [one!.series, most!.series], { length: longest });
}

/** Checks that the two tasks of question answering lose together, towards their scores without context. */
function checkBaseline(rows: readonly Evidence[]): Finding {
  const found = panelLines(rows, "qa").flatMap(({ series, points }) => {
    const baseline = lineNamed(closedBookLines(rows), series)?.points[0];
    const [first, last] = [points[0], points.at(-1)];
    if (baseline === undefined || first === undefined || last === undefined || first === last) return [];
    const loss = scoreText(differenceInterval(first, last));
    const above = scoreText(differenceInterval(last, baseline));
    const ends = `from ${lengthText(first.length)} to ${lengthText(last.length)}`;
    const closed = `${series} (${baseline.score.toFixed(1)} without context)`;
    return [{ first, last, text: `${closed} loses ${loss} ${ends}, and is still ${above} above it` }];
  });
  if (found.length === 0) return notAsked("It was not asked at two lengths and without context.");
  const [first, last] = (["first", "last"] as const).map((end): ScoreWithInterval =>
    meanPoint(found.map((ends) => ends[end]))
  );
  return judgeAbove(first!, last!, `${found.map(({ text }) => text).join("; ")}.`);
}
