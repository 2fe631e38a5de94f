import { grouped, percent } from "@/lib/base/mod.ts";
import { type PublishedGrade, recallPercent, type RecallPublished } from "./published.ts";
import { listPrecisely, modelsOf, recallOn, signed, TESTS } from "./recalls.ts";
import {
  cannotTell,
  decided,
  decidedByCases,
  type Finding,
  mean,
  NO_DIFFERENCE,
  type PublishedClaim,
} from "@/lib/statistics/mod.ts";

const LLAMA_13 = "Llama 2 13B Chat";
const LLAMA_70 = "Llama 2 70B Chat";
const MISTRAL_1 = "Mistral 7B Instruct v0.1";
const MISTRAL_2 = "Mistral 7B Instruct v0.2";
const GPT_1106 = "GPT-3.5 Turbo 1106";
const GPT_0125 = "GPT-3.5 Turbo 0125";

/** Claims about one model on several tests. */
const CLAIMS_OF_TESTS: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M1",
    source: "abstract; section 4.1; Table 5",
    quote: "an LLM's recall capability is not only contingent upon the prompt's content",
    statement:
      `Recall depends on the needle (our measure: it differs by ${NO_DIFFERENCE} points or more between two tests).`,
    quantifier: { of: "some", word: "an LLM's" },
    expected: "holds",
    check: (published) => {
      const spans = modelsOf(published).map((model): [string, number] => [model, spanOf(published, model)]);
      const wide = spans.filter(([, span]) => span >= NO_DIFFERENCE);
      return decided(
        wide.length > 0,
        `Highest minus lowest: ${listPrecisely(spans)}; ${wide.length} of ${spans.length} differ by as much.`,
      );
    },
  },
  {
    id: "M2",
    source: "section 4.1; Table 5",
    quote:
      "for all nine models of our study we see differences in performance between the San Francisco, Thornfield Hollow and PistachioAI tests",
    statement: "Every model's recall differs between the tests.",
    quantifier: { of: "all", word: "all" },
    expected: "holds",
    check: (published) => {
      const spans = modelsOf(published).map((model): [string, number] => [model, spanOf(published, model)]);
      const least = spans.toSorted(([, one], [, other]) => one - other).slice(0, 3);
      return decidedByCases(
        spans.map(([, span]) => span > 0),
        `The smallest differences in points: ${
          listPrecisely(least)
        }. All prompts of a test share one text, so none has an interval.`,
      );
    },
  },
  {
    id: "M3",
    source: "section 4.1; Table 5",
    quote:
      "GPT-4 Turbo performs perfectly on PistachioAI … on Thornfield Hollow its recall is 93.7%, and on San Francisco it does worse, 68.2%",
    statement: "GPT-4 Turbo is perfect on PistachioAI, and has 93.7 on Thornfield Hollow and 68.2 on San Francisco.",
    quantifier: { of: "all", word: "GPT-4 Turbo" },
    expected: "holds",
    check: (published) => {
      const scores = TESTS.map((test): [string, number] => [test, recallOn(published, "GPT-4 Turbo 0125", test)]);
      return decided(
        scores.map(([, score]) => score.toFixed(1)).join() === "93.7,68.2,100.0",
        `Table 5: ${listPrecisely(scores)}.`,
      );
    },
  },
  {
    id: "M4",
    source: "section 4.2; Table 5",
    quote:
      "GPT-3.5 Turbo 1106, GPT-3.5 Turbo 0125, Mistral v0.1 and Mistral v0.2 all perform better on the Thornfield Hollow test",
    statement:
      "GPT-3.5 Turbo 1106 and 0125 and Mistral 7B v0.1 and v0.2 do better on Thornfield Hollow than on San Francisco.",
    quantifier: { of: "all", word: "all" },
    expected: "fails",
    check: (published) => fictionClaim(published, [GPT_1106, GPT_0125, MISTRAL_1, MISTRAL_2]),
  },
  {
    id: "M5",
    source: "section 4.2; Table 5",
    quote:
      "recall degrades when a prompt contains information that conflicts with or differs from what a model's training data may contain",
    statement: "Most models recall the fictional needle of Thornfield Hollow better than that of San Francisco.",
    quantifier: { of: "most", word: "degrades" },
    expected: "fails",
    check: (published) => fictionClaim(published, modelsOf(published)),
  },
  {
    id: "M6",
    source: "section 4.2",
    quote:
      "the errors that occur only in the San Francisco test come from models suggesting things to do in San Francisco … conversely, models do not make this mistake in the Thornfield Hollow test",
    statement: "Answers from prior knowledge occur in the San Francisco test only.",
    quantifier: { of: "all", word: "only" },
    expected: "cannot tell",
    check: () => cannotTell("One such reply was published, of GPT-4 Turbo on San Francisco; the others were not."),
  },
];

