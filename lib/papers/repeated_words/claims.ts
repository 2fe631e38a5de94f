import { sum } from "@/lib/base/mod.ts";
import type { CopyPoint, RepeatedWordsPublished } from "./published.ts";
import { PAIR_NAMES, PAIRS, PAPER_COUNTS, paperPlaces, writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import { measureCopy } from "@/lib/benchmarks/repeated_words/scorer.ts";
import { cannotTell, decided, decidedByCases, type PublishedClaim } from "@/lib/statistics/mod.ts";

const REPORT = "section Repeated Words (secondary copy)";
const DEGRADES = "As context length increases, performance consistently degrades across all models.";

/** The score of a copy that goes on until the report's output limit, twice the prompt. */
const NEVER_STOPS = 0.5;

/** Scores closer than this cannot be told apart in the figure. */
const READING = 0.002;

/** The opening that the report gives as an example of one that it scores (secondary copy). */
const OPENING =
  `I notice there's a discrepancy in the text. At one point, "apple" changes to "apples" (with an 's'). I'll replicate the text exactly as provided:`;

/** The most points that a slight penalty costs. */
const SLIGHT = 5;

/** The claims of the report "Context Rot" on repeated words, on its figure and its code at 1091346. */
export const REPEATED_WORDS_CLAIMS: readonly PublishedClaim<RepeatedWordsPublished>[] = [
  {
    id: "W1",
    source: `${REPORT}; figure of the README`,
    quote: DEGRADES,
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
    id: "W3",
    source: REPORT,
    quote: "For a given word combination, we create 1090 variations of context lengths and unique word indices",
    statement: "The numbers of words and the places of run_repeated_words.py are 1,090 prompts.",
    expected: "holds",
    check: () => {
      const prompts = sum(PAPER_COUNTS, (words) => paperPlaces(words).length);
      return decided(prompts === 1090, `${PAPER_COUNTS.length} numbers of words have ${prompts} places together.`);
    },
  },
  {
    id: "W4",
    source: `${REPORT}; figure of the README`,
    quote: "as context length increases, models often generate the repeated word until reaching the output token limit",
    statement:
      "At the longest texts models only repeat (our measure: the last point of every model is within 0.01 of the score of a copy that goes on to twice the prompt).",
    expected: "holds",
    check: ({ points }) => {
      const last = curvesOf(points).map((curve) => curve.at(-1)!);
      const text = writeCopy({ pair: "apple_apples", words: 1000, place: 500 });
      const { edits } = measureCopy(`${text}${" apple".repeat(1000)}`, text)!;
      return decidedByCases(
        last.map(({ score }) => Math.abs(score - NEVER_STOPS) <= 0.01),
        `${
          last.map((point) => `${point.model} ${scoreText(point)}`).join(", ")
        }; a right copy of 1,000 words that goes on ` +
          `to 2,000 scores ${edits.toFixed(3)}: the output limit sets the floor of the figure.`,
      );
    },
  },
  {
    id: "W5",
    source: REPORT,
    quote: "we use the same scoring process to slightly penalize the model for not following exact instructions",
    statement:
      `A sentence before an exact copy costs little (our measure: the report's own example at most ${SLIGHT} points at each number of words).`,
    expected: "fails",
    check: () => {
      const costs = PAPER_COUNTS.map((words) => {
        const text = writeCopy({ pair: "apple_apples", words, place: words >> 1 });
        return { words, points: 100 * (1 - measureCopy(OPENING + text, text)!.edits) };
      });
      const list = costs.map(({ words, points }) => `${words}: ${points.toFixed(1)}`).join(", ");
      return decidedByCases(costs.map(({ points }) => points <= SLIGHT), `Points lost by words: ${list}.`);
    },
  },
  {
    id: "W6",
    source: REPORT,
    quote: "We also observe patterns where models do not attempt the task, which appears across all model families.",
    statement: "Models of all four families leave texts out (our measure: a share is printed for one of each).",
    expected: "cannot tell",
    check: ({ notAttempted }) => {
      const list = notAttempted.map(({ model, percent }) => `${model} ${percent}%`).join(", ");
      const families = new Set(notAttempted.map(({ family }) => family));
      return families.size === 4
        ? decided(true, `${list}.`)
        : cannotTell(`Printed: ${list}; of Gemini there is no number, and the replies are not published.`);
    },
  },
  {
    id: "W7",
    source: REPORT,
    quote:
      "Accuracy is highest when the unique word is placed near the beginning of the sequence, especially as input length increases.",
    statement: "The modified word is in its place more often where it is near the beginning.",
    expected: "cannot tell",
    check: () =>
      cannotTell("Not published: neither the replies nor the numbers behind the pictures are in the repository."),
  },
  {
    id: "W8",
    source: "evaluate_repeated_words.py at 1091346",
    statement:
      "A word that is not copied is not found (our measure: an otherwise right copy of 30 words without the modified word, for each combination and at each place).",
    expected: "mostly holds",
    check: () => {
      const cases = PAIR_NAMES.flatMap((pair) => paperPlaces(30).map((place) => ({ pair, place })));
      const found = cases.filter(({ pair, place }) => {
        const reply = Array(30).fill(PAIRS[pair][0]).join(" ");
        return measureCopy(reply, writeCopy({ pair, words: 30, place }))!.isPresent;
      });
      const list = found.map(({ pair, place }) => `${pair} at place ${place + 1}`).join(", ");
      return decidedByCases(
        cases.map((each) => !found.includes(each)),
        `Found in ${found.length} of ${cases.length}: ${list}. " apple" is part of every " apples".`,
      );
    },
  },
  {
    id: "W9",
    source: "evaluate_repeated_words.py at 1091346",
    statement: "The plots by place count every exact copy (our measure: of all prompts of the seven combinations).",
    expected: "fails",
    check: () => {
      const plotted = PAIR_NAMES.map((pair) => {
        const text = writeCopy({ pair, words: 30, place: 3 });
        // The last of 20 bins ends before the last place.
        const places = PAPER_COUNTS.reduce((sum, words) => sum + paperPlaces(words).length - 1, 0);
        return { pair, count: measureCopy(text, text)!.hasOtherWords ? 0 : places };
      });
      const [all, counted] = [1090 * PAIR_NAMES.length, sum(plotted, ({ count }) => count)];
      const empty = plotted.filter(({ count }) => count === 0).map(({ pair }) => pair);
      return decided(
        counted === all,
        `${counted} of ${all}: none of ${
          empty.join(", ")
        }, as each word of a name is another word, and none at the last place.`,
      );
    },
  },
];

function curvesOf(points: readonly CopyPoint[]): CopyPoint[][] {
  const curves = [...Map.groupBy(points, ({ model }) => model).values()];
  return curves.map((curve) => curve.toSorted((one, other) => one.tokens - other.tokens));
}

function scoreText({ score }: CopyPoint): string {
  return score.toFixed(3);
}
