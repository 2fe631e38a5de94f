import { lengthText } from "@/lib/base/mod.ts";
import { CLOSED_BOOK_PANEL } from "./ablations.ts";
import {
  type AblationEvidence,
  judgeReplies,
  OWN_COPYING_CLAIMS,
  OWN_REPLY_CLAIMS,
  UNKNOWN_REPLIES,
} from "./reply_claims.ts";
import {
  allOf,
  below,
  judge,
  judgeAbove,
  judgeMean,
  meanPoint,
  onAverage,
  ordered,
  scoreText,
  twice,
} from "./line_findings.ts";
import { at, knobLines, lineNamed, type LinePoint, panelOf, type ScoreLine, typesOf } from "./score_lines.ts";
import {
  cannotTell,
  decidedByDifference,
  differenceInterval,
  meanOfClusters,
  notAsked,
  type PublishedClaim,
  type ScoreWithInterval,
  verdictOf,
} from "@/lib/statistics/mod.ts";

const FIGURE_2 = "section 5; Figure 2";
const FIGURE_3 = "section 5; Figure 3";
const AT_128K = 131_072;
/** "Almost perfect". */
const NEARLY = 95;
/** Near a score without context, in points. */
const NEAR_BASELINE = 10;
/** The tasks of Figure 2's left panel that ask for UUIDs. */
const UUID_TASKS = /^niah_(single_3|[a-z]+_uuids)$/;

/**
 * Claims of section 5 of the RULER paper about Yi-34B, checked on the lines of its figures or of a run, and on replies. "Longest" is the
 * longest length of the lines, 256K in the paper.
 */
