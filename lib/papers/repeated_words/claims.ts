import type { CopyPoint, RepeatedWordsPublished } from "./published.ts";
import { writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import { measureCopy } from "@/lib/benchmarks/repeated_words/scorer.ts";
import { cannotTell, decidedByCases, type PublishedClaim } from "@/lib/statistics/mod.ts";

const REPORT = "section Repeated Words (secondary copy)";
const DEGRADES = "As context length increases, performance consistently degrades across all models.";

/** The score of a copy that goes on until the report's output limit, twice the prompt. */
const NEVER_STOPS = 0.5;

/** Scores closer to it than this are at the limit. */
const AT_LIMIT = 0.01;

/** Scores closer than this cannot be told apart in the figure. */
const READING = 0.002;

/** The claims of the report "Context Rot" on repeated words, on its figure and its code at 1091346. */
export const REPEATED_WORDS_CLAIMS: readonly PublishedClaim<RepeatedWordsPublished>[] = [
  {
    id: "W1",
    source: `${REPORT}; figure of the README`,
    quote: DEGRADES,
    quantifier: { of: "all", word: "all models" },
    statement:
      "The score of every model falls with length (our measure: from the first to the last point of the four models shown).",
    expected: "holds",
    check: ({ points }) => {
      const ends = curvesOf(points).map((curve) => ({ model: curve[0]!.model, ends: [curve[0]!, curve.at(-1)!] }));
      return decidedByCases(
        ends.map(({ ends: [first, last] }) => last!.score < first!.score),
        `${ends.map(({ model, ends }) => `${model} ${ends.map(scoreText).join(" to ")}`).join("; ")}.`,
      );
    },
  },
  {
    id: "W2",
    source: `${REPORT}; figure of the README`,
    quote: DEGRADES,
    quantifier: { of: "all", word: "consistently" },
    statement: `The fall is consistent (our measure: no point is more than ${READING} above the one before it).`,
    expected: "mostly holds",
    check: ({ points }) => {
      const steps = curvesOf(points).flatMap((curve) => curve.slice(1).map((to, at) => ({ from: curve[at]!, to })));
      const rises = steps.filter(({ from, to }) => to.score > from.score + READING);
      const list = rises.map(({ from, to }) => `${to.model} from ${scoreText(from)} to ${scoreText(to)}`).join("; ");
      return decidedByCases(
        steps.map((step) => !rises.includes(step)),
        `${rises.length} of ${steps.length} steps rise: ${list}.`,
      );
    },
  },
  {
    id: "W4",
    source: `${REPORT}; figure of the README`,
    quote: "as context length increases, models often generate the repeated word until reaching the output token limit",
    quantifier: { of: "all", word: "models often generate" },
    statement:
      `At the longest texts models only repeat (our measure: the last point of every model is within ${AT_LIMIT} of the score of a copy that goes on to twice the prompt).`,
    expected: "holds",
    check: ({ points }) => {
      const last = curvesOf(points).map((curve) => curve.at(-1)!);
      const text = writeCopy({ pair: "apple_apples", words: 1000, place: 500 });
      const { edits } = measureCopy(`${text}${" apple".repeat(1000)}`, text)!;
      return decidedByCases(
        last.map(({ score }) => Math.abs(score - NEVER_STOPS) <= AT_LIMIT),
        `${
          last.map((point) => `${point.model} ${scoreText(point)}`).join(", ")
        }; a right copy of 1,000 words that goes on ` +
          `to 2,000 scores ${edits.toFixed(3)}: the output limit sets the floor of the figure.`,
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

/** Answers whether models can copy one word again and again, from the published figure. */
export function copyAnswer({ points }: Pick<RepeatedWordsPublished, "points">): string {
  const curves = curvesOf(points);
  const ends = curves.filter((curve) => Math.abs(curve.at(-1)!.score - NEVER_STOPS) <= AT_LIMIT);
  const opening = ends.length === curves.length
    ? "Not in a long text: every published model ends at the score of a copy that never stops."
    : `Not all: ${ends.length} of ${curves.length} published models end at the score of a copy that never stops.`;
  return `${opening} That score, ${NEVER_STOPS}, is set by the output limit and not by the words.`;
}

function curvesOf(points: readonly CopyPoint[]): CopyPoint[][] {
  const curves = [...Map.groupBy(points, ({ model }) => model).values()];
  return curves.map((curve) => curve.toSorted((one, other) => one.tokens - other.tokens));
}

function scoreText({ score }: CopyPoint): string {
  return score.toFixed(3);
}
