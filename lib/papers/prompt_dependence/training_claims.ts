import { listPrecisely, modelsOf, recallOn, type RecallPublished, TESTS } from "./published.ts";
import { cannotTell, decided, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** Claims about training, size and recall. The replies behind them were not published. */
export const CLAIMS_OF_TRAINING: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M23",
    source: "section 4.2; Table 5",
    quote:
      "recall degrades when a prompt contains information that conflicts with or differs from what a model's training data may contain",
    statement:
      "The fictional needle of Thornfield Hollow is recalled better than that of San Francisco (our measure: by most of the nine models).",
    expected: "fails",
    check: (published) => {
      const better = modelsOf(published).filter((model) =>
        recallOn(published, model, "Thornfield Hollow") > recallOn(published, model, "San Francisco")
      );
      return decided(better.length > 4.5, `By ${better.length} of nine: ${better.join(", ")}.`);
    },
  },
  {
    id: "M24",
    source: "section 4.2",
    quote:
      "the errors that occur only in the San Francisco test come from models suggesting things to do in San Francisco … conversely, models do not make this mistake in the Thornfield Hollow test",
    statement: "Answers from prior knowledge occur in the San Francisco test only.",
    expected: "cannot tell",
    check: () =>
      cannotTell(
        "One such reply was published, of GPT-4 Turbo on San Francisco. Of a run it can be asked, with the same questions without a text beside it.",
      ),
  },
  {
    id: "M25",
    source: "section 4.3",
    quote:
      "Llama 2 13B's slight recall errors on shorter documents give 4/5, and on longer documents it scores 1/5 more often … the replies claim that there is “no mention of Thornfield Hollow”",
    statement: "Llama 2 13B slips on short texts, and on long ones claims that nothing is mentioned.",
    expected: "cannot tell",
    check: (published) =>
      cannotTell(
        `Neither its replies nor its grades by length were published; it has ${
          recallOn(published, "Llama 2 13B Chat", "Thornfield Hollow")
        } on Thornfield Hollow.`,
      ),
  },
  {
    id: "M26",
    source: "section 4.3; Table 5",
    quote: "it also highlights the diminishing returns of recall improvement beyond a certain model size",
    statement: "Beyond some size, more parameters improve recall by less and less.",
    expected: "cannot tell",
    check: (published) =>
      cannotTell(
        `Two sizes of one family, 13B and 70B, are one step and no series; where 13B has ${
          listPrecisely(TESTS.map((test) => [test, recallOn(published, "Llama 2 13B Chat", test)]))
        }, there is little left to gain.`,
      ),
  },
  {
    id: "M27",
    source: "section 4.4; Table 1",
    quote: "Mistral v0.1 … the smallest ratio of parameters to context window in our study",
    statement:
      "Mistral 7B v0.1 has the smallest ratio of parameters to window (our measure: of the models whose names include their size, none has a smaller one).",
    expected: "holds",
    check: ({ models }) => {
      const ratios = models.flatMap(({ model, window }): (readonly [string, number])[] => {
        const [, experts = "1", billions] = /(?:(\d+)x)?(\d+)B/.exec(model) ?? [];
        return billions === undefined ? [] : [[model, 1e9 * Number(experts) * Number(billions) / window]];
      }).toSorted(([, left], [, right]) => left - right);
      const least = ratios[0]![1];
      const own = ratios.find(([model]) => model === "Mistral 7B Instruct v0.1")![1];
      const shown = ratios.map(([model, ratio]) => `${model} ${Math.round(ratio / 1000).toLocaleString("en")}`);
      return decided(
        own === least,
        `In thousands of parameters a token: ${shown.join(", ")}; v0.2 has the same, and GPT's sizes are not public.`,
      );
    },
  },
  {
    id: "M28",
    source: "appendix A against appendix B",
    quote: [
      "Table 6: <s><<SYS>> {system_message} <</SYS>> {document} [INST]{question}[/INST]",
      "Table 7, an example prompt of the PistachioAI test: <s><<SYS>>You are a helpful AI assistant … <<SYS>> … [INST]What is the best thing to do in San Francisco?[\\INST]",
    ],
    statement: "Table 7 shows the PistachioAI test in the templates of Table 6.",
    expected: "fails",
    check: () =>
      decided(
        String(CLOSING.example) === CLOSING.template,
        `Its needle and question are those of San Francisco, its system block ends with its opening tag, and its question with ${CLOSING.example}. Prompts here follow Table 6.`,
      ),
  },
];

/** The closing tags of the question in Table 6's templates and in Table 7's examples, as printed. */
const CLOSING = { template: "[/INST]", example: "[\\INST]" } as const;
