import { grouped, percent, sum } from "@/lib/base/mod.ts";
import {
  ABOUT_EQUAL,
  listPrecisely,
  modelsOf,
  recallOn,
  signed,
  signedPoints,
  TESTS,
  thornfieldLead,
} from "./recalls.ts";
import type { NeedleCell, PublishedGrade, RecallPublished } from "./published.ts";
import {
  cannotTell,
  decided,
  decidedByCases,
  mean,
  pairedComparison,
  type PublishedClaim,
} from "@/lib/statistics/mod.ts";

/** The models of the two heatmaps that are known cell by cell. */
const [FIRST, SECOND] = ["Mistral 7B Instruct v0.1", "Mistral 7B Instruct v0.2"] as const;

/** The model that section 4.2 calls the exception, beside those that are about the same on both tests. */
const EXCEPTION = "Llama 2 13B Chat";

/** The share of a length's places graded 4 or 5 from which it is read reliably. */
const RELIABLE = 0.9;

/** The longest length that the paper counts as 1K tokens: the second of Figure 3 is about 1,006. */
const UP_TO_1K = 1100;

/** Claims about the heatmaps of Figures 1 to 3, two panels of which are known cell by cell. */
export const CLAIMS_OF_HEATMAPS: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M9",
    source: "section 4.2; figure",
    quote:
      "in the San Francisco test, as the haystack length grows beyond 32k tokens, GPT-4 Turbo's recall failures increase at all placements except at the very top and bottom of the document",
    statement: "GPT-4 Turbo's failures grow beyond 32K tokens, except at the very top and bottom.",
    expected: "cannot tell",
    check: (published) =>
      cannotTell(
        `Its grades by length are in a picture only; Table 5 has ${
          listPrecisely(TESTS.map((test) => [test, recallOn(published, "GPT-4 Turbo 0125", test)]))
        }. Kamradt's grades of GPT-4 Turbo 1106, from 1 to 10, are of the same needle: ${kamradtMeans(published)}.`,
      ),
  },
  {
    id: "M12",
    source: "section 4.3; Figure 2",
    quote:
      "Llama 2 13B has perfect recall where the haystack is shorter than 500 tokens … Llama 2 70B's weaknesses typically occur where the needle is placed between 10% and 90% deep",
    statement: "Llama 2 13B is perfect below 500 tokens, and 70B is weak between depths of 10 and 90%.",
    expected: "cannot tell",
    check: (published) =>
      cannotTell(
        `Grades by length and depth are in a picture only; over all cells of Thornfield Hollow they have ${
          listPrecisely(
            ["Llama 2 13B Chat", "Llama 2 70B Chat"].map((
              model,
            ) => [model, recallOn(published, model, "Thornfield Hollow")]),
          )
        }.`,
      ),
  },
  {
    id: "M20",
    source: "section 4.4; Figure 3",
    quote: "its heatmap shows that it cannot reliably process text in haystacks of more than 1k tokens",
    statement: `Mistral 7B v0.1 reads haystacks of up to about 1K tokens, and none above reliably (our measure: ${
      100 * RELIABLE
    }% of the places of a length graded 4 or 5).`,
    expected: "holds",
    check: ({ grades }) => {
      const shares = [...Map.groupBy(gradesOf(grades, FIRST), ({ length }) => length)].map(([length, cells]) => ({
        length,
        share: cells.filter(({ score }) => score >= 4).length / cells.length,
      }));
      const short = shares.filter(({ length }) => length <= UP_TO_1K);
      const long = shares.filter(({ length }) => length > UP_TO_1K).toSorted((left, right) => right.share - left.share);
      const shown = short.map(({ length, share }) => `${percent(share)} at ${grouped(length)}`);
      return decided(
        short.every(({ share }) => share >= RELIABLE) && long[0]!.share < RELIABLE,
        `Graded 4 or 5: ${shown.join(", ")} tokens; of the ${long.length} longer ones at most ${
          percent(long[0]!.share)
        }, at ${grouped(long[0]!.length)}.`,
      );
    },
  },
  {
    id: "M21",
    source: "section 4.4; Figure 3",
    quote:
      "these adjustments improved Mistral's ability to process and retain the information of a prompt, in particular beyond 1k tokens",
    statement:
      "Mistral 7B v0.2 recalls more than v0.1, and gains more beyond 1K tokens than up to there (paired by cell).",
    expected: "holds",
    check: ({ grades }) => {
      const [short, long] = [
        gainOf(grades, (length) => length <= UP_TO_1K),
        gainOf(grades, (length) => length > UP_TO_1K),
      ];
      const points = ({ difference, low, high }: typeof long): string => signedPoints({ score: difference, low, high });
      return decided(
        long.low > 0 && long.low > short.high,
        `v0.2 less v0.1: ${points(long)} beyond 1K, ${
          points(short)
        } up to there. Neighbouring cells share most of their text.`,
      );
    },
  },
  {
    id: "M22",
    source: "Figure 3 against Table 5",
    statement: "The grades in the two heatmaps that are known add up to Table 5's recall.",
    expected: "holds",
    check: ({ grades, recalls }) => {
      const sums = [FIRST, SECOND].map((model) => ({
        sum: sum(gradesOf(grades, model), ({ score }) => score),
        wanted: recalls.find((row) => row.model === model && row.test === "Thornfield Hollow")!.gradeSum,
        perfect: mean(gradesOf(grades, model).map(({ score }) => Number(score === 5))),
      }));
      return decided(
        sums.every(({ sum, wanted }) => sum === wanted),
        `v0.1 ${sums[0]!.sum} of ${sums[0]!.wanted}, v0.2 ${sums[1]!.sum} of ${sums[1]!.wanted}; ${
          sums.map(({ perfect }) => percent(perfect)).join(" and ")
        } of their cells have a 5.`,
      );
    },
  },
];

