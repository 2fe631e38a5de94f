import { grouped, percent } from "@/lib/base/mod.ts";
import { listPrecisely, recallCells, recallTable, signed, TESTS } from "./recalls.ts";
import { type EvidencePair, pairEvidence, pointsOf } from "@/lib/papers/evidence/pairs.ts";
import {
  cannotTell,
  decided,
  decidedByCases,
  type Evidence,
  type Finding,
  mean,
  NO_DIFFERENCE,
  type PublishedClaim,
} from "@/lib/statistics/mod.ts";

const LLAMA_70 = "Llama 2 70B Chat";
const MISTRAL_1 = "Mistral 7B Instruct v0.1";
const MISTRAL_2 = "Mistral 7B Instruct v0.2";
const GPT_1106 = "GPT-3.5 Turbo 1106";
const GPT_0125 = "GPT-3.5 Turbo 0125";
const WIZARD = "WizardLM-70B-V1.0";

/**
 * The claims of Machlab and Battle (arXiv 2404.08865v1) about their tables and heatmaps. Quotes are those of the abstract, or
 * translated back from a translation.
 */
export const RECALL_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  {
    id: "M1",
    source: "abstract; section 4.1; Table 5",
    quote: "an LLM's recall capability is not only contingent upon the prompt's content",
    statement:
      `Recall depends on the needle (our measure: it differs by ${NO_DIFFERENCE} points or more between two tests).`,
    quantifier: { of: "some", word: "an LLM's" },
    expected: "holds",
    check: (rows) => {
      const spans = spansOf(rows);
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
    check: (rows) => {
      const spans = spansOf(rows);
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
    id: "M5",
    source: "section 4.2; Table 5",
    quote:
      "recall degrades when a prompt contains information that conflicts with or differs from what a model's training data may contain",
    statement: "Most models recall the fictional needle of Thornfield Hollow better than that of San Francisco.",
    quantifier: { of: "most", word: "degrades" },
    expected: "fails",
    check: fictionClaim,
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
  {
    id: "M7",
    source: "abstract; sections 4.4 and 4.5; Table 5",
    quote: "adjustments to model architecture, training strategy, or fine-tuning can improve performance",
    statement:
      `Such adjustments can improve recall (our measure: of the three pairs compared there, one gains ${NO_DIFFERENCE} points or more on a test).`,
    quantifier: { of: "some", word: "can" },
    expected: "holds",
    check: (rows) => {
      const pairs = [[MISTRAL_2, MISTRAL_1], [WIZARD, LLAMA_70], [GPT_0125, GPT_1106]] as const;
      const most = pairs.map(([later, earlier]) => Math.max(...leadsOf(rows, later, earlier).map(pointsOf)));
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
    id: "M10",
    source: "section 4.5.1; Table 5",
    quote: "on all three needle-in-a-haystack tests WizardLM outperforms Llama 2 70B",
    statement: "WizardLM beats Llama 2 70B on all three tests.",
    quantifier: { of: "all", word: "all" },
    expected: "fails",
    check: (rows) => {
      const leads = leadsOf(rows, WIZARD, LLAMA_70);
      return decidedByCases(leads.map((pair) => pointsOf(pair) > 0), `Its leads in points: ${leadTexts(leads)}.`);
    },
  },
  {
    id: "M12",
    source: "section 4.4; Figure 3",
    quote: "its heatmap shows that it cannot reliably process text in haystacks of more than 1k tokens",
    statement:
      "Mistral 7B v0.1 reads no haystack above about 1K tokens reliably (our measure: 90% of the cells of a length graded 4 or 5).",
    quantifier: { of: "all", word: "cannot" },
    expected: "holds",
    check: (rows) => {
      const [early, late] = [MISTRAL_1, MISTRAL_2].map((name) =>
        recallCells(rows).filter(({ model }) => model === name)
      );
      const long = early!.filter(({ length }) => length > UP_TO_1K);
      const shares = Array.from(Map.groupBy(long, ({ length }) => length), ([length, cells]) => (
        { length, share: goodShare(cells) }
      ));
      const [best] = shares.toSorted((one, other) => other.share - one.share);
      return decidedByCases(
        shares.map(({ share }) => share < RELIABLE),
        `Graded 4 or 5: of the ${shares.length} lengths above 1K at most ${percent(best!.share)}, at ${
          grouped(best!.length)
        } tokens. ${MISTRAL_2} has grades of 4 or 5 in ${percent(goodShare(late!))} of all cells.`,
      );
    },
  },
];

/** Returns by how many points the recall of each model differs between its best and its worst test. */
function spansOf(rows: readonly Evidence[]): readonly (readonly [model: string, points: number])[] {
  return Array.from(Map.groupBy(recallTable(rows), ({ model }) => model), ([model, ofModel]) => {
    const scores = ofModel.map(({ score }) => score);
    return [model, Math.max(...scores) - Math.min(...scores)] as const;
  });
}

/** Judges the claim that models do better on the fictional needle than on that of San Francisco. */
function fictionClaim(rows: readonly Evidence[]): Finding {
  const pairs = pairEvidence(recallTable(rows), {
    alike: ({ model }) => model,
    of: ({ task }) => task,
    groups: ["recall_thornfield", "recall_san_francisco"],
  });
  const leads = pairs.map(pointsOf);
  return decidedByCases(
    leads.map((lead) => lead > 0),
    `Thornfield Hollow minus San Francisco: ${leadTexts(pairs)}; above 0 for ${
      leads.filter((lead) => lead > 0).length
    } of ${leads.length}, on average ${signed(mean(leads))} points.`,
  );
}

/** The share of a length's cells graded 4 or 5 from which it is read reliably. */
const RELIABLE = 0.9;

/** The longest length that the paper counts as 1K tokens: the second of Figure 3 is about 1,006. */
const UP_TO_1K = 1100;

/** The recall of grade 4, in percent. */
const GOOD = 80;

/** Returns the share of cells graded 4 or 5. */
function goodShare(cells: readonly Evidence[]): number {
  return cells.filter(({ score }) => score >= GOOD).length / cells.length;
}

/** Pairs one model with another on each test of Table 5, which names the pair. */
function leadsOf(rows: readonly Evidence[], first: string, second: string): readonly EvidencePair[] {
  return pairEvidence(recallTable(rows), {
    alike: ({ task }) => TESTS.get(task)!,
    of: ({ model }) => model,
    groups: [first, second],
  });
}

function leadTexts(leads: readonly EvidencePair[]): string {
  return leads.map((pair) => `${pair.name} ${signed(pointsOf(pair))}`).join(", ");
}

/** The recall of a model that finds nothing, in percent: each grade is at least 1 of 5. */
export const LEAST_RECALL = 20;

/** Returns the answer to whether recall depends on the prompt, by the model whose recall differs most between two tests. */
export function recallAnswer(rows: readonly Evidence[]): string {
  const spans = spansOf(rows).toSorted(([, one], [, other]) => other - one);
  const [model, gap] = spans[0]!;
  const ranked = recallTable(rows).filter((row) => row.model === model).toSorted((one, other) =>
    one.score - other.score
  );
  const who = spans.at(-1)![1] > NO_DIFFERENCE ? "For all models" : "For some models";
  const depends = gap > NO_DIFFERENCE
    ? `${who}: the recall of ${model} falls by ${
      gap.toFixed(0)
    } points where only the needle and its question change, at the same lengths and depths`
    : `Hardly: no model's recall changes by more than ${NO_DIFFERENCE} points between two needles`;
  const ends = [ranked.at(-1)!, ranked[0]!].map(({ task, score }) =>
    `${score.toFixed(0)}% on the test ${TESTS.get(task)}`
  );
  return `${depends}. Its recall is ${ends.join(" and ")}. ` +
    `The lowest recall that there can be is ${LEAST_RECALL}%, as the lowest grade is 1 of 5.`;
}
