import { sum } from "@/lib/base/mod.ts";
import { CLAIMS_OF_HEATMAPS, CLAIMS_OF_TRAINING } from "./heatmap_claims.ts";
import {
  ABOUT_EQUAL,
  listPrecisely,
  modelsOf,
  recallOn,
  signed,
  type TestName,
  TESTS,
  thornfieldLead,
} from "./recalls.ts";
import { recallPercent, type RecallPublished } from "./published.ts";
import { depthGrid } from "@/lib/generators/mod.ts";
import { decided, decidedByCases, type PublishedClaim, verdictOf } from "@/lib/statistics/mod.ts";

/** Claims about the number of replies, their counting, and the depths of needles. */
const CLAIMS_OF_DESIGN: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M1",
    source: "section 2; Table 5",
    quote: "on 9 models (Table 1) with 3 needle-in-a-haystack tests (Table 2), 31,275 responses were to be graded",
    statement: "Nine models on three tests are 31,275 replies.",
    expected: "holds",
    check: (published) => {
      const replies = sum(published.recalls, ({ cells }) => cells);
      const models = modelsOf(published).length;
      return decided(
        models === 9 && replies === 31_275,
        `${models} models and ${published.recalls.length} tests: ${replies} replies, 35 x 35 a test and 25 x 25 for GPT-4 Turbo. Section 3.3 has 32k.`,
      );
    },
  },
  {
    id: "M2",
    source: "section 3.3; Table 5",
    quote: "across 1,225 tests, Llama 2 13B can score up to 6,125 points",
    statement:
      "1,225 prompts have at most 6,125 points (our measure: each printed recall is exactly one sum of whole grades divided by that, or by 3,125 for 625 prompts).",
    expected: "holds",
    check: ({ recalls }) => {
      const sums = recalls.map(({ recall, cells }) => {
        const all = Array.from({ length: 4 * cells + 1 }, (_, more) => cells + more);
        return all.filter((sum) => recallPercent(sum, cells).recall.toFixed(2) === recall.toFixed(2));
      });
      const single = sums.filter((found, at) => found.length === 1 && found[0] === recalls[at]!.gradeSum).length;
      return decided(
        single === recalls.length,
        `Of ${recalls.length} printed values ${single} come from exactly one sum of grades.`,
      );
    },
  },
  {
    id: "M18",
    source: "section 5 against section 3.1",
    statement:
      "The depth of 11.3% at which a reply of Llama 2 13B is shown lies on an S-shaped grid of 35 depths, as section 3.1 describes it.",
    expected: "holds",
    check: () => {
      const grid = depthGrid({ points: 35, spacing: "sigmoid" });
      const point = grid.findIndex((depth) => depth.toFixed(1) === "11.3") + 1;
      return decided(
        point === 11,
        `11.3 is point ${point} of the logistic grid of Kamradt's test (${
          grid[point - 1]
        }), which the paper does not write down; the grade itself is not public.`,
      );
    },
  },
  {
    id: "M19",
    source: "section 3.3; Table 5",
    statement: "Recall begins at 0%: it is the share of what could be recalled.",
    expected: "fails",
    check: (published) => {
      const floor = recallPercent(1225, 1225).recall;
      const lowest = Map.groupBy(published.recalls.filter(({ recall }) => recall < 70), ({ model }) => model);
      const low = [...lowest.values()].map((rows) => rows.toSorted((left, right) => left.recall - right.recall)[0]!)
        .map((row) =>
          `${row.model} on ${row.test} ${row.recall.toFixed(2)} is ${
            recallPercent(row.gradeSum, row.cells).aboveFloor.toFixed(1)
          }`
        );
      return decided(
        floor === 0,
        `The lowest grade is 1 of 5, so a model that finds nothing has ${floor}%. From 0 to 100: ${low.join("; ")}.`,
      );
    },
  },
];

const LLAMA_13 = "Llama 2 13B Chat";
const LLAMA_70 = "Llama 2 70B Chat";
const MISTRAL_1 = "Mistral 7B Instruct v0.1";
const MISTRAL_2 = "Mistral 7B Instruct v0.2";
const MIXTRAL = "Mixtral 8x7B Instruct v0.1";
/** Our measure of a slight lead, in points. */
const SLIGHT = 1;

