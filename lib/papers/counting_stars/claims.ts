import { percent } from "@/lib/base/mod.ts";
import { MEAN_OF_FOUR } from "./later_edition.ts";
import { starLosses, starsByThird } from "./losses.ts";
import { firstRuns, STAR_MODELS, type StarEvidence, starPanels } from "./published.ts";
import { decidedByMean, decidedByModels } from "@/lib/papers/evidence/means.ts";
import {
  endsOf,
  endsOfKnob,
  inTable,
  onReplies,
  onRun,
  pairEvidence,
  pairsByKnob,
  pointsOf,
} from "@/lib/papers/evidence/pairs.ts";
import {
  type Claim,
  compareThirds,
  decided,
  type Evidence,
  type Finding,
  listed,
  notAsked,
  pointsText,
  type PublishedClaim,
  type RunEvidence,
  type Third,
  verdictOf,
} from "@/lib/statistics/mod.ts";

const SHUFFLED: PublishedClaim<readonly Evidence[]> = {
  id: "C8",
  source: "experiments",
  quote: "once the order is shuffled, the results of both GPT-4 Turbo and Kimi Chat are much worse than before",
  quantifier: { of: "all", word: "both" },
  needs: { knobs: ["order"] },
  statement:
    "Shuffling the counts makes each model much worse (our measure: by 10 points or more, at the same lengths, with 95% confidence).",
  expected: "holds",
  check: (rows) =>
    decidedByModels(
      atLengths(rows),
      (own) => decidedByMean("Rising less shuffled", pairsByKnob(own, "order", ["increasing", "shuffled"]), 10),
    ),
};

const MORE_STARS: PublishedClaim<readonly Evidence[]> = {
  id: "C13",
  source: "method",
  quote: "the task of counting stars gets harder as M grows",
  quantifier: { of: "on average", word: "gets harder as M grows" },
  needs: { knobs: ["stars"] },
  statement: "The test gets harder as M grows (our measure: the fewest stars less the most, at the same lengths).",
  expected: "holds",
  check: (rows) => decidedByMean("Fewest less most stars", endsOfKnob(atLengths(rows), "stars")),
};

const LONGER: PublishedClaim<readonly Evidence[]> = {
  id: "L3",
  source: "abstract of the later edition",
  quote:
    "there is potential for improvement as the length of the input context and the intricacy of the tasks are increasing",
  quantifier: { of: "on average", word: "as the length" },
  needs: { lengths: 4 },
  statement:
    "Models are worse at the longest length than at the shortest (our measure: the mean of all, by the quarters of Table 5).",
  expected: "holds",
  check: (rows) => decidedByMean("Shortest less longest", endsOf(inTable(rows, "Table 5"))),
};

const REASONING: PublishedClaim<readonly Evidence[]> = {
  ...LONGER,
  id: "L4",
  quantifier: { of: "on average", word: "the intricacy of the tasks" },
  needs: { knobs: ["sentence"] },
  statement: "Models are worse where a wrong count precedes each right one (our measure: the mean of all, by Table 3).",
  check: (rows) =>
    decidedByMean("Plain less corrected", pairsByKnob(inTable(rows, "Table 3"), "sentence", ["plain", "corrected"])),
};

/**
 * The statements of Counting-Stars: those of its text (March 2024; it is Chinese, and the quotes are our translation), and those of the
 * abstract of its later edition (arXiv 2403.11802, third version).
 */
