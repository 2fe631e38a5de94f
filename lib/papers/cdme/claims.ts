import { cdmeGrid, cdmePlaces } from "@/lib/benchmarks/cdme/grids.ts";
import { type CdmeItem, cdmeItem, readAnswerForm } from "@/lib/benchmarks/cdme/items.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import { opencompassResult, readOpencompassSummary } from "./opencompass.ts";
import { editMatch, keywordMatch } from "@/lib/scorers/mod.ts";
import { cannotTell, decided, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The sections of OpenCompass's page on its needle test. */
const SECTIONS = {
  introduction: "Introduction to the Needle In A Haystack Test",
  dataset: "Dataset Introduction",
  config: "Dataset Configuration Example",
  multi: "Multi-Needle Dataset Configuration Example",
  change: "Change in Scoring Mechanism",
  lmdeploy: "Large-Scale Text Evaluation with LMDeploy",
  score: "Score Calculation Method",
  figure: "Visualization",
} as const;

const NEEDLE = "小明最喜欢的实习的地点就是上海人工智能实验室。";

/** Replies with their edits and the length of the longer text, counted by hand. */
const VECTORS: readonly (readonly [string, number, number])[] = [
  [NEEDLE, 0, 23],
  ["小明最喜欢的实习地点就是上海人工智能实验室。", 1, 23],
  ["小明最喜欢的实习地点就是上海人工智能实验室", 2, 23],
  ["“小明最喜欢的实习地点就是上海人工智能实验室。”", 3, 24],
  ["上海人工智能实验室", 14, 23],
  ["根据文档，小明最喜欢的实习地点就是上海人工智能实验室。", 6, 27],
  ["", 23, 23],
];

/** The claims of OpenCompass's page about its needle test, checked on its configuration, scores and code at e975a96f. */
export const CDME_CLAIMS: readonly PublishedClaim<undefined>[] = [
  {
    id: "D1",
    source: SECTIONS.config,
    quote: "'num_repeats_per_file': 10, 'length_buffer': 200",
    statement: "The configuration shown keeps 200 tokens back and repeats each file 10 times.",
    expected: "holds",
    check: () => {
      const { lengths, depths, repeats, prompts } = cdmeGrid("8k");
      const buffer = CDME_NEEDLES.task("cdme_original").options["lengthBuffer"];
      return decided(
        buffer === 200 && repeats === 10,
        `The 8K configuration has a buffer of ${buffer} tokens; ${lengths.length} lengths × ${depths} depths × ${repeats} repeats are ${prompts} prompts.`,
      );
    },
  },
  {
    id: "D2",
    source: SECTIONS.score,
    quote:
      "first removes all whitespace characters … score = 100 * (1 - edit_distance /max_len) if max_len != 0 else 100",
    statement: "The score is 100 × (1 − edits / longer length) without white space, and 100 for empty texts.",
    expected: "holds",
    check: () => {
      const right = VECTORS.filter(([reply, edits, longer]) => {
        const { value, distance } = editMatch(` ${reply}\n`, NEEDLE);
        return distance === edits && value === 1 - edits / longer;
      });
      const empty = editMatch(" ", "\n").value;
      return decided(
        right.length === VECTORS.length && empty === 1,
        `${right.length} of ${VECTORS.length} replies score as counted by hand; two empty texts score ${100 * empty!}.`,
      );
    },
  },
  {
    id: "D3",
    source: SECTIONS.change,
    quote:
      "if the keyword is present in the prediction, it will be awarded a high score (e.g., 100). If not, the score will be significantly reduced (20% of the original score)",
    statement: "With several needles a reply with the keyword scores 100, any other a fifth of its score.",
    expected: "holds",
    check: () => {
      const wanted = { answer: "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack", keyword: "Jack" };
      const [found, missing] = [
        keywordMatch("是Jack", wanted),
        keywordMatch(wanted.answer.replace("Jack", "杰克"), wanted),
      ];
      return decided(
        found.value === 1 && missing.value === 0.2 * missing.edits.value!,
        `With the keyword alone ${percent(found.value)}; with 杰克 in its place ${
          percent(missing.edits.value)
        } becomes ${percent(missing.value)}.`,
      );
    },
  },
  {
    id: "D4",
    source: SECTIONS.multi,
    quote: "diff: Defines the depth increment for subsequent needles relative to the first needle.",
    statement:
      "`diff` is how much deeper needles are than the first (our measure: a diff of 25 puts three needles of 30 to 50 tokens at 10, 35 and 60% of 1,000 tokens).",
    expected: "fails",
    check: () => {
      const { original, intended } = cdmePlaces({ tokens: 1000, depth: 10, gap: 25, needles: [40, 30, 50] });
      const list = (places: readonly number[]): string =>
        places.map((place) => `${(place / 10).toFixed(1)}%`).join(", ");
      return decided(
        original.join() === intended.join(),
        `Needles of 40, 30 and 50 tokens in 1,000 are at ${list(original)} and not at ${
          list(intended)
        }: each place is ` +
          "measured from the needle before it, and lengths are counted twice.",
      );
    },
  },
  {
    id: "D5",
    source: `${SECTIONS.score}, against the code at e975a96f`,
    quote: [
      'result = {"average_score": average_score, "details": details}',
      "result = {'score': average_score, 'details': details}",
    ],
    statement: "Both call the result `average_score`, and the reference in each detail `ref`.",
    expected: "fails",
    check: () => {
      const result = opencompassResult([{ prediction: NEEDLE, references: [NEEDLE] }]);
      const [keys, detailKeys] = [result, result.details[0]!].map(Object.keys);
      return decided(
        keys!.includes("average_score") && detailKeys!.includes("ref"),
        `An older version: the code at e975a96f gives ${keys!.join(", ")}, and each detail ${detailKeys!.join(", ")}.`,
      );
    },
  },
  {
    id: "D6",
    source: SECTIONS.config,
    quote: ["小明最喜欢的实习的地点就是上海人工智能实验室。", "请按照“小明最喜欢的实习地点就是________。”的格式回答。"],
    statement:
      "The needle has the form that the question asks for, so that an answer in that form is wholly right (our measure: it scores 100).",
    expected: "fails",
    check: () => {
      const [kept, mended] = (["original", "fixed"] as const).map((edition) =>
        obey(cdmeItem("internship", { language: "zh", edition, number: 0 }), "上海人工智能实验室")
      );
      return decided(
        kept!.value === 1,
        `“${kept!.answer}” scores ${percent(kept!.value)}: the needle contains 实习的地点, the form 实习地点. ` +
          `Corrected, it scores ${percent(mended!.value)}.`,
      );
    },
  },
  {
    id: "D7",
    source: SECTIONS.figure,
    quote:
      "which is used for generating titles in the visualization charts … Currently, this approach only supports the CDME dataset",
    statement: "The figure is made for CDME alone, and `--dataset_length` changes its title and no number.",
    expected: "holds",
    check: () => {
      const rows = [
        "dataset,version,metric,mode,m",
        "CDME_Length1000Depth0,a,score,gen,40",
        "LongBench_qa,a,score,gen,90",
      ];
      const { models, skipped } = readOpencompassSummary(rows.join("\n"), "summary.csv");
      return decided(
        models[0]?.cells.length === 1 && skipped.length === 1,
        `Of a summary with two datasets ${
          models[0]?.cells.length
        } row of CDME is read and ${skipped.length} is skipped; ` +
          "the scores are read without a length.",
      );
    },
  },
  {
    id: "D8",
    source: `${SECTIONS.lmdeploy}, against the code at e975a96f`,
    quote: ["max_seq_len=2048,", "max_seq_len=201000,"],
    statement:
      "The example for the longest texts has a window in which they fit (our measure: every length of cdme200k.py).",
    expected: "fails",
    check: () => {
      const { lengths } = cdmeGrid("200k");
      const [page, code] = [2048, 201_000].map((window) => lengths.filter((length) => length <= window).length);
      return decided(
        page === lengths.length,
        `Of the ${lengths.length} lengths from ${lengths[0]} to ${
          lengths.at(-1)
        } tokens ${page} fit in the page's window of 2048, ` +
          `and ${code} in that of eval_needleinahaystack_turbomind.py, 201000.`,
      );
    },
  },
  {
    id: "D9",
    source: SECTIONS.introduction,
    quote: "It involves randomly inserting key information at various points in a long text",
    statement:
      "Key information is inserted at various points (our measure: the prompts of one length have a place for each depth, from the start to the end).",
    expected: "holds",
    check: () => {
      const { depths, repeats, samples } = cdmeGrid("8k");
      const [tokens, needles] = [800, [NEEDLE.length]];
      const places = Array.from({ length: samples }, (_, index) => {
        const depth = Math.floor(100 * (index % depths) / (depths - 1));
        return cdmePlaces({ tokens, depth, gap: 0, needles }).original[0];
      });
      const different = new Set(places).size;
      return decided(
        different === depths,
        `The ${samples} prompts of a length have ${different} places, at fixed depths from 0 to 100%, ${repeats} prompts at each. ` +
          "The depths are not random: only the order of the articles around the needle is.",
      );
    },
  },
  {
    id: "D10",
    source: SECTIONS.dataset,
    quote:
      "high-quality Chinese articles published between September and October 2023, covering multiple domains. These articles ensure a fair and challenging benchmark for testing",
    statement: "The articles are of autumn 2023, good and of several domains, so that the test is fair.",
    expected: "cannot tell",
    check: () =>
      cannotTell(
        "No measure of fairness was published, and Skywork's articles do not come with Fathom.",
      ),
  },
  {
    id: "D11",
    source: SECTIONS.lmdeploy,
    quote:
      "conventional methods might lead to memory overload. In such cases, quantized models can be used for evaluation … effectively reducing memory usage",
    statement: "A quantised model under LMDeploy needs less memory for long texts.",
    expected: "cannot tell",
    check: () => cannotTell("No number of the memory was published, and it cannot be seen from replies."),
  },
];

function percent(value: number | null): string {
  return value === null ? "–" : (100 * value).toFixed(2);
}

/** Scores an answer in the form that the question asks for. */
function obey({ question, answer }: CdmeItem, place: string): ReturnType<typeof editMatch> {
  const { before, after } = readAnswerForm(question, "zh")!;
  return editMatch(`${before}${place}${after}`, answer);
}