function spanOf(published: RecallPublished, model: string): number {
  const scores = TESTS.map((test) => recallOn(published, model, test));
  return Math.max(...scores) - Math.min(...scores);
}

function fictionClaim(published: RecallPublished, models: readonly string[]): Finding {
  const leads = models.map((model) => ({
    model,
    lead: recallOn(published, model, "Thornfield Hollow") - recallOn(published, model, "San Francisco"),
  }));
  const ahead = leads.filter(({ lead }) => lead > 0).length;
  const shown = leads.map(({ model, lead }) => `${model} ${signed(lead)}`).join(", ");
  return decidedByCases(
    leads.map(({ lead }) => lead > 0),
    `Thornfield Hollow minus San Francisco: ${shown}; above 0 for ${ahead} of ${leads.length}, on average ${
      signed(mean(leads.map(({ lead }) => lead)))
    } points.`,
  );
}

/** Our measure of a slight lead, in points. */
const SLIGHT = 1;

/** Claims about two models on the same tests (abstract, sections 4.3 to 4.5). */
const CLAIMS_OF_MODELS: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M7",
    source: "abstract; sections 4.4 and 4.5; Table 5",
    quote: "adjustments to model architecture, training strategy, or fine-tuning can improve performance",
    statement:
      `Such adjustments can improve recall (our measure: of the three pairs compared there, one gains ${NO_DIFFERENCE} points or more on a test).`,
    quantifier: { of: "some", word: "can" },
    expected: "holds",
    check: (published) => {
      const pairs = [[MISTRAL_2, MISTRAL_1], [WIZARD, LLAMA_70], [GPT_0125, GPT_1106]] as const;
      const most = pairs.map(([later, earlier]) => Math.max(...gainsOf(published, later, earlier)));
      const shown = pairs.map(([later, earlier], at) => `${later} over ${earlier} ${signed(most[at]!)}`);
      return decided(
        most.some((gain) => gain >= NO_DIFFERENCE),
        `The most points that a test gains: ${
          shown.join(", ")
        }. The models of a pair differ in several things at once.`,
      );
    },
  },
  {
    id: "M8",
    source: "section 4.3; Table 5",
    quote: "scoring 99.4% on Thornfield Hollow against 94.1% for Llama 2 13B",
    statement: "Llama 2 70B has 99.4 on Thornfield Hollow where 13B has 94.1.",
    quantifier: { of: "all", word: "Llama 2 13B" },
    expected: "holds",
    check: (published) => {
      const [large, small] = [LLAMA_70, LLAMA_13].map((model) => recallOn(published, model, "Thornfield Hollow"));
      return decided(
        large!.toFixed(1) === "99.4" && small!.toFixed(1) === "94.1",
        `${large} and ${small}; its leads: ${leadTexts(published, LLAMA_70, LLAMA_13)}.`,
      );
    },
  },
  {
    id: "M9",
    source: "section 4.4; Table 5",
    quote: "on all three tests that we analyse, Mistral v0.1 is the worst performing LLM",
    statement: "Mistral 7B v0.1 is the worst on all three tests.",
    quantifier: { of: "all", word: "all" },
    expected: "holds",
    check: (published) => {
      const worst = TESTS.map((test) => {
        const ranked = modelsOf(published).map((model): [string, number] => [model, recallOn(published, model, test)])
          .toSorted(([, one], [, other]) => one - other);
        return { test, ranked: ranked.slice(0, 2) };
      });
      return decidedByCases(
        worst.map(({ ranked }) => ranked[0]![0] === MISTRAL_1),
        `Lowest and next. ${worst.map(({ test, ranked }) => `${test}: ${listPrecisely(ranked)}`).join("; ")}.`,
      );
    },
  },
  {
    id: "M10",
    source: "section 4.5.1; Table 5",
    quote: "on all three needle-in-a-haystack tests WizardLM outperforms Llama 2 70B",
    statement: "WizardLM beats Llama 2 70B on all three tests.",
    quantifier: { of: "all", word: "all" },
    expected: "fails",
    check: (published) =>
      decidedByCases(
        gainsOf(published, WIZARD, LLAMA_70).map((gain) => gain > 0),
        `Its leads in points: ${leadTexts(published, WIZARD, LLAMA_70)}.`,
      ),
  },
  {
    id: "M11",
    source: "section 4.5.2; Table 5",
    quote: "the slight improvement that the newer GPT-3.5 Turbo 0125 shows on all three tests",
    statement:
      `The newer GPT-3.5 Turbo 0125 is slightly better on all three tests (our measure: by ${SLIGHT} point at most).`,
    quantifier: { of: "all", word: "all" },
    expected: "holds",
    check: (published) =>
      decidedByCases(
        gainsOf(published, GPT_0125, GPT_1106).map((gain) => gain > 0 && gain <= SLIGHT),
        `Its leads in points: ${leadTexts(published, GPT_0125, GPT_1106)}.`,
      ),
  },
  {
    id: "M12",
    source: "section 4.4; Figure 3",
    quote: "its heatmap shows that it cannot reliably process text in haystacks of more than 1k tokens",
    statement:
      "Mistral 7B v0.1 reads no haystack above about 1K tokens reliably (our measure: 90% of the cells of a length graded 4 or 5).",
    quantifier: { of: "all", word: "cannot" },
    expected: "holds",
    check: ({ grades }) => {
      const shares = [...Map.groupBy(gradesOf(grades, MISTRAL_1), ({ length }) => length)].map(([length, cells]) => (
        { length, share: cells.filter(({ score }) => score >= 4).length / cells.length }
      ));
      const long = shares.filter(({ length }) => length > UP_TO_1K);
      const [best] = long.toSorted((one, other) => other.share - one.share);
      return decidedByCases(
        long.map(({ share }) => share < RELIABLE),
        `Graded 4 or 5: of the ${long.length} lengths above 1K at most ${percent(best!.share)}, at ${
          grouped(best!.length)
        } tokens. ${MISTRAL_2} has grades of 4 or 5 in ${
          percent(mean(gradesOf(grades, MISTRAL_2).map(({ score }) => Number(score >= 4))))
        } of all cells.`,
      );
    },
  },
];