/** Claims about two models on the same tests (sections 4.3 to 4.5). */
const CLAIMS_OF_MODELS: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M10",
    source: "section 4.3",
    quote: "Llama 2 70B has more than 5 times the parameters of Llama 2 13B",
    statement: "Llama 2 70B has over 5 times the parameters of 13B.",
    expected: "holds",
    check: () => decided(70 / 13 > 5, `70 / 13 = ${(70 / 13).toFixed(2)}, by their names, which the text cuts to 5.3.`),
  },
  {
    id: "M11",
    source: "section 4.3; Table 5",
    quote: "scoring 99.4% on Thornfield Hollow against 94.1% for Llama 2 13B",
    statement: "Llama 2 70B has 99.4 on Thornfield Hollow where 13B has 94.1.",
    expected: "holds",
    check: (published) => {
      const [large, small] = [LLAMA_70, LLAMA_13].map((model) => recallOn(published, model, "Thornfield Hollow"));
      return decided(
        large!.toFixed(1) === "99.4" && small!.toFixed(1) === "94.1",
        `${large} and ${small}; on all tests it leads by ${leads(published, LLAMA_70, LLAMA_13)}.`,
      );
    },
  },
  {
    id: "M13",
    source: "section 4.4; Table 1",
    quote:
      "compared with Llama 2 13B it has 46% fewer parameters but must handle a context window eight times as large",
    statement: "Mistral 7B v0.1 has 46% fewer parameters than Llama 2 13B and 8 times its context.",
    expected: "holds",
    check: ({ models }) => {
      const windowOf = (name: string): number => models.find(({ model }) => model === name)!.window;
      const fewer = 100 * (1 - 7 / 13);
      const times = windowOf(MISTRAL_1) / windowOf(LLAMA_13);
      return decided(
        Math.round(fewer) === 46 && times === 8,
        `${fewer.toFixed(1)}% fewer by the names; ${windowOf(MISTRAL_1)} tokens are ${times} times ${
          windowOf(LLAMA_13)
        }.`,
      );
    },
  },
  {
    id: "M14",
    source: "section 4.4; Table 5",
    quote: "on all three tests that we analyse, Mistral v0.1 is the worst performing LLM",
    statement: "Mistral 7B v0.1 is the worst on all three tests.",
    expected: "holds",
    check: (published) => {
      const worst = TESTS.map((test) => {
        const ranked = modelsOf(published).toSorted((left, right) =>
          recallOn(published, left, test) - recallOn(published, right, test)
        );
        return { model: ranked[0]!, next: ranked[1]!, test };
      });
      const shown = worst.map(({ test, model, next }) =>
        `${test}: ${
          listPrecisely([[model, recallOn(published, model, test)], [next, recallOn(published, next, test)]])
        }`
      );
      return decided(worst.every(({ model }) => model === MISTRAL_1), `Lowest and next. ${shown.join("; ")}.`);
    },
  },
  {
    id: "M15",
    source: "section 4.4; Table 5",
    quote: "its recall on Thornfield Hollow reaches 94.8% … comparable to Llama 2 13B … Mixtral's recall of 96.7%",
    statement:
      "Mistral 7B v0.2 reaches 94.8 on Thornfield Hollow, comparable with Llama 2 13B (our measure: within 1 point), and Mixtral 96.7.",
    expected: "holds",
    check: (published) => {
      const [second, llama, mixtral] = [MISTRAL_2, LLAMA_13, MIXTRAL].map((model) =>
        recallOn(published, model, "Thornfield Hollow")
      ) as [number, number, number];
      return decided(
        second.toFixed(1) === "94.8" && mixtral.toFixed(1) === "96.7" && Math.abs(second - llama) <= 1,
        `${second}, ${llama} and ${mixtral}.`,
      );
    },
  },
  {
    id: "M16",
    source: "section 4.5.1; Table 5",
    quote: "on all three needle-in-a-haystack tests WizardLM outperforms Llama 2 70B",
    statement: "WizardLM beats Llama 2 70B on all three tests.",
    expected: "fails",
    check: (published) => leadClaim(published, "WizardLM-70B-V1.0", LLAMA_70),
  },
  {
    id: "M17",
    source: "section 4.5.2; Table 5",
    quote: "the slight improvement that the newer GPT-3.5 Turbo 0125 shows on all three tests",
    statement: "The newer GPT-3.5 Turbo 0125 is slightly better on all three tests (our measure: by 1 point at most).",
    expected: "holds",
    check: (published) => leadClaim(published, "GPT-3.5 Turbo 0125", "GPT-3.5 Turbo 1106", SLIGHT),
  },
];

function leadClaim(
  published: RecallPublished,
  first: string,
  second: string,
  most = Infinity,
): ReturnType<typeof decided> {
  const isAhead = (test: TestName): boolean => {
    const lead = recallOn(published, first, test) - recallOn(published, second, test);
    return lead > 0 && lead <= most;
  };
  return decided(TESTS.every(isAhead), `Its lead in points: ${leads(published, first, second)}.`);
}

function leads(published: RecallPublished, first: string, second: string): string {
  return TESTS.map((test) => `${test} ${signed(recallOn(published, first, test) - recallOn(published, second, test))}`)
    .join(", ");
}

/** Our limits, in points, of "about the same" and of clearly different. */
const NEAR = 1;
const CLEARLY_APART = 5;