export const ABLATION_CLAIMS: readonly PublishedClaim<AblationEvidence>[] = [
  {
    id: "R12",
    source: `${FIGURE_2}, left`,
    quote:
      "Yi achieves almost perfect performance when using needle of word-number pair in the standard passkey retrieval and vanilla NIAH",
    statement:
      `Passkeys and vanilla needles are found almost perfectly (our measure: ${NEARLY} or more on average over the lengths, beyond chance, and surely less at none).`,
    expected: "holds",
    check: ({ lines }) => {
      const points = ["Passkey retrieval", "Vanilla NIAH"].flatMap((name) => lineNamed(lines, name)?.points ?? []);
      if (points.length === 0) return notAsked("Neither was asked.");
      const worst = lowest(points);
      return {
        verdict: judgeMean(points, NEARLY),
        observed: `The mean is ${scoreText(meanPoint(points))}, and the lowest of ${points.length} scores ${
          scoreText(worst)
        }, at ${lengthText(worst.length)}.`,
      };
    },
  },
  {
    id: "R12-digits",
    source: `${FIGURE_2}, left`,
    quote: "Yi sometimes fail to return the complete 32 digits given long (>128K) input context",
    statement:
      "Beyond 128K some UUIDs are returned without all of their 32 digits (our measure: 1% of replies or more have only a part of one).",
    expected: "cannot tell",
    check: ({ lines, replies }) => {
      const behaviour = { tasks: UUID_TASKS, classes: ["incomplete answer"], kind: "part", beyond: AT_128K } as const;
      const finding = judgeReplies(replies, behaviour, 1);
      const scores = ["K=W, V=U", "K=U, V=U"].flatMap((name) => {
        const last = lineNamed(lines, name)?.points.at(-1);
        return last === undefined || last.length <= AT_128K ? [] : [`${name} ${scoreText(last)}`];
      });
      return replies !== null || scores.length === 0
        ? finding
        : cannotTell(`${finding.observed} A score does not show what a wrong reply lacks: ${scores.join(", ")}.`);
    },
  },
  {
    id: "R12-types",
    source: `${FIGURE_2}, left`,
    quote: "performance degrades when the needle takes other forms",
    statement:
      "Needles of other forms are found less often (our measure: their mean is below the vanilla needle at the longest length, beyond chance).",
    expected: "holds",
    check: ({ lines }) => {
      const types = typesOf(lines);
      if (types === null) return notAsked("No other type was asked beside vanilla at one length.");
      const { vanilla, others, longest } = types;
      const whole = at(vanilla, longest)!;
      const rest = meanPoint(others.map((line) => at(line, longest)!));
      const loss = differenceInterval(whole, rest);
      const texts = others.map((line) => `${line.series} ${scoreText(differenceInterval(whole, at(line, longest)!))}`);
      const observed = `Points lost at ${lengthText(longest)}: ${scoreText(loss)} on average; ${texts.join(", ")}.`;
      return judgeAbove(whole, rest, observed);
    },
  },
  {
    id: "R12-uuids",
    source: `${FIGURE_2}, left`,
    quote: "We observe the largest degradation in the task of retrieving UUIDs",
    statement:
      "The largest loss is with UUIDs (our measure: UUIDs as keys and values are below words as keys and values at the longest length, beyond chance).",
    expected: "holds",
    check: ({ lines }) => {
      const finding = below(lines, ["K=W, V=W", "K=U, V=U"]);
      const byWord = lineNamed(lines, "K=W, V=U")?.points.at(-1);
      const other = byWord === undefined ? "" : ` UUIDs asked for by a word: ${scoreText(byWord)}.`;
      return { ...finding, observed: finding.observed + other };
    },
  },
  {
    id: "R12-words",
    source: `${FIGURE_2}, left`,
    statement: `UUIDs asked for by a word are returned whole beyond 128K (${NEARLY} or more).`,
    expected: "holds",
    check: ({ lines }) => {
      const line = lineNamed(lines, "K=W, V=U");
      const beyond = line?.points.filter(({ length }) => length > AT_128K) ?? [];
      if (beyond.length === 0) return notAsked("No UUID was asked for by a word beyond 128K.");
      const worst = lowest(beyond);
      const place = `${lengthText(worst.length)}, the worst of ${beyond.length} lengths beyond 128K`;
      return { verdict: judge(worst, NEARLY), observed: `${scoreText(worst)} of them are at ${place}.` };
    },
  },
  {
    id: "R13",
    source: `${FIGURE_2}, middle left`,
    quote:
      "Yi dropping by ∼40 points at 256K in the extreme version, where the context is full of irrelevant needles (#K=FULL)",
    statement:
      "A context of nothing but needles costs about 40 points (our measure of about: 30 to 50, at the longest length).",
    expected: "holds",
    check: ({ lines }) => below(lines, ["#K=1", "#K=FULL"], { atLeast: 30, atMost: 50 }),
  },
  {
    id: "R13-near",
    source: "section 5, distractors",
    quote: "In the extreme version, Yi often returns values from the vicinity of the target",
    statement:
      "In a context of nothing but needles, the wrong value is often that of a needle near the target (our measure: nearer than needles picked at random, on average).",
    expected: "cannot tell",
    check: ({ replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const cell = "niah_multikey_2";
      // The wrong values of one reply are about the same target.
      const nearer = replies.filter(({ task }) => task === cell).flatMap(({ modes }, at) =>
        modes.filter((mode) => mode.class === "distractor").flatMap(({ evidence }) => evidence)
          .flatMap(({ nearer }) => nearer === undefined ? [] : [{ cell, cluster: String(at), values: [nearer] }])
      );
      if (nearer.length === 0) return cannotTell("No reply gave a distractor's value.");
      const { mean, low, high } = meanOfClusters(nearer);
      const share = { score: 100 * mean, low: 100 * low, high: 100 * high };
      return {
        verdict: verdictOf(share.high < 50, share.low >= 50),
        observed:
          `In ${nearer.length} wrong values, ${scoreText(share)} percent of the other needles are nearer to the ` +
          "target on average; at random it would be 50.",
      };
    },
  },
  {
    id: "R14",
    source: `${FIGURE_2}, middle left`,
    quote: "increasing the number of distracting needles steadily lowers performance",
    statement:
      "More distracting needles steadily lower the score (our measure: 1, 4, 8 and nothing but needles come in this order on average over the lengths, the ends beyond chance).",
    expected: "holds",
    check: ({ lines }) => ordered(knobLines(lines, "keys")),
  },
  {
    id: "R15",
    source: `${FIGURE_2}, right`,
    quote: "increasing the number of queries from 1 to 8 drops the performance by ∼15 points",
    statement:
      "Asking for 8 keys instead of 1 costs about 15 points (our measure of about: 10 to 20, at the longest length).",
    expected: "holds",
    check: ({ lines }) => below(lines, ["#Q=1", "#Q=8"], { atLeast: 10, atMost: 20 }),
  },
  {
    id: "R16",
    source: `${FIGURE_2}, middle right`,
    quote:
      "we notice significant degradation in performance when the model needs to retrieve multiple items from a long input",
    statement:
      "Several items are returned worse than one from a long input (our measure: eight values of one key are below one at the longest length, beyond chance).",
    expected: "holds",
    check: ({ lines }) => below(lines, ["#V=1", "#V=8"]),
  },
  {
    id: "R16-length",
    source: `${FIGURE_2}, middle right`,
    statement: "Eight values of one key are harder to return from the longest input than from the shortest.",
    expected: "fails",
    check: ({ lines }) => {
      const ends = lossOf(lineNamed(lines, "#V=8"));
      if (ends === null) return notAsked("It was not asked at two lengths.");
      const [from, to] = [ends.first, ends.last].map(({ score, length }) =>
        `${score.toFixed(1)} at ${lengthText(length)}`
      );
      return judgeAbove(
        ends.first,
        ends.last,
        `#V=8 goes from ${from} to ${to}, a loss of ${scoreText(ends.loss)}.`,
      );
    },
  },
  {
    id: "R16-repeats",
    source: "section 5, incomplete information",
    quote:
      "When the model needs to retrieve multiple values associated with the same key […], Yi often outputs duplicated answers without returning the complete set of values",
    statement:
      "Asked for several values of one key, the model often repeats one instead of another (our measure: in 10% of replies or more).",
    expected: "cannot tell",
    check: ({ replies }) => {
      const behaviour = { tasks: /^niah_(multi)?value/, classes: ["incomplete answer"], kind: "repeated" } as const;
      return judgeReplies(replies, behaviour, 10);
    },
  },
  ...OWN_COPYING_CLAIMS,
  {
    id: "R19-chains",
    source: `${FIGURE_3}, middle left`,
    quote: "both adding more chains and more hops contribute to large degradation in Yi’s performance",
    statement:
      "More chains contribute to the degradation (our measure: the most score lower than the fewest, on average over the lengths, beyond chance).",
    expected: "holds",
    check: ({ lines }) => onAverage(knobLines(lines, "chains")),
  },
  {
    id: "R19-hops",
    source: `${FIGURE_3}, left`,
    quote: "both adding more chains and more hops contribute to large degradation in Yi’s performance",
    statement:
      "More hops contribute to the degradation (our measure: the most score lower than the fewest, on average over the lengths, beyond chance).",
    expected: "holds",
    check: ({ lines }) => onAverage(knobLines(lines, "hops")),
  },
  {
    id: "R19-late",
    source: `${FIGURE_3}, middle left`,
    quote: "the degradation in the more-chains setting is most significant for lengths greater than 128K",
    statement:
      "With several chains most is lost beyond 128K (our measure: more from there to the longest length than from the shortest up to there, beyond chance).",
    expected: "holds",
    check: ({ lines }) => {
      const losses = knobLines(lines, "chains").flatMap((line) => {
        const [first, middle, last] = [line.points[0], at(line, AT_128K), line.points.at(-1)];
        if (first === undefined || middle === undefined || last === undefined) return [];
        if (first.length >= AT_128K || last.length <= AT_128K) return [];
        const [early, late] = [differenceInterval(first, middle), differenceInterval(middle, last)];
        // The score at 128K is in both losses: late less early is 2 * middle - first - last.
        return [{ line, early, late, more: twice(middle, first, last) }];
      });
      if (losses.length === 0) return notAsked("No line has scores below, at and beyond 128K.");
      const texts = losses.map(({ line, early, late }) =>
        `${line.series} ${early.score.toFixed(1)} up to 128K and ${late.score.toFixed(1)} beyond`
      );
      const least = lowest(losses.map(({ more }) => more));
      return {
        verdict: allOf(losses.map(({ more }) => decidedByDifference(more, "").verdict)),
        observed: `Points lost: ${texts.join(", ")}. The smallest difference is ${scoreText(least)}.`,
      };
    },
  },
  {
    id: "R19-steady",
    source: `${FIGURE_3}, left`,
    quote: "Yi consistently degrades in the more-hops setting as we increase context size",
    statement:
      "With several hops the score falls consistently with length (our measure: a loss from the shortest to the longest, and no rise from one length to the next, both beyond chance).",
    expected: "holds",
    check: ({ lines }) => {
      const hops = knobLines(lines, "hops").filter(({ points }) => points.length > 1);
      if (hops.length < 2) return notAsked("Fewer than two numbers of hops were asked at two lengths.");
      const ends = hops.map((line) => lossOf(line)!);
      const rises = hops.flatMap(({ series, points }) =>
        points.slice(1).filter((point, before) => differenceInterval(point, points[before]!).low > 0)
          .map(({ length }) => `${series} at ${lengthText(length)}`)
      );
      const texts = ends.map(({ loss }, line) => `${hops[line]!.series} ${scoreText(loss)}`).join(", ");
      const rising = rises.join(", ") || "none";
      return {
        verdict: rises.length > 0 ? "fails" : allOf(ends.map(({ first, last }) => judgeAbove(first, last).verdict)),
        observed: `Points lost from shortest to longest: ${texts}. Rises beyond chance: ${rising}.`,
      };
    },
  },
  {
    id: "R20",
    source: "section 5; Figure 3, middle right",
    quote: "Yi fails to correctly output the top frequent words as we decrease the α in Zeta distribution",
    statement:
      "The top words are missed more as alpha decreases (our measure: a lower score on average over the lengths, the ends beyond chance).",
    expected: "holds",
    check: ({ lines }) => ordered(knobLines(lines, "alpha").toReversed()),
  },
  {
    id: "R21",
    source: "section 5; Figure 3, right",
    quote: "Yi’s performance approaches its no-context baseline as we extend the context with distracting paragraphs",
    statement:
      "Question answering approaches its score without context as the context grows (our measure: both tasks together lose from the shortest to the longest length, beyond chance).",
    expected: "holds",
    check: ({ lines }) => {
      const found = fromBaseline(lines);
      if (found.length === 0) return NO_BASELINE;
      const [first, last] = [found.map(({ first }) => first), found.map(({ last }) => last)];
      return judgeAbove(meanPoint(first), meanPoint(last), `${found.map(({ text }) => text).join("; ")}.`);
    },
  },
  {
    id: "R21-near",
    source: "section 5; Figure 3, right",
    statement:
      `At the longest length question answering is near its score without context (our measure: both tasks together at most ${NEAR_BASELINE} points above it).`,
    expected: "fails",
    check: ({ lines }) => {
      const found = fromBaseline(lines);
      if (found.length === 0) return NO_BASELINE;
      const { score, low, high } = meanPoint(found.map(({ above }) => above));
      return {
        verdict: judge({ score: -score, low: -high, high: -low }, -NEAR_BASELINE),
        observed: `${scoreText({ score, low, high })} points above it, on average over both tasks.`,
      };
    },
  },
  ...OWN_REPLY_CLAIMS,
];

function lowest<Point extends ScoreWithInterval>(points: readonly Point[]): Point {
  return points.reduce((least, point) => point.score < least.score ? point : least);
}

/** Returns the loss of a line from its shortest to its longest length; `null` without two. */
function lossOf(
  line: ScoreLine | undefined,
): { readonly first: LinePoint; readonly last: LinePoint; readonly loss: ScoreWithInterval } | null {
  const [first, last] = [line?.points[0], line?.points.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return { first, last, loss: differenceInterval(first, last) };
}

const NO_BASELINE = notAsked("It was not asked at two lengths and without context.");

/** Compares each task of question answering with its score without context. */
function fromBaseline(
  lines: readonly ScoreLine[],
): (Record<"first" | "last" | "above", ScoreWithInterval> & { readonly text: string })[] {
  return panelOf(lines, "qa").flatMap((line) => {
    const { series } = line;
    const baseline = lineNamed(panelOf(lines, CLOSED_BOOK_PANEL), `${series} w/o context`)?.points[0];
    const ends = lossOf(line);
    if (baseline === undefined || ends === null) return [];
    const { first, last, loss } = ends;
    const above = differenceInterval(last, baseline);
    const closed = (100 * loss.score) / (first.score - baseline.score);
    const share = Number.isFinite(closed) ? `, ${closed.toFixed(0)}% of the way` : "";
    const lost = `loses ${scoreText(loss)} from ${lengthText(first.length)} to ${lengthText(last.length)}${share}`;
    const text = `${series} (${baseline.score.toFixed(1)} without context) ${lost}, and is still ${
      scoreText(above)
    } above it`;
    return [{ first, last, above, text }];
  });
}
