import {
  listPrecisely,
  type NeedleCell,
  type PublishedGrade,
  recallOn,
  type RecallPublished,
  signedPoints,
  TESTS,
} from "./published.ts";
import { cannotTell, decided, mean, pairedComparison, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The models of the two heatmaps that are known cell by cell. */
const [FIRST, SECOND] = ["Mistral 7B Instruct v0.1", "Mistral 7B Instruct v0.2"] as const;

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
      const shown = short.map(({ length, share }) => `${(100 * share).toFixed(0)}% at ${length.toLocaleString("en")}`);
      return decided(
        short.every(({ share }) => share >= RELIABLE) && long[0]!.share < RELIABLE,
        `Graded 4 or 5: ${shown.join(", ")} tokens; of the ${long.length} longer ones at most ${
          (100 * long[0]!.share).toFixed(0)
        }%, at ${long[0]!.length.toLocaleString("en")}.`,
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
        sum: gradesOf(grades, model).reduce((sum, { score }) => sum + score, 0),
        wanted: recalls.find((row) => row.model === model && row.test === "Thornfield Hollow")!.gradeSum,
        perfect: mean(gradesOf(grades, model).map(({ score }) => Number(score === 5))),
      }));
      return decided(
        sums.every(({ sum, wanted }) => sum === wanted),
        `v0.1 ${sums[0]!.sum} of ${sums[0]!.wanted}, v0.2 ${sums[1]!.sum} of ${sums[1]!.wanted}; ${
          sums.map(({ perfect }) => `${(100 * perfect).toFixed(0)}%`).join(" and ")
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
