import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import {
  CDME_ITEM_NAMES,
  CDME_SHARED_SUITE,
  CDME_SUITE,
  CDME_TEMPLATES,
  type CdmeItem,
  fillForm,
  readAnswerForm,
  VARIED_ITEMS,
} from "./items.ts";
import { type CdmeSettings, fixedCdmeRecipe, itemOf, leastOriginalLength, originalCdmeRecipe } from "./recipes.ts";
import {
  also,
  cannotMake,
  checkWhole,
  family,
  firstAlone,
  joinTexts,
  knobInId,
  maybe,
  type Named,
  number,
  oneOf,
  QUESTIONS,
  splitTexts,
  text,
  TEXTS,
  texts,
  whole,
} from "@/lib/generators/mod.ts";
import { edits, keywordFound, type Scorer, trimmedEdits, trimmedKeyword } from "@/lib/scorers/mod.ts";

/** The output limit of OpenCompass's dataset, in tokens. */
const ORIGINAL_ANSWER_ROOM = 512;

const KNOBS = {
  language: also(oneOf(["zh", "en"], "the language of prompt, needles and the essays that come with Fathom"), [], {
    Chinese: "zh",
    English: "en",
  }),
  edition: oneOf(
    ["fixed", "original"],
    "fixed: exact lengths, whole sentences, true depths, and an obedient answer scores 100; original: as OpenCompass makes them",
  ),
  item: oneOf([...CDME_ITEM_NAMES], "the needles: OpenCompass's single one, its two or three, or one of ten in turn"),
  needle: text("a needle of your own, line breaks included; needs a question"),
  needles: texts("several needles of your own; need a question, an answer and a keyword"),
  question: also(text("the question about your needles"), ["retrieval_question"]),
  answer: text("the right answer; a single needle itself unless given"),
  keyword: text("the part of the answer that decides the score, for several needles"),
  depths: whole(
    { from: 1, to: 1000, byDefault: 20 },
    "how many depths the samples cycle through: the middle first, so that few samples cover them too; in the original edition " +
      "from first to last",
  ),
  texts: maybe(TEXTS),
  spacing: oneOf(["linear", "sigmoid"], "how the depths are spaced"),
  depth: number(
    { from: 0, to: 1 },
    "one depth for the first needle of all samples, 0 first and 1 last, instead of several",
  ),
  gap: also(
    number({ from: 0, to: 100, byDefault: 25 }, "distance from one needle to the next, in percent of the context"),
    ["diff"],
  ),
  lengthBuffer: also(
    whole(
      { from: 1, to: 100_000, byDefault: 200 },
      "tokens kept free for the answer; in the original edition for instructions and question as well",
    ),
    ["length_buffer"],
  ),
  guide: oneOf(["on", "off"], "whether the question asks to think of what is most relevant first"),
  trim: oneOf(["off", "on"], "whether replies are cut to about the answer's length before they are compared"),
  questions: QUESTIONS,
  files: oneOf(
    ["mixed", "each"],
    "whether texts begin anywhere in all essays, or each takes the next of their files",
    { omitDefault: true },
  ),
};

/**
 * CDME, OpenCompass's needle test in Chinese: one needle or several are hidden in a long text at a given depth, and the answer is
 * compared with the needle character by character.
 *
 * open-compass/opencompass at e975a96f (January 2024), cdme.py and cdme_multi.py. The Chinese wording and needles are theirs,
 * the English ones Fathom's translations. Texts begin at evenly spread places in the essays, each sample's somewhere else;
 * OpenCompass shuffles the lines of a file (`num_repeats_per_file`) and asks all depths of a repeat about one text, as `texts:
 * shared` does. The original edition does not reproduce OpenCompass's random numbers either, and its 512 tokens for the answer
 * come on top of the length.
 */
export const CDME_NEEDLES = family({
  suite: CDME_SUITE,
  earlier: { suite: CDME_SHARED_SUITE, knobs: { texts: "shared" } },
  name: "cdme",
  about: "asks for a sentence hidden in a Chinese or English text and compares it character by character",
  asks: /(?:question is: |请问：)(.+?)(?:\s*Before answering|\s*Please answer in|在回答之前|请按照|$)/s,
  category: "retrieval",
  knobs: KNOBS,
  tasks: {
    "cdme_zh": {},
    "cdme_en": { language: "en" },
    "cdme_multi_zh": { item: "cot3_italy" },
    "cdme_multi_en": { language: "en", item: "cot3_italy" },
    "cdme_multi2_zh": { item: "cot2_italy" },
    "cdme_multi2_en": { language: "en", item: "cot2_italy" },
    "cdme_varied_zh": { item: "varied" },
    "cdme_varied_en": { language: "en", item: "varied" },
    "cdme_original": { edition: "original" },
    "cdme_original_multi": { edition: "original", item: "cot3_italy" },
  },
  scorers: [edits, trimmedEdits, keywordFound, trimmedKeyword],
  scorerOf(settings): Scorer {
    const hasKeyword = itemOf(settings, 0).keyword !== undefined;
    if (settings.trim) return hasKeyword ? trimmedKeyword : trimmedEdits;
    return hasKeyword ? keywordFound : edits;
  },
  answerRoom: ({ edition, lengthBuffer }) => edition === "original" ? ORIGINAL_ANSWER_ROOM : lengthBuffer,
  write: firstAlone,
  settle,
  clusterOf: ({ sample, suite, seed, index }): string | undefined => {
    if (suite !== CDME_SHARED_SUITE) return undefined;
    const [language, edition, depths] = ["language", "edition", "depths"].map((knob) => knobInId(sample, knob));
    const round = depths === undefined ? index : Math.floor(index / Number(depths));
    return `text:${suite}/${language}/${edition}/${seed}/${round}`;
  },
  describe: cdmeKnobs,
  leastLength: (settings, { materials, probe }) =>
    settings.edition === "original" ? leastOriginalLength(settings, materials) : probe(),
  recipe: (settings, request) =>
    settings.edition === "original" ? originalCdmeRecipe(settings, request) : fixedCdmeRecipe(settings, request),
});