/** Claims about one model on several tests (sections 4.1 and 4.2). */
const CLAIMS_OF_TESTS: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M3",
    source: "section 4.1; Table 5",
    quote:
      "for all nine models of our study we see differences in performance between the San Francisco, Thornfield Hollow and PistachioAI tests",
    statement: "Every model's recall differs between the tests.",
    expected: "holds",
    check: (published) => {
      const spans = modelsOf(published).map((model): [string, number] => {
        const scores = TESTS.map((test) => recallOn(published, model, test));
        return [model, Math.max(...scores) - Math.min(...scores)];
      });
      return decided(spans.every(([, span]) => span > 0), `Highest less lowest: ${listPrecisely(spans)}.`);
    },
  },
  {
    id: "M4",
    source: "section 4.1; Table 5",
    quote:
      "GPT-4 Turbo performs perfectly on PistachioAI … on Thornfield Hollow its recall is 93.7%, and on San Francisco it does worse, 68.2%",
    statement: "GPT-4 Turbo is perfect on PistachioAI, and has 93.7 on Thornfield Hollow and 68.2 on San Francisco.",
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
    id: "M5",
    source: "section 4.1; Table 5",
    quote:
      "GPT-3.5 Turbo 1106, GPT-3.5 Turbo 0125 and WizardLM also do excellently on PistachioAI, but have worse results on the two other tests",
    statement: "GPT-3.5 Turbo 1106 and 0125 and WizardLM do worse on the other two tests than on PistachioAI.",
    expected: "fails",
    check: (published) => {
      const gaps = ["GPT-3.5 Turbo 1106", "GPT-3.5 Turbo 0125", "WizardLM-70B-V1.0"].flatMap((model) =>
        TESTS.slice(0, 2).map((test) => ({
          name: `${model} on ${test}`,
          gap: recallOn(published, model, "PistachioAI") - recallOn(published, model, test),
          score: recallOn(published, model, test),
        }))
      );
      const ties = gaps.filter(({ gap }) => gap <= 0);
      const shown = ties.map(({ name, score }): [string, number] => [name, score]);
      return decidedByCases(
        gaps.map(({ gap }) => gap > 0),
        `${gaps.length - ties.length} of ${gaps.length} are worse${
          ties.length === 0 ? "" : `; not ${listPrecisely(shown)}`
        }.`,
      );
    },
  },
  {
    id: "M6",
    source: "section 4.2; Table 5",
    quote:
      "GPT-3.5 Turbo 1106, GPT-3.5 Turbo 0125, Mistral v0.1 and Mistral v0.2 all perform better on the Thornfield Hollow test",
    statement:
      "GPT-3.5 Turbo 1106 and 0125 and Mistral 7B v0.1 and v0.2 do better on Thornfield Hollow than on San Francisco.",
    expected: "fails",
    check: (published) => {
      const models = [
        "GPT-3.5 Turbo 1106",
        "GPT-3.5 Turbo 0125",
        "Mistral 7B Instruct v0.1",
        "Mistral 7B Instruct v0.2",
      ];
      const leads = models.map((model): [string, number] => [model, thornfieldLead(published, model)]);
      return decidedByCases(
        leads.map(([, lead]) => lead > 0),
        `Thornfield Hollow less San Francisco: ${leads.map(([model, lead]) => `${model} ${signed(lead)}`).join(", ")}.`,
      );
    },
  },
  {
    id: "M7",
    source: "section 4.2; Table 5",
    quote: "Llama 2 70B, WizardLM and Mixtral perform about the same on both tests",
    statement:
      `Llama 2 70B, WizardLM and Mixtral do about as well on both (our measure: within ${NEAR} point; beyond ${CLEARLY_APART} they do not, and between is open).`,
    expected: "cannot tell",
    check: (published) => {
      const gaps = ABOUT_EQUAL.map((model): [string, number] => [model, Math.abs(thornfieldLead(published, model))]);
      const widest = Math.max(...gaps.map(([, gap]) => gap));
      const verdict = verdictOf(widest <= NEAR, widest > CLEARLY_APART);
      const open = verdict === "cannot tell"
        ? ` The widest gap is between ${NEAR} and ${CLEARLY_APART}; whether that is about the same, the paper does not state.`
        : "";
      return { verdict, observed: `Apart by ${listPrecisely(gaps)} points.${open}` };
    },
  },
  {
    id: "M8",
    source: "section 4.2; Table 5",
    quote: "the exception to this pattern is Llama 2 13B, which performs better on the San Francisco test",
    statement:
      "Llama 2 13B is the exception: of the models that are not called about the same on both tests, it alone does better on San Francisco.",
    expected: "fails",
    check: (published) => {
      const better = modelsOf(published).filter((model) => !ABOUT_EQUAL.includes(model))
        .map((model): [string, number] => [model, -thornfieldLead(published, model)]).filter(([, lead]) => lead > 0);
      return decided(
        better.length === 1 && better[0]![0] === "Llama 2 13B Chat",
        `${better.length} of them ${better.length === 1 ? "does" : "do"}: ${listPrecisely(better)} points.`,
      );
    },
  },
];

/**
 * The claims of Machlab and Battle (arXiv 2404.08865v1) about their tables and heatmaps, and three checks of ours. Quotes are
 * translated back from a translation.
 */
export const RECALL_CLAIMS: readonly PublishedClaim<RecallPublished>[] = [
  ...CLAIMS_OF_DESIGN,
  ...CLAIMS_OF_TESTS,
  ...CLAIMS_OF_MODELS,
  ...CLAIMS_OF_HEATMAPS,
  ...CLAIMS_OF_TRAINING,
].toSorted((left, right) => Number(left.id.slice(1)) - Number(right.id.slice(1)));
