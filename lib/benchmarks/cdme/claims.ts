import { CDME_NEEDLES } from "./cdme.ts";
import { cdmeGrid, cdmePlaces } from "./grids.ts";
import { opencompassResult, readOpencompassSummary } from "./opencompass.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { editMatch, keywordMatch } from "@/lib/scorers/mod.ts";
import type { Claim, Finding } from "@/lib/statistics/mod.ts";

/** What the claims about CDME are checked on. */
export interface CdmeEvidence {
  /** A sample of one needle as OpenCompass makes it: the task `cdme_original`. */
  readonly original: Sample;
  /** A sample of one needle with its flaws mended: the task `cdme_zh`. */
  readonly fixed: Sample;
}

/** Where the claims stand: OpenCompass's page on its needle test, or its code at e975a96f. */
const SECTIONS = {
  config: "Dataset Configuration Example",
  multi: "Multi-Needle Dataset Configuration Example",
  change: "Change in Scoring Mechanism",
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

/**
 * What OpenCompass says of its needle test, each statement checked on its own configuration, scores and code.
 *
 * One is not borne out: needles do not stand at even distances. In two matters it says two things: the form that is asked for is
 * not the needle's, and the results have other names in the code than on the page, which shows an older version.
 */
export const CDME_CLAIMS: readonly Claim<CdmeEvidence>[] = [
  {
    id: "D1",
    source: SECTIONS.config,
    kind: "paper",
    quote: "'num_repeats_per_file': 10, 'length_buffer': 200",
    statement: "The configuration shown keeps 200 tokens back and repeats each file 10 times.",
    check: () => {
      const { lengths, points, repeats, prompts } = cdmeGrid("8k");
      const buffer = CDME_NEEDLES.task("cdme_original").options["lengthBuffer"];
      return finding(
        buffer === 200 && repeats === 10,
        `The 8K configuration has a buffer of ${buffer} tokens; ${lengths.length} lengths × ${points} depths × ${repeats} repeats are ${prompts} prompts.`,
      );
    },
  },
  {
    id: "D2",
    source: SECTIONS.score,
    kind: "paper",
    quote:
      "first removes all whitespace characters … score = 100 * (1 - edit_distance /max_len) if max_len != 0 else 100",
    statement: "The score is 100 × (1 − edits / longer length) without white space, and 100 for empty texts.",
    check: () => {
      const right = VECTORS.filter(([reply, edits, longer]) => {
        const { value, distance } = editMatch(` ${reply}\n`, NEEDLE);
        return distance === edits && value === 1 - edits / longer;
      });
      const empty = editMatch(" ", "\n").value;
      return finding(
        right.length === VECTORS.length && empty === 1,
        `${right.length} of ${VECTORS.length} replies score as counted by hand; two empty texts score ${100 * empty!}.`,
      );
    },
  },
  {
    id: "D3",
    source: SECTIONS.change,
    kind: "paper",
    quote:
      "if the keyword is present in the prediction, it will be awarded a high score (e.g., 100). If not, the score will be significantly reduced (20% of the original score)",
    statement: "With several needles a reply with the keyword scores 100, any other a fifth of its score.",
    check: () => {
      const wanted = { answer: "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack", keyword: "Jack" };
      const [found, missing] = [
        keywordMatch("是Jack", wanted),
        keywordMatch(wanted.answer.replace("Jack", "杰克"), wanted),
      ];
      return finding(
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
    kind: "paper",
    quote: "diff: Defines the depth increment for subsequent needles relative to the first needle.",
    statement:
      "`diff` is how much deeper needles stand than the first (our measure: a diff of 25 puts three needles of 30 to 50 tokens at 10, 35 and 60% of 1,000 tokens).",
    check: () => {
      const { original, intended } = cdmePlaces({ tokens: 1000, depth: 10, diff: 25, needles: [40, 30, 50] });
      const list = (places: readonly number[]): string =>
        places.map((place) => `${(place / 10).toFixed(1)}%`).join(", ");
      return finding(
        original.join() === intended.join(),
        `Needles of 40, 30 and 50 tokens in 1,000 stand at ${list(original)} and not at ${
          list(intended)
        }: each place is ` +
          "reckoned from the needle before it, and lengths are counted twice.",
      );
    },
  },
  {
    id: "D5",
    source: `${SECTIONS.score}, against the code at e975a96f`,
    kind: "inconsistency",
    quote: [
      'result = {"average_score": average_score, "details": details}',
      "result = {'score': average_score, 'details': details}",
    ],
    statement: "Both call the result `average_score`, and the reference in each detail `ref`.",
    check: () => {
      const result = opencompassResult([NEEDLE], [NEEDLE]);
      const [detail] = "details" in result ? result.details : [];
      return finding(
        "average_score" in result && detail !== undefined && "ref" in detail,
        `An older version: the code at e975a96f gives ${Object.keys(result).join(", ")}, and each detail ${
          Object.keys(detail ?? {}).join(", ")
        }.`,
      );
    },
  },
  {
    id: "D6",
    source: SECTIONS.config,
    kind: "inconsistency",
    quote: ["小明最喜欢的实习的地点就是上海人工智能实验室。", "请按照“小明最喜欢的实习地点就是________。”的格式回答。"],
    statement:
      "The needle has the form that the question asks for, so that an obedient answer is wholly right (our measure: it scores 100).",
    check: ({ original, fixed }) => {
      const [kept, mended] = [original, fixed].map((sample) => obey(sample, fixed.facts[0]?.value ?? ""));
      return finding(
        kept!.value === 1,
        `“${kept!.answer}” scores ${percent(kept!.value)}: the needle says 实习的地点 where the form says 实习地点. ` +
          `Mended, it scores ${percent(mended!.value)}.`,
      );
    },
  },
  {
    id: "D7",
    source: SECTIONS.figure,
    kind: "paper",
    quote:
      "which is used for generating titles in the visualization charts … Currently, this approach only supports the CDME dataset",
    statement: "The figure is made for CDME alone, and `--dataset_length` changes its title and no number.",
    check: () => {
      const rows = [
        "dataset,version,metric,mode,m",
        "CDME_Length1000Depth0,a,score,gen,40",
        "LongBench_qa,a,score,gen,90",
      ];
      const { models, skipped } = readOpencompassSummary(rows.join("\n"), "summary.csv");
      return finding(
        models[0]?.cells.length === 1 && skipped.length === 1,
        `Of a summary with two datasets ${
          models[0]?.cells.length
        } row of CDME is read and ${skipped.length} is passed over; ` +
          "the scores are read without a length.",
      );
    },
  },
];

function finding(holds: boolean, observed: string): Finding {
  return { verdict: holds ? "holds" : "fails", observed };
}

function percent(value: number | null): string {
  return value === null ? "–" : (100 * value).toFixed(2);
}

/** Answers a sample's question in the form that it asks for, and scores the answer. */
function obey({ prompt, references }: Sample, place: string): ReturnType<typeof editMatch> {
  const [, before = "", after = ""] = /请按照“([^“_]*)_+([^”]*)”的格式回答。$/.exec(prompt.user) ?? [];
  return editMatch(`${before}${place}${after}`, references[0] ?? "");
}
