import { decided } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import { modelsOf, printed, recallOn, signed, type TestName, TESTS } from "./_recall_evidence.ts";
import type { RecallPublished } from "./recall_published.ts";

const LLAMA_13 = "Llama 2 13B Chat";
const LLAMA_70 = "Llama 2 70B Chat";
const MISTRAL_1 = "Mistral 7B Instruct v0.1";
const MISTRAL_2 = "Mistral 7B Instruct v0.2";
const MIXTRAL = "Mixtral 8x7B Instruct v0.1";
/** The most points that are taken for a slight lead. */
const SLIGHT = 1;

/** Claims about two models on the same tests (sections 4.3 to 4.5). */
export const CLAIMS_OF_MODELS: readonly Claim<RecallPublished>[] = [
  {
    id: "M10",
    source: "section 4.3",
    kind: "paper",
    quote: "Llama 2 70B has more than 5 times the parameters of Llama 2 13B",
    statement: "Llama 2 70B has over 5 times the parameters of 13B.",
    check: () => decided(70 / 13 > 5, `70 / 13 = ${(70 / 13).toFixed(2)}, by their names, which the text cuts to 5.3.`),
  },
  {
    id: "M11",
    source: "section 4.3; Table 5",
    kind: "paper",
    quote: "scoring 99.4% on Thornfield Hollow against 94.1% for Llama 2 13B",
    statement: "Llama 2 70B has 99.4 on Thornfield Hollow where 13B has 94.1.",
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
    kind: "paper",
    quote:
      "compared with Llama 2 13B it has 46% fewer parameters but must handle a context window eight times as large",
    statement: "Mistral 7B v0.1 has 46% fewer parameters than Llama 2 13B and 8 times its context.",
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
    kind: "paper",
    quote: "on all three tests that we analyse, Mistral v0.1 is the worst performing LLM",
    statement: "Mistral 7B v0.1 is the worst on all three tests.",
    check: (published) => {
      const worst = TESTS.map((test) => {
        const ranked = modelsOf(published).toSorted((left, right) =>
          recallOn(published, left, test) - recallOn(published, right, test)
        );
        return { model: ranked[0]!, next: ranked[1]!, test };
      });
      const said = worst.map(({ test, model, next }) =>
        `${test}: ${printed([[model, recallOn(published, model, test)], [next, recallOn(published, next, test)]])}`
      );
      return decided(worst.every(({ model }) => model === MISTRAL_1), `Lowest and next. ${said.join("; ")}.`);
    },
  },
  {
    id: "M15",
    source: "section 4.4; Table 5",
    kind: "paper",
    quote: "its recall on Thornfield Hollow reaches 94.8% … comparable to Llama 2 13B … Mixtral's recall of 96.7%",
    statement:
      "Mistral 7B v0.2 reaches 94.8 on Thornfield Hollow, comparable with Llama 2 13B (our measure: within 1 point), and Mixtral 96.7.",
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
    kind: "paper",
    quote: "on all three needle-in-a-haystack tests WizardLM outperforms Llama 2 70B",
    statement: "WizardLM beats Llama 2 70B on all three tests.",
    check: (published) => leadClaim(published, "WizardLM-70B-V1.0", LLAMA_70),
  },
  {
    id: "M17",
    source: "section 4.5.2; Table 5",
    kind: "paper",
    quote: "the slight improvement that the newer GPT-3.5 Turbo 0125 shows on all three tests",
    statement: "The newer GPT-3.5 Turbo 0125 is slightly better on all three tests (our measure: by 1 point at most).",
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
