import { decided } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import { modelsOf, printed, recallOn, signed, TESTS, thornfieldLead } from "./_recall_evidence.ts";
import type { RecallPublished } from "./recall_published.ts";

// "About the same".
const NEAR = 1;
const CLEARLY_APART = 5;
/** The models that the paper calls about the same on Thornfield Hollow and San Francisco. */
const ABOUT_EQUAL: readonly string[] = ["Llama 2 70B Chat", "WizardLM-70B-V1.0", "Mixtral 8x7B Instruct v0.1"];

/** Claims about one model on several tests (sections 4.1 and 4.2). */
export const CLAIMS_OF_TESTS: readonly Claim<RecallPublished>[] = [
  {
    id: "M3",
    source: "section 4.1; Table 5",
    kind: "paper",
    quote:
      "for all nine models of our study we see differences in performance between the San Francisco, Thornfield Hollow and PistachioAI tests",
    statement: "Every model's recall differs between the tests.",
    check: (published) => {
      const spans = modelsOf(published).map((model): [string, number] => {
        const scores = TESTS.map((test) => recallOn(published, model, test));
        return [model, Math.max(...scores) - Math.min(...scores)];
      });
      return decided(spans.every(([, span]) => span > 0), `Highest less lowest: ${printed(spans)}.`);
    },
  },
  {
    id: "M4",
    source: "section 4.1; Table 5",
    kind: "paper",
    quote:
      "GPT-4 Turbo performs perfectly on PistachioAI … on Thornfield Hollow its recall is 93.7%, and on San Francisco it does worse, 68.2%",
    statement: "GPT-4 Turbo is perfect on PistachioAI, and has 93.7 on Thornfield Hollow and 68.2 on San Francisco.",
    check: (published) => {
      const scores = TESTS.map((test): [string, number] => [test, recallOn(published, "GPT-4 Turbo 0125", test)]);
      return decided(
        scores.map(([, score]) => score.toFixed(1)).join() === "93.7,68.2,100.0",
        `Table 5: ${printed(scores)}.`,
      );
    },
  },
  {
    id: "M5",
    source: "section 4.1; Table 5",
    kind: "paper",
    quote:
      "GPT-3.5 Turbo 1106, GPT-3.5 Turbo 0125 and WizardLM also do excellently on PistachioAI, but have worse results on the two other tests",
    statement: "GPT-3.5 Turbo 1106 and 0125 and WizardLM do worse on the other two tests than on PistachioAI.",
    check: (published) => {
      const gaps = ["GPT-3.5 Turbo 1106", "GPT-3.5 Turbo 0125", "WizardLM-70B-V1.0"].flatMap((model) =>
        TESTS.slice(0, 2).map((test) => ({
          name: `${model} on ${test}`,
          gap: recallOn(published, model, "PistachioAI") - recallOn(published, model, test),
          score: recallOn(published, model, test),
        }))
      );
      const ties = gaps.filter(({ gap }) => gap <= 0);
      const said = ties.map(({ name, score }): [string, number] => [name, score]);
      return decided(
        ties.length === 0,
        `${gaps.length - ties.length} of ${gaps.length} are worse${ties.length === 0 ? "" : `; not ${printed(said)}`}.`,
      );
    },
  },
  {
    id: "M6",
    source: "section 4.2; Table 5",
    kind: "paper",
    quote:
      "GPT-3.5 Turbo 1106, GPT-3.5 Turbo 0125, Mistral v0.1 and Mistral v0.2 all perform better on the Thornfield Hollow test",
    statement:
      "GPT-3.5 Turbo 1106 and 0125 and Mistral 7B v0.1 and v0.2 do better on Thornfield Hollow than on San Francisco.",
    check: (published) => {
      const models = [
        "GPT-3.5 Turbo 1106",
        "GPT-3.5 Turbo 0125",
        "Mistral 7B Instruct v0.1",
        "Mistral 7B Instruct v0.2",
      ];
      const leads = models.map((model): [string, number] => [model, thornfieldLead(published, model)]);
      return decided(
        leads.every(([, lead]) => lead > 0),
        `Thornfield Hollow less San Francisco: ${leads.map(([model, lead]) => `${model} ${signed(lead)}`).join(", ")}.`,
      );
    },
  },
  {
    id: "M7",
    source: "section 4.2; Table 5",
    kind: "paper",
    quote: "Llama 2 70B, WizardLM and Mixtral perform about the same on both tests",
    statement:
      `Llama 2 70B, WizardLM and Mixtral do about as well on both (our measure: within ${NEAR} point; beyond ${CLEARLY_APART} they do not, and between is open).`,
    check: (published) => {
      const gaps = ABOUT_EQUAL.map((model): [string, number] => [model, Math.abs(thornfieldLead(published, model))]);
      const widest = Math.max(...gaps.map(([, gap]) => gap));
      const verdict = widest <= NEAR ? "holds" : widest > CLEARLY_APART ? "fails" : "cannot tell";
      return { verdict, observed: `Apart by ${printed(gaps)} points.` };
    },
  },
  {
    id: "M8",
    source: "section 4.2; Table 5",
    kind: "paper",
    quote: "the exception to this pattern is Llama 2 13B, which performs better on the San Francisco test",
    statement:
      "Llama 2 13B is the exception: of the models that are not called about the same on both tests, it alone does better on San Francisco.",
    check: (published) => {
      const better = modelsOf(published).filter((model) => !ABOUT_EQUAL.includes(model))
        .map((model): [string, number] => [model, -thornfieldLead(published, model)]).filter(([, lead]) => lead > 0);
      return decided(
        better.length === 1 && better[0]![0] === "Llama 2 13B Chat",
        `${better.length} of them ${better.length === 1 ? "does" : "do"}: ${printed(better)} points.`,
      );
    },
  },
];
