import { writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import { measureCopy } from "@/lib/benchmarks/repeated_words/scorer.ts";
import { decidedByPairs, endsOf, onReplies, onRun } from "@/lib/papers/evidence/pairs.ts";
import { copyScores, measureReplies } from "./runs.ts";
import {
  cannotTell,
  type Claim,
  decidedByCases,
  decidedByGroups,
  type Evidence,
  type PublishedClaim,
  type RunEvidence,
} from "@/lib/statistics/mod.ts";

const REPORT = "section Repeated Words (secondary copy)";

/** The score of a copy that goes on until the report's output limit, twice the prompt, in percent. */
export const NEVER_STOPS = 50;

/** Points from it within which a score is at the limit. */
const AT_LIMIT = 1;

/** The claim that the edit score falls, also asked of runs. */
const COPY_FALLS: PublishedClaim<readonly Evidence[]> = {
  id: "W1",
  source: `${REPORT}; figure of the README`,
  quote: "As context length increases, performance consistently degrades across all models.",
  quantifier: { of: "all", word: "all models" },
  statement:
    "The edit score of every model falls with length (our measure: from the first to the last point, in the bins of the figure).",
  expected: "holds",
  check: (rows) => decidedByPairs(endsOf(rows)),
};

/** The claims of the report "Context Rot" on repeated words, on its figure and its code at 1091346. */
export const REPEATED_WORDS_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  COPY_FALLS,
  {
    id: "W4",
    source: `${REPORT}; figure of the README`,
    quote: "as context length increases, models often generate the repeated word until reaching the output token limit",
    quantifier: { of: "all", word: "models often generate" },
    statement:
      `At the longest texts models only repeat (our measure: the last point of every model is within ${AT_LIMIT} point of the score of a copy that goes on to twice the prompt).`,
    expected: "holds",
    check: (rows) => {
      const last = curvesOf(rows).map((curve) => curve.at(-1)!);
      const text = writeCopy({ pair: "apple_apples", words: 1000, place: 500 });
      const { edits } = measureCopy(`${text}${" apple".repeat(1000)}`, text)!;
      return decidedByCases(
        last.map(isAtLimit),
        `${last.map(({ model, score }) => `${model} ${score.toFixed(1)}`).join(", ")}; a right copy of 1,000 words ` +
          `that goes on to 2,000 scores ${(100 * edits).toFixed(1)}: the output limit sets the floor of the figure.`,
      );
    },
  },
  {
    id: "W7",
    source: REPORT,
    quote:
      "Accuracy is highest when the unique word is placed near the beginning of the sequence, especially as input length increases.",
    quantifier: { of: "on average", word: "Accuracy" },
    statement: "The modified word is in its place more often where it is near the beginning.",
    expected: "cannot tell",
    check: () =>
      cannotTell("Not published: neither the replies nor the numbers behind the pictures are in the repository."),
  },
];

/** The claims of the report, checked on a run; open unless the 95% interval decides them. */
export const REPEATED_WORDS_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  onRun(COPY_FALLS, ({ replies }) => copyScores([{ model: "the model", origin: "measured", replies }])),
  onReplies(REPEATED_WORDS_CLAIMS, "W4", {
    quantifier: { of: "on average", word: "often" },
    statement:
      "Replies are too long more often in long texts (our measure: the longest texts less the shortest, in the bins of the figure).",
    check: ({ replies }) => {
      const measured = measureReplies(replies);
      const bins = measured.map(({ bin }) => bin).sort((one, other) => one - other);
      return decidedByGroups(measured, {
        of: ({ bin }) => bin,
        groups: [bins.at(-1), bins[0]],
        alike: () => "all",
        value: ({ measures }) => Number(measures.missingWords < 0),
        words: `Texts of about ${bins.at(-1)} less ${bins[0]} tokens`,
        isRate: true,
      });
    },
  }),
  onReplies(REPEATED_WORDS_CLAIMS, "W7", {
    quantifier: { of: "on average", word: "Accuracy" },
    statement:
      "The modified word is in its place more often near the beginning (our measure: the first third of the texts less the last).",
    check: ({ replies }) =>
      decidedByGroups(measureReplies(replies), {
        of: ({ record: { targetDepth } }) =>
          targetDepth === undefined ? undefined : Math.min(2, Math.floor(3 * targetDepth)),
        groups: [0, 2],
        alike: ({ bin }) => bin,
        value: ({ measures }) => Number(measures.isInPlace),
        words: "First third less last",
      }),
  }),
];

/** Answers whether models can copy one word again and again, from the published figure. */
export function copyAnswer(rows: readonly Evidence[]): string {
  const curves = curvesOf(rows);
  const ends = curves.filter((curve) => isAtLimit(curve.at(-1)!));
  const opening = ends.length === curves.length
    ? "Not in a long text: at the longest, every published model scores no better than one that repeats the word without end."
    : `Not all: at the longest text, ${ends.length} of ${curves.length} published models score no better than one that repeats without end.`;
  return `${opening} The score of endless repetition, ${NEVER_STOPS}%, is set by the output limit and not by the words.`;
}

function isAtLimit({ score }: Evidence): boolean {
  return Math.abs(score - NEVER_STOPS) <= AT_LIMIT;
}

/** The rows of each model, lengths rising. */
function curvesOf(rows: readonly Evidence[]): readonly (readonly Evidence[])[] {
  const curves = [...Map.groupBy(rows, ({ model }) => model).values()];
  return curves.map((curve) => curve.toSorted((one, other) => one.length! - other.length!));
}
