import { cdmePlaces } from "@/lib/benchmarks/cdme/grids.ts";
import { type CdmeItem, cdmeItem, readAnswerForm } from "@/lib/benchmarks/cdme/items.ts";
import { editMatch, keywordMatch } from "@/lib/scorers/mod.ts";
import { decided, decidedByCases, type PublishedClaim } from "@/lib/statistics/mod.ts";

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
    id: "D2",
    source: "Score Calculation Method",
    quote:
      "first removes all whitespace characters … score = 100 * (1 - edit_distance /max_len) if max_len != 0 else 100",
    statement: "The score is 100 × (1 − edits / longer length) without white space, and 100 for empty texts.",
    quantifier: { of: "all", word: "all" },
    expected: "holds",
    check: () => {
      const right = VECTORS.map(([reply, edits, longer]) => {
        const { value, distance } = editMatch(` ${reply}\n`, NEEDLE);
        return distance === edits && value === 1 - edits / longer;
      });
      const empty = editMatch(" ", "\n").value;
      return decidedByCases(
        [...right, empty === 1],
        `${
          right.filter((each) => each).length
        } of ${VECTORS.length} replies score as counted by hand; two empty texts score ${100 * empty!}.`,
      );
    },
  },
  {
    id: "D3",
    source: "Change in Scoring Mechanism",
    quote:
      "if the keyword is present in the prediction, it will be awarded a high score (e.g., 100). If not, the score will be significantly reduced (20% of the original score)",
    statement: "With several needles a reply with the keyword scores 100, any other a fifth of its score.",
    quantifier: { of: "all", word: "If not" },
    expected: "holds",
    check: () => {
      const wanted = { answer: "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack", keyword: "Jack" };
      const found = keywordMatch("是Jack", wanted);
      const missing = keywordMatch(wanted.answer.replace("Jack", "杰克"), wanted);
      return decidedByCases(
        [found.value === 1, missing.value === 0.2 * missing.edits.value!],
        `With the keyword alone ${percent(found.value)}; with 杰克 instead of it ${
          percent(missing.edits.value)
        } becomes ${percent(missing.value)}.`,
      );
    },
  },
  {
    id: "D4",
    source: "Multi-Needle Dataset Configuration Example",
    quote: "diff: Defines the depth increment for subsequent needles relative to the first needle.",
    statement:
      "`diff` is how much deeper needles are than the first (our measure: a diff of 25 puts three needles of 30 to 50 tokens at 10, 35 and 60% of 1,000 tokens).",
    quantifier: { of: "all", word: "needles" },
    expected: "fails",
    check: () => {
      const { original, intended } = cdmePlaces({ tokens: 1000, depth: 10, gap: 25, needles: [40, 30, 50] });
      const list = (points: readonly number[]): string =>
        points.map((point) => `${(point / 10).toFixed(1)}%`).join(", ");
      return decidedByCases(
        original.map((point, at) => point === intended[at]),
        `Needles of 40, 30 and 50 tokens in 1,000 are at ${list(original)} and not at ${
          list(intended)
        }: each depth is ` +
          "measured from the needle before it, and lengths are counted twice.",
      );
    },
  },
  {
    id: "D5",
    source: "Dataset Configuration Example",
    quote: ["小明最喜欢的实习的地点就是上海人工智能实验室。", "请按照“小明最喜欢的实习地点就是________。”的格式回答。"],
    statement:
      "The needle has the form that the question asks for, so that an answer in that form is wholly right (our measure: it scores 100).",
    quantifier: { of: "all", word: "格式" },
    expected: "fails",
    check: () => {
      const [kept, mended] = (["original", "fixed"] as const).map((edition) =>
        obey(cdmeItem("internship", { language: "zh", edition, number: 0 }), PLACES.right)
      );
      return decided(
        kept!.value === 1,
        `“${kept!.answer}” scores ${percent(kept!.value)}: the needle contains 实习的地点, the form 实习地点. ` +
          `Corrected, it scores ${percent(mended!.value)}.`,
      );
    },
  },
];

/** The place that the needle names, and another one. */
const PLACES = { right: "上海人工智能实验室", wrong: "北京大学" } as const;

function percent(value: number | null): string {
  return value === null ? "–" : (100 * value).toFixed(2);
}

/** Scores an answer in the form that the question asks for. */
function obey({ question, answer }: CdmeItem, place: string): ReturnType<typeof editMatch> {
  const { before, after } = readAnswerForm(question, "zh")!;
  return editMatch(`${before}${place}${after}`, answer);
}

/** Returns the answer to whether OpenCompass's score shows that a needle was found, by its scores of three answers. */
export function cdmeAnswer(
  item: CdmeItem,
  { right, wrong }: Readonly<Record<"right" | "wrong", string>> = PLACES,
): string {
  const [perfect, misled, alone] = [obey(item, right), obey(item, wrong), editMatch(right, item.answer)]
    .map(({ value }) => Math.round(100 * value!)) as [number, number, number];
  const [verdict, than] = misled > alone ? ["cannot", "more"] : ["can", "no more"];
  return `OpenCompass's score ${verdict} tell: a full sentence with the wrong place name scores ${than} than the right place name alone. ` +
    `Of 100, the wrong sentence scores ${misled}, the right name alone ${alone}, and the right sentence ${perfect}.`;
}
