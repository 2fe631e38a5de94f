import { lengthText } from "@/lib/base/mod.ts";
import { BABILONG_MEAN } from "@/lib/benchmarks/babilong/babilong.ts";
import { LEAST_FACTS, STORY_KINDS } from "@/lib/benchmarks/babilong/story.ts";
import { averageEvidence, withIntervals } from "@/lib/papers/evidence/evidence.ts";
import { decidedByPairs, endsOf, onRun, pairEvidence, pointsOf } from "@/lib/papers/evidence/pairs.ts";
import {
  type Claim,
  decided,
  differenceInterval,
  type Evidence,
  type PublishedClaim,
  type RunEvidence,
} from "@/lib/statistics/mod.ts";

/** The accuracy from which the paper calls a model's performance satisfactory, in percent. */
const SATISFACTORY = 85;

/** A difference that counts as sharp, in points. */
const SHARP = 10;

/** The models of the recorded replies, with the tokens that each takes. */
export const BABILONG_MODELS = {
  gemini: { model: "google/gemini-3-flash-preview", window: 1_048_576 },
  phi: { model: "microsoft/Phi-3-mini-128k-instruct", window: 131_072 },
} as const;

/** Keeps the accuracies by the authors' score, of prompts with their instruction and examples. */
export function originalScores(rows: readonly Evidence[]): readonly Evidence[] {
  return rows.filter(({ knobs }) => knobs["prompt"] === "full" && knobs["scoring"] === "original");
}

/** Averages the accuracies of the five tasks, for each model and length. */
export function storyMeans(rows: readonly Evidence[]): readonly Evidence[] {
  const means = averageEvidence(rows, ({ model, length }) => `${model} ${length}`);
  return means.map((row) => ({ ...row, task: BABILONG_MEAN }));
}

/** Formats a length as the authors name it, in thousands of tokens. */
export function lengthName(length: number): string {
  return length === 1_000_000 ? "1M" : `${length / 1000}K`;
}

function ofGemini(rows: readonly Evidence[], task: string): readonly Evidence[] {
  return rows.filter((row) => row.model === BABILONG_MODELS.gemini.model && row.task === task);
}

const COMPLEXITY: PublishedClaim<readonly Evidence[]> = {
  id: "B2",
  source: "abstract",
  quote: "their performance declines sharply with increased reasoning complexity",
  quantifier: { of: "all", word: "their performance" },
  statement:
    `Three facts are answered less often than one (our measure: by ${SHARP} points or more, at each length up to 32K).`,
  expected: "holds",
  check: (rows) =>
    decidedByPairs(
      pairEvidence(rows.filter(({ length }) => length! <= 32_768), {
        alike: ({ model, length }) => `${model} at ${length}`,
        of: ({ task }) => task,
        groups: ["babilong_qa1", "babilong_qa3"],
      }),
      SHARP,
    ),
};

const FALLS: PublishedClaim<readonly Evidence[]> = {
  id: "B5",
  source: "section 1",
  quote: "performance declining sharply as length and task complexity increase",
  quantifier: { of: "all", word: "performance" },
  statement:
    "Accuracy falls with length (our measure: from the shortest length to the longest, of each model and task).",
  expected: "holds",
  check: (rows) => decidedByPairs(endsOf(rows)),
};

/** The claims of the paper and our own questions, checked on {@linkcode originalScores}. */
export const BABILONG_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  {
    id: "B1",
    source: "abstract",
    quote: "popular LLMs effectively utilize only 10-20% of the context",
    quantifier: { of: "all", word: "popular LLMs" },
    statement:
      `The longest length with a satisfactory mean over the five tasks is 10 to 20% of the window (our measure: both recorded models; ${SATISFACTORY}% is satisfactory, section 3.1).`,
    expected: "fails",
    check: (rows) => {
      const means = storyMeans(rows);
      const used = Object.values(BABILONG_MODELS).map(({ model, window }) => {
        const ofModel = means.filter((row) => row.model === model);
        const longest = ofModel.findLast(({ score }) => score >= SATISFACTORY)?.length ?? 0;
        const text = longest === 0 ? "none" : `${lengthName(longest)} of ${lengthText(window)}`;
        return { share: 100 * longest / window, text: `${model} ${text}` };
      });
      return decided(
        used.every(({ share }) => share >= 10 && share <= 20),
        `The longest are less: ${used.map(({ text }) => text).join(", ")}.`,
      );
    },
  },
  COMPLEXITY,
  FALLS,
];

/** Those of them that a run of one model decides. */
export const BABILONG_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [onRun(FALLS), onRun(COMPLEXITY)];

function geminiMeans(rows: readonly Evidence[]): ReturnType<typeof withIntervals> {
  return withIntervals(storyMeans(rows)).filter(({ model }) => model === BABILONG_MODELS.gemini.model);
}

/** Answers whether a model follows a story through a long text, from the recorded replies of 2026. */
export function storyAnswer(rows: readonly Evidence[]): string {
  const means = geminiMeans(rows);
  const [first, last] = [means[0]!, means.at(-1)!];
  const falls = STORY_KINDS.flatMap((kind) => endsOf(ofGemini(rows, `babilong_${kind}`)).map(pointsOf));
  const worst = STORY_KINDS[falls.indexOf(Math.max(...falls))]!;
  const isFalling = differenceInterval(first, last).low > 0;
  const fall = Math.round(first.score) - Math.round(last.score);
  const opening = isFalling
    ? `Less and less: the accuracy of ${
      last.model.split("/").at(-1)
    } falls by ${fall} points from the story alone to the longest text around it.`
    : "No fall with the length of the text is shown.";
  return `${opening} The mean of the five tasks is ${first.score.toFixed(0)}% on the story alone and ${
    last.score.toFixed(0)
  }% at ${lengthName(last.length!)} tokens. Questions on ${LEAST_FACTS[worst]} facts fall most.`;
}
