import { lengthText } from "@/lib/base/mod.ts";
import { accuracyRows, BABILONG_MODELS, type BabilongCounts, lengthName, meanRows } from "./published.ts";
import { BABILONG } from "@/lib/benchmarks/babilong/babilong.ts";
import { LEAST_FACTS, STORY_KINDS } from "@/lib/benchmarks/babilong/story.ts";
import {
  cannotTell,
  type Claim,
  decided,
  decidedByCases,
  decidedByDifference,
  differenceInterval,
  type Finding,
  lengthMeans,
  pointsText,
  type PublishedClaim,
  type RunEvidence,
  scoredRows,
  type ScoreRow,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** The accuracy from which the paper calls a model's performance satisfactory, in percent. */
const SATISFACTORY = 85;

/** A difference that counts as sharp, in points. */
const SHARP = 10;

/** The counts of all recorded replies. */
export type Counts = readonly BabilongCounts[];
type Scored = ScoreRow & ScoreWithInterval;

function scoresOf(counts: Counts, name: keyof typeof BABILONG_MODELS): readonly Scored[] {
  return accuracyRows(counts, BABILONG_MODELS[name]);
}

function at(rows: readonly Scored[], task: string, length: number): Scored {
  return rows.find((row) => row.task === task && row.length === length)!;
}

function scoresText(rows: readonly Scored[]): string {
  return rows.map(({ length, score }) => `${score.toFixed(1)} at ${lengthName(length)}`).join(", ");
}

/** Statements of the paper, checked on the recorded replies by the authors' score. */
const PAPER_CLAIMS: readonly PublishedClaim<Counts>[] = [
  {
    id: "B1",
    source: "abstract",
    quote: "popular LLMs effectively utilize only 10-20% of the context",
    quantifier: { of: "all", word: "popular LLMs" },
    statement:
      `The longest length with a satisfactory mean over the five tasks is 10 to 20% of the window (our measure: both recorded models; ${SATISFACTORY}% is satisfactory, section 3.1).`,
    expected: "fails",
    check: (counts) => {
      const used = (["gemini", "phi"] as const).map((name) => {
        const { model, window } = BABILONG_MODELS[name];
        const longest = meanRows(scoresOf(counts, name)).findLast(({ score }) => score >= SATISFACTORY)?.length ?? 0;
        return {
          share: 100 * longest / window,
          text: `${model} ${longest === 0 ? "none" : `${lengthName(longest)} of ${lengthText(window)}`}`,
        };
      });
      return decided(
        used.every(({ share }) => share >= 10 && share <= 20),
        `The longest are less: ${used.map(({ text }) => text).join(", ")}.`,
      );
    },
  },
  {
    id: "B2",
    source: "abstract",
    quote: "their performance declines sharply with increased reasoning complexity",
    quantifier: { of: "all", word: "their performance" },
    statement:
      `Three facts are answered less often than one (our measure: by surely more than ${SHARP} points at each length up to 32K, both models).`,
    expected: "holds",
    check: (counts) => {
      const declines = (["gemini", "phi"] as const).flatMap((name) => {
        const rows = scoresOf(counts, name);
        const lengths = [...new Set(rows.map(({ length }) => length))].filter((length) => length <= 32_000);
        return lengths.map((length) => differenceInterval(at(rows, "qa1", length), at(rows, "qa3", length)));
      });
      const least = declines.reduce((one, other) => other.low < one.low ? other : one);
      return decided(least.low > SHARP, `The least of ${declines.length} differences is ${pointsText(least)}.`);
    },
  },
  {
    id: "B3",
    source: "section 3.1",
    quote: "When facts are embedded within texts, all tested LLMs fall below 85% performance",
    quantifier: { of: "all", word: "all tested LLMs" },
    statement:
      "With two facts (qa2) that is still so in 2026 (our measure: Gemini 3 Flash at each length with a text).",
    expected: "mostly holds",
    check: (counts) => {
      const rows = scoresOf(counts, "gemini").filter(({ task, length }) => task === "qa2" && length > 0);
      const agrees = rows.map(({ score }) => score < SATISFACTORY);
      return decidedByCases(agrees, `${scoresText(rows.slice(0, 3))}, and less in longer texts.`);
    },
  },
  {
    id: "B4",
    source: "section 3.1",
    quote:
      "The task with three supporting facts proves to be extremely challenging to current LLMs, with the best scores falling below 80%",
    quantifier: { of: "all", word: "the best scores" },
    statement: "With three facts (qa3) that is still so in 2026 (our measure: Gemini 3 Flash at each length).",
    expected: "fails",
    check: (counts) => {
      const rows = scoresOf(counts, "gemini").filter(({ task }) => task === "qa3");
      return decidedByCases(
        rows.map(({ score }) => score < 80),
        `${scoresText(rows.slice(0, 4))}, and less in longer texts.`,
      );
    },
  },
];

/** Our own questions to the recorded replies of 2026. */
const LENGTH_CLAIMS: readonly PublishedClaim<Counts>[] = [
  {
    id: "B5",
    source: "the recorded replies of Gemini 3 Flash",
    statement: "Accuracy falls from 0K to 128K on each of the five tasks.",
    expected: "holds",
    check: (counts) => {
      const rows = scoresOf(counts, "gemini");
      const falls = STORY_KINDS.map((task) => differenceInterval(at(rows, task, 0), at(rows, task, 128_000)));
      return decided(
        falls.every(({ low }) => low > 0),
        `By ${STORY_KINDS.map((task, place) => `${falls[place]!.score.toFixed(0)} (${task})`).join(", ")} points.`,
      );
    },
  },
  {
    id: "B6",
    source: "the recorded replies of Gemini 3 Flash",
    statement: "The mean falls further from 128K to 1M (our measure: with 95% confidence, of 100 samples a task).",
    expected: "fails",
    check: (counts) => {
      const means = meanRows(scoresOf(counts, "gemini"));
      const fall = differenceInterval(means.at(-3)!, means.at(-1)!);
      return decidedByDifference(fall, `${scoresText(means.slice(-3))}: a fall of ${pointsText(fall)}.`);
    },
  },
];

/** The claims about published numbers, in their order. */
export const BABILONG_CLAIMS: readonly PublishedClaim<Counts>[] = [...PAPER_CLAIMS, ...LENGTH_CLAIMS];

/** The claims of the paper, asked of a run of one model. */
export const BABILONG_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "BR1",
    source: "section 1, asked of the run",
    quote: "performance declining sharply as length and task complexity increase",
    quantifier: { of: "on average", word: "performance" },
    statement: "The mean over the five tasks is lower at the longest length than at the shortest.",
    check: ({ rows }) => {
      const [group] = BABILONG.groups!;
      const means = scoredRows(lengthMeans(rows, { groups: [group!] }), group!.name);
      if (means.length < 2) return cannotTell("Fewer than two lengths have a score on all five tasks.");
      return falls(means[0]!, means.at(-1)!, 0);
    },
  },
  {
    id: "BR2",
    source: "abstract, asked of the run; as B2",
    quote: "their performance declines sharply with increased reasoning complexity",
    quantifier: { of: "on average", word: "their performance" },
    statement:
      `Three facts are answered less often than one (our measure: by ${SHARP} points or more at the shortest length).`,
    check: ({ rows }) => {
      const [one] = scoredRows(rows, "babilong_qa1");
      const three = scoredRows(rows, "babilong_qa3").find(({ length }) => length === one?.length);
      if (one === undefined || three === undefined) {
        return cannotTell("The shortest length has no score on qa1 and qa3.");
      }
      return falls(one, three, SHARP);
    },
  },
];