function settle(given: Named<typeof KNOBS>): CdmeSettings {
  const { name, item, edition, texts = edition === "original" ? "shared" : "own" } = given;
  const whole = { ...given, texts, guide: given.guide === "on", trim: given.trim === "on" };
  const asGiven = ownItem(given);
  const own = asGiven && checkItem(asGiven, whole);
  const hasOthers = own === undefined && ["internship", "varied"].includes(item) && edition === "fixed";
  checkWhole(given.questions, { task: name, knob: "questions", low: 1, high: hasOthers ? VARIED_ITEMS : 1 });
  return { ...whole, item: own ?? item };
}

/** The knobs of a task with their values, as in sample ids. */
function cdmeKnobs(settings: CdmeSettings): Readonly<Record<string, string | number>> {
  const { language, edition, item, depths, spacing, depth, gap, lengthBuffer, guide, trim, questions, files } =
    settings;
  const own = typeof item === "string" ? { item } : {
    ...item,
    needles: joinTexts(item.needles),
  };
  const { needles } = itemOf(settings, 0);
  return {
    language,
    edition,
    // OpenCompass has no English needles.
    wording: language === "zh" && typeof item === "string" && item !== "varied" ? "published" : "own",
    ...own,
    ...(depth === undefined ? { depths, spacing } : { depth }),
    ...(needles.length > 1 ? { gap } : {}),
    lengthBuffer,
    guide: guide ? "on" : "off",
    trim: trim ? "on" : "off",
    questions,
    files,
  };
}

/** Parses the user's own needles; `undefined` if there are none. */
function ownItem(given: Named<typeof KNOBS>): CdmeItem | undefined {
  const { name, language, needle, needles, question, answer, keyword } = given;
  const several = needles === undefined ? [] : splitTexts(needles);
  const list = needle === undefined ? several : [needle];
  if (list.length === 0 && question === undefined && answer === undefined && keyword === undefined) return undefined;
  const refuse = (wanted: string, value: unknown): RangeError => cannotMake(name, wanted, value);
  if (needle !== undefined && needles !== undefined) {
    throw refuse("only one of needle and needles must be given", needles);
  }
  if (list.length === 0 || list.some((text) => text.trim() === "")) {
    throw refuse("needles of your own must be at least one, and none of them blank", list);
  }
  if (question === undefined || question.trim() === "") {
    throw refuse("needles of your own must come with a question", question ?? "");
  }
  if (list.length === 1 && keyword === undefined) return { needles: list, question, answer: answer ?? list[0]!.trim() };
  if (answer === undefined || keyword === undefined || keyword.trim() === "") {
    throw refuse(`several needles must come with an answer and a keyword (${language})`, { answer, keyword });
  }
  return { needles: list, question, answer, keyword };
}

/**
 * Checks needles of the user's own, and returns them with the answer in the form that the question asks for, so that an obedient
 * reply is whole: OpenCompass's single needle has a 的 more than the form, and its third answer no full stop.
 */
function checkItem(
  item: CdmeItem,
  { name, language, edition, guide }: Pick<CdmeSettings, "name" | "language" | "edition" | "guide">,
): CdmeItem {
  const { question, answer, keyword } = item;
  const { marker } = CDME_TEMPLATES[language];
  if (guide && !question.includes(marker)) {
    throw cannotMake(name, `a guided question must contain "${marker}" (or guide be off)`, question);
  }
  if (edition === "original") {
    if (keyword !== undefined && /\s/.test(keyword)) {
      throw cannotMake(name, "the original's keyword must have no white space, or it is never found", keyword);
    }
    return item;
  }
  const form = readAnswerForm(question, language);
  const filled = fillForm(answer, form ?? { before: "", after: "" }, language);
  if (filled !== undefined) return { ...item, answer: filled };
  const asked = `the form "${form?.before}____${form?.after}" that the question asks for`;
  throw cannotMake(name, `the answer must fill ${asked}, or an obedient answer is not whole`, answer.trim());
}

/** CDME, one needle and several, with its errors corrected. */
export const CDME: Benchmark = {
  name: "cdme",
  title: "OpenCompass CDME",
  source: "open-compass/opencompass at e975a96f (January 2024)",
  families: [CDME_NEEDLES],
  tasks: ["cdme_zh", "cdme_multi_zh"],
  paper: async () => (await import("@/lib/papers/cdme/paper.ts")).CDME_PAPER,
};