export const STAR_CLAIMS: readonly PublishedClaim<readonly StarEvidence[]>[] = [
  {
    id: "C3",
    source: "experiments",
    quote: "on the whole GPT-4 Turbo does better than Kimi Chat",
    quantifier: { of: "on average", word: "on the whole" },
    statement:
      "On the whole GPT-4 Turbo does better than Kimi Chat (our measure: the mean of the four versions on The Story of the Stone, compared length by length).",
    expected: "cannot tell",
    check: (rows) => {
      const stone = firstRuns(rows).filter(({ knobs }) => knobs["text"] === "Stone" && knobs["order"] === "increasing");
      return decidedByMean(
        STAR_MODELS.join(" less "),
        pairEvidence(stone, {
          alike: ({ source, length }) => `${source} ${length}`,
          of: ({ model }) => STAR_MODELS.find((name) => model.startsWith(name)),
          groups: STAR_MODELS,
        }),
      );
    },
  },
  {
    id: "C7",
    source: "method; the length-stability dilemma",
    quote:
      "both GPT-4 Turbo and Kimi Chat can get better results in a longer text than in a shorter one; 100K, say, is better than 92K",
    quantifier: { of: "some", word: "can" },
    statement: "Both models can do better in a longer text, as at 100K against 92K (our measure: in some matrix).",
    expected: "holds",
    check: (rows) => {
      const gains = STAR_MODELS.map((model) =>
        pairEvidence(firstRuns(rows).filter((row) => row.model.startsWith(model)), {
          alike: ({ source }) => source,
          of: ({ length }) => length,
          groups: [100_000, 92_000],
        }).map(pointsOf)
      );
      const better = gains.map((points) => points.filter((gain) => gain > 0).length);
      const texts = STAR_MODELS.map((model, at) => `for ${model} in ${better[at]} of ${gains[at]!.length} matrices`);
      return decided(better.every((count) => count > 0), `100K is better than 92K ${texts.join(", ")}.`);
    },
  },
  SHUFFLED,
  {
    id: "C12",
    source: "discussion",
    quote: "most wrong samples are late in the long context, the phenomenon of lost in the tail",
    quantifier: { of: "most", word: "most wrong samples" },
    statement:
      "Most lost stars are late in the context (our measure: over half of them are in the last third, of all matrices together; of repeated runs the first).",
    expected: "holds",
    check: (rows) => {
      const panels = starPanels(firstRuns(rows));
      const { last, lost } = starLosses(panels);
      const byModel = STAR_MODELS.map((model) => {
        const own = starLosses(panels.filter((panel) => panel.model.startsWith(model)));
        return `${percent(own.last / own.lost)} of ${model}'s`;
      });
      const observed = `The last third has ${percent(last / lost, 1)} of the lost stars: ${byModel.join(" and ")}.`;
      return decided(last > lost / 2, observed);
    },
  },
  {
    id: "C12c",
    source: "discussion",
    quote: "our findings cannot fully confirm this phenomenon (lost in the middle)",
    quantifier: { of: "some", word: "cannot fully" },
    statement:
      "Lost in the middle is not fully confirmed (our measure: some matrices lose most stars in another third; of repeated runs the first).",
    expected: "holds",
    check: (rows) => {
      const once = starPanels(firstRuns(rows)).map((panel) => starLosses([panel]).most);
      const [middle, last] = ["middle", "last"].map((third) => once.filter((most) => most === third).length);
      const observed = `The middle third loses most in ${middle} of ${once.length} matrices, the last in ${last}.`;
      return decided(middle! < once.length, observed);
    },
  },
  MORE_STARS,
  {
    id: "L1",
    source: "abstract of the later edition",
    quote: "Gemini 1.5 Pro achieves the best overall results",
    quantifier: { of: "on average", word: "overall" },
    statement: "Gemini 1.5 Pro has the highest mean of the four tasks (Table 3).",
    expected: "holds",
    check: (rows) => {
      const means = rows.filter(({ task }) => task === MEAN_OF_FOUR).toSorted((one, other) => other.score - one.score);
      const [best, second] = means;
      return decided(
        best!.model === "Gemini 1.5 Pro",
        `${listed([best!, second!].map(({ model, score }) => [model, score]))}.`,
      );
    },
  },
  {
    id: "L2",
    source: "abstract of the later edition",
    quote: "the performance of GPT-4 Turbo is the most stable across various tasks",
    quantifier: { of: "all", word: "the most stable" },
    statement:
      "GPT-4 Turbo's scores differ least between tasks (our measure: the best minus the worst of the four; its better version).",
    expected: "holds",
    check: (rows) => {
      const models = [...Map.groupBy(inTable(rows, "Table 3"), ({ model }) => model)];
      const ranges = models.filter(([, own]) => own.some(({ task }) => task === MEAN_OF_FOUR)).map(([model, own]) => {
        const scores = own.map(({ score }) => score);
        return [model, Math.max(...scores) - Math.min(...scores)] as const;
      }).toSorted(([, left], [, right]) => left - right);
      return decided(ranges[0]![0].startsWith("GPT-4 Turbo"), `${listed(ranges)}.`);
    },
  },
  LONGER,
  REASONING,
];

/** The statements that a run of one model can decide. Lost stars are counted reply by reply, with another measure. */
export const STAR_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  onRun(SHUFFLED),
  onReplies(STAR_CLAIMS, "C12", {
    quantifier: { of: "on average", word: "lost in the tail" },
    statement:
      "Stars are lost in the tail (our measure: those of the last third are found less often than those of the first and of the middle).",
    check: (run) => lostIn(run, "last"),
  }),
  onReplies(STAR_CLAIMS, "C12c", {
    quantifier: { of: "on average", word: "this phenomenon" },
    statement:
      "Lost in the middle is not confirmed (our measure: those of the middle third are not found less often than those of the first and of the last).",
    check: (run) => {
      const { verdict, observed } = lostIn(run, "middle");
      return { verdict: verdictOf(verdict === "fails", verdict === "holds"), observed };
    },
  }),
  onRun(MORE_STARS),
  onRun(LONGER),
  onRun(REASONING),
];

/** Leaves out means over lengths. */
function atLengths(rows: readonly Evidence[]): readonly Evidence[] {
  return rows.filter(({ length, knobs }) => length !== null && knobs["lengths"] === undefined);
}

/**
 * Compares the thirds of the text: one holds if it is lost, and fails if it is above another. Places chosen by the user are not thirds of
 * the text.
 */
function lostIn({ replies, tasks }: RunEvidence, third: Third): Finding {
  const even = replies.filter(({ task }) => tasks[task]?.options["places"] === undefined);
  const { rows, lost } = compareThirds(starsByThird(even), 1999);
  const texts = rows.flatMap(({ left, right, difference, low, high, units }) =>
    difference === null
      ? []
      : [`${left} minus ${right} ${pointsText({ score: difference, low: low!, high: high!, units })}`]
  );
  if (texts.length === 0) return notAsked("No prompt of three stars or more has a score.");
  const isHigher = rows.some(({ higher }) => higher === third);
  return { verdict: verdictOf(lost === third, isHigher), observed: `Thirds of the stars: ${texts.join("; ")}.` };
}