/** Judges whether one score is lower than another by at least some points. */
function falls(high: ScoreWithInterval, low: ScoreWithInterval, bar: number): Finding {
  const fall = differenceInterval(high, low);
  const observed = `${high.score.toFixed(1)} and ${low.score.toFixed(1)}: ${pointsText(fall)}.`;
  return decidedByDifference(fall, observed, { scores: [high, low], bar });
}

/** Answers whether a model follows a story through a long text, from the recorded replies of 2026. */
export function storyAnswer(counts: Counts): string {
  const rows = scoresOf(counts, "gemini");
  const means = meanRows(rows);
  const [first, last] = [means[0]!, means.at(-1)!];
  const falls = STORY_KINDS.map((task) => at(rows, task, 0).score - at(rows, task, last.length).score);
  const worst = STORY_KINDS[falls.indexOf(Math.max(...falls))]!;
  const isFalling = differenceInterval(first, last).low > 0;
  const opening = isFalling ? "Less and less the longer the text is." : "No fall with the length of the text is shown.";
  return `${opening} The mean of the five tasks goes from ${first.score.toFixed(0)}% without a text to ${
    last.score.toFixed(0)
  }% at ${lengthName(last.length)}; most is lost in questions on ${LEAST_FACTS[worst]} facts.`;
}