/** Writes the means of Kamradt's GPT-4 cells up to 32K and beyond, at the ends of the document and between. */
function kamradtMeans({ cells }: RecallPublished): string {
  const gpt = cells.filter(({ model }) => model.startsWith("gpt-4"));
  const meanOf = (isAsked: (cell: NeedleCell) => boolean): string =>
    mean(gpt.filter(isAsked).map(({ score }) => score / 10)).toFixed(2);
  const isEnd = ({ depth }: NeedleCell): boolean => depth === 0 || depth === 100;
  return `as shares ${meanOf(({ length }) => length <= LONG)} up to 32K; beyond, ${
    meanOf((cell) => cell.length > LONG && isEnd(cell))
  } at the very top and bottom and ${meanOf((cell) => cell.length > LONG && !isEnd(cell))} between`;
}

/** The length beyond which the paper sees GPT-4 Turbo's failures, in tokens. */
const LONG = 32_768;

function gradesOf(grades: readonly PublishedGrade[], model: string): readonly PublishedGrade[] {
  return grades.filter((cell) => cell.model === model);
}

/** Returns the gain of the second version over the first at some lengths, in points of recall. */
function gainOf(
  grades: readonly PublishedGrade[],
  isAsked: (length: number) => boolean,
): ReturnType<typeof pairedComparison> {
  const [first, second] = [FIRST, SECOND].map((model) =>
    gradesOf(grades, model).filter(({ length }) => isAsked(length))
  );
  return pairedComparison([second!.map(({ score }, at) => ({ first: score / 5, second: first![at]!.score / 5 }))]);
}

/** Claims about training, size and recall. The replies behind them were not published. */
export const CLAIMS_OF_TRAINING: readonly PublishedClaim<RecallPublished>[] = [
  {
    id: "M23",
    source: "section 4.2; Table 5",
    quote:
      "recall degrades when a prompt contains information that conflicts with or differs from what a model's training data may contain",
    statement:
      "The fictional needle of Thornfield Hollow is recalled better than that of San Francisco (our measure: by each model that the paper does not exempt in the same section).",
    expected: "fails",
    check: (published) => {
      const leads = modelsOf(published).filter((model) => ![...ABOUT_EQUAL, EXCEPTION].includes(model))
        .map((model): [string, number] => [model, thornfieldLead(published, model)]);
      const average = mean(leads.map(([, lead]) => lead));
      return decidedByCases(
        leads.map(([, lead]) => lead > 0),
        `Thornfield Hollow less San Francisco: ${
          leads.map(([model, lead]) => `${model} ${signed(lead)}`).join(", ")
        }; their mean is ${signed(average)} points.`,
      );
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
        `Two sizes of one family, 13B and 70B, are one step and no series, and no third was published; where 13B has ${
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
      const shown = ratios.map(([model, ratio]) => `${model} ${grouped(ratio / 1000)}`);
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