const WIZARD = "WizardLM-70B-V1.0";

/** The share of a length's cells graded 4 or 5 from which it is read reliably. */
const RELIABLE = 0.9;

/** The longest length that the paper counts as 1K tokens: the second of Figure 3 is about 1,006. */
const UP_TO_1K = 1100;

function gradesOf(grades: readonly PublishedGrade[], model: string): readonly PublishedGrade[] {
  return grades.filter((cell) => cell.model === model);
}

/** Returns the lead of one model over another on each test, in points. */
function gainsOf(published: RecallPublished, first: string, second: string): readonly number[] {
  return TESTS.map((test) => recallOn(published, first, test) - recallOn(published, second, test));
}

function leadTexts(published: RecallPublished, first: string, second: string): string {
  return gainsOf(published, first, second).map((gain, at) => `${TESTS[at]} ${signed(gain)}`).join(", ");
}

/**
 * The claims of Machlab and Battle (arXiv 2404.08865v1) about their tables and heatmaps. Quotes are those of the abstract, or
 * translated back from a translation.
 */
export const RECALL_CLAIMS: readonly PublishedClaim<RecallPublished>[] = [...CLAIMS_OF_TESTS, ...CLAIMS_OF_MODELS];

/** Returns the answer to whether recall depends on the prompt, by the model whose recall differs most between two tests. */
export function recallAnswer(published: RecallPublished): string {
  const [widest] = modelsOf(published).map((model) => {
    const ranked = TESTS.map((test) => ({ test, recall: recallOn(published, model, test) }))
      .toSorted((one, other) => one.recall - other.recall);
    const [least, most] = [ranked[0]!, ranked.at(-1)!];
    return { model, least, most, gap: most.recall - least.recall };
  }).toSorted((one, other) => other.gap - one.gap);
  const { model, least, most, gap } = widest!;
  const floor = recallPercent(1, 1).recall;
  const depends = gap > NO_DIFFERENCE
    ? `Yes: the recall of ${model} falls by ${gap.toFixed(0)} points where only the needle and its question change`
    : `Hardly: no model's recall changes by more than ${NO_DIFFERENCE} points between two needles`;
  return `${depends}. The widest gap is from ${most.recall.toFixed(0)}% on ${most.test} to ${
    least.recall.toFixed(0)
  }% on ` +
    `${least.test}, at the same lengths and depths. Recall starts at ${floor}%, and not at 0, as the lowest grade is 1 of 5.`;
}
