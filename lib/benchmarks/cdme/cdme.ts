import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { CDME_READER } from "./reader.ts";
import { edits, keywordFound, type Scorer, trimmedEdits, trimmedKeyword } from "@/lib/scorers/mod.ts";
import {
  CDME_FRAMES,
  CDME_ITEM_NAMES,
  CDME_SUITE,
  type CdmeEdition,
  type CdmeItem,
  cdmeItem,
  type CdmeItemName,
  type CdmeLanguage,
  readAnswerForm,
} from "./items.ts";
import { fixedCdmeRecipe, leastOriginalLength, originalCdmeRecipe } from "./recipes.ts";
import { type DepthSpacing, family, type Named, number, oneOf, text, whole } from "@/lib/generators/mod.ts";

/** The most that OpenCompass's dataset lets a model write, in tokens. */
const ORIGINAL_ANSWER_ROOM = 512;

/** The knobs of CDME; in brackets of help OpenCompass's own name, where it is another. */
const KNOBS = {
  language: oneOf(["zh", "en"], "the language of prompt, needles and the essays that come with Fathom", {
    aliases: ["language"],
  }),
  edition: oneOf(
    ["fixed", "original"],
    "fixed: exact lengths, whole sentences, true depths, and an obedient answer is whole; original: OpenCompass's own",
    { aliases: ["cdme-edition"] },
  ),
  item: oneOf(
    CDME_ITEM_NAMES,
    "needles that come with Fathom: OpenCompass's one, its two or three, or one of ten by repeat",
    {
      aliases: ["cdme-item"],
    },
  ),
  needle: text("a needle of your own, with its question; line breaks in it are kept", { aliases: ["needle"] }),
  needles: text("several needles of your own, separated by |, with question, answer and keyword", {
    aliases: ["needles"],
  }),
  question: text("the question about them", { aliases: ["retrieval-question"] }),
  answer: text("the answer that is wanted; a single needle itself unless given", { aliases: ["answer"] }),
  keyword: text("the part of the answer that decides, where there are several needles", { aliases: ["keyword"] }),
  points: whole(
    { from: 1, to: 1000, byDefault: 20 },
    "depths that samples go through; sample i stands at depth i modulo this, and each round of them has another text",
    { aliases: ["depth-intervals"] },
  ),
  spacing: oneOf(["linear", "sigmoid"], "how depths are spaced", { aliases: ["depth-spacing"] }),
  depth: number(
    { from: 0, to: 1 },
    "where the first needle of every sample stands, 0 first and 1 last, instead of going through depths",
    { aliases: ["depth"] },
  ),
  diff: number(
    { from: 0, to: 100, byDefault: 25 },
    "how far each further needle stands behind the one before, in percent of the context",
    {
      aliases: ["needle-diff"],
    },
  ),
  lengthBuffer: whole(
    { from: 1, to: 100_000, byDefault: 200 },
    "tokens of the length that are not context: the answer's, and in the original edition those of instructions and question",
    { aliases: ["length-buffer"] },
  ),
  guide: oneOf(["on", "off"], "whether the question asks to think of what is most relevant first", {
    aliases: ["guide"],
  }),
  trim: oneOf(["off", "on"], "whether replies are cut to about the answer's length before they are compared", {
    aliases: ["use-trim"],
  }),
};

/**
 * CDME, OpenCompass's needle test in Chinese: one needle or several stand in a long text at a given depth, and the answer is
 * compared with the needle character by character.
 *
 * open-compass/opencompass at e975a96f (January 2024), cdme.py and cdme_multi.py. Wording and needles in Chinese are theirs; the
 * English ones are Fathom's translations. Repeats begin anywhere in the essays, evenly spread, where OpenCompass shuffles the
 * lines of a file (`num_repeats_per_file`); its own random numbers are not reproduced in the original edition either, in which
 * the answer's 512 tokens stand beyond the length.
 */
export const CDME_NEEDLES = family({
  suite: CDME_SUITE,
  name: "cdme",
  about: "a sentence hidden in a Chinese or English text is asked for, and compared word for word",
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
  readers: [CDME_READER],
  settle,
  describe: cdmeKnobs,
  leastLength: (settings) =>
    settings.edition === "original" ? (materials) => leastOriginalLength(settings, materials) : undefined,
  recipe: (settings, request) =>
    settings.edition === "original" ? originalCdmeRecipe(settings, request) : fixedCdmeRecipe(settings, request),
});

/** CDME, one needle and several, as mended. */
export const CDME: Benchmark = {
  name: "cdme",
  title: "OpenCompass CDME",
  source: "open-compass/opencompass at e975a96f (January 2024)",
  families: [CDME_NEEDLES],
  tasks: ["cdme_zh", "cdme_multi_zh"],
};

/** Every knob with its value. */
export interface CdmeSettings {
  readonly name: string;
  readonly language: CdmeLanguage;
  readonly edition: CdmeEdition;
  /** The needles that come with Fathom, or the user's own. */
  readonly item: CdmeItemName | CdmeItem;
  readonly points: number;
  readonly spacing: DepthSpacing;
  /** Where every needle stands, in [0, 1], instead of the grid. */
  readonly depth?: number;
  readonly diff: number;
  readonly lengthBuffer: number;
  readonly guide: boolean;
  readonly trim: boolean;
}

/** Parts needles where several are given as one text. */
const NEEDLE_SEPARATOR = "|";

function settle(given: Named<typeof KNOBS>): CdmeSettings {
  const { name, language, edition, points, spacing, depth, diff, lengthBuffer } = given;
  const switches = { guide: given.guide === "on", trim: given.trim === "on" };
  const item = ownItem(given, { name, language }) ?? given.item;
  if (typeof item !== "string") checkItem(item, { name, language, edition, guide: switches.guide });
  const grid = { points, spacing, ...(depth === undefined ? {} : { depth }) };
  return { name, language, edition, item, ...grid, diff, lengthBuffer, ...switches };
}

/** The knobs of a task with their values, as its samples' ids tell them. */
function cdmeKnobs(settings: CdmeSettings): Readonly<Record<string, string | number>> {
  const { language, edition, item, points, spacing, depth, diff, lengthBuffer, guide, trim } = settings;
  const own = typeof item === "string" ? { item } : {
    needles: item.needles.join(NEEDLE_SEPARATOR),
    question: item.question,
    answer: item.answer,
    ...(item.keyword === undefined ? {} : { keyword: item.keyword }),
  };
  const sample = itemOf(settings, 0);
  return {
    language,
    edition,
    // OpenCompass has no English needles.
    wording: language === "zh" && typeof item === "string" && item !== "varied" ? "published" : "own",
    ...own,
    ...(depth === undefined ? { points, spacing } : { depth }),
    ...(sample.needles.length > 1 ? { diff } : {}),
    lengthBuffer,
    guide: guide ? "on" : "off",
    trim: trim ? "on" : "off",
  };
}

/** The needles of a sample by the number of its repeat. */
export function itemOf({ item, language, edition }: CdmeSettings, number: number): CdmeItem {
  return typeof item === "string" ? cdmeItem(item, { language, edition, number }) : item;
}

function ownItem(
  { needle, needles, question, answer, keyword }: Named<typeof KNOBS>,
  { name, language }: { readonly name: string; readonly language: CdmeLanguage },
): CdmeItem | undefined {
  const given = needle === undefined ? needles : [needle];
  if (given === undefined && question === undefined && answer === undefined && keyword === undefined) return undefined;
  const list = typeof given === "string" ? given.split(NEEDLE_SEPARATOR) : given ?? [];
  const refuse = (wanted: string, value: unknown): RangeError =>
    new RangeError(`Cannot make task ${name} as ${wanted}: current value is ${JSON.stringify(value)}`);
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

function checkItem(
  item: CdmeItem,
  { name, language, edition, guide }: {
    readonly name: string;
    readonly language: CdmeLanguage;
    readonly edition: CdmeEdition;
    readonly guide: boolean;
  },
): void {
  const { question, answer, keyword } = item;
  const { marker } = CDME_FRAMES[language];
  if (guide && !question.includes(marker)) {
    throw new RangeError(
      `Cannot make task ${name} as a guided question must hold "${marker}" (or guide be off): current value is "${question}"`,
    );
  }
  if (edition === "original") {
    if (keyword !== undefined && /\s/.test(keyword)) {
      throw new RangeError(
        `Cannot make task ${name} as the original's keyword must have no white space, or it is never found: current value is "${keyword}"`,
      );
    }
    return;
  }
  const form = readAnswerForm(question, language);
  const [said, before, after] = [answer, form?.before ?? "", form?.after ?? ""].map((text) => text.replace(/\s+/g, ""));
  if (said!.startsWith(before!) && said!.endsWith(after!) && said!.length > before!.length + after!.length) return;
  throw new RangeError(
    `Cannot make task ${name} as the answer must fill the form "${form?.before}____${form?.after}" that the question asks for, ` +
      `or an obedient answer is not whole: current value is "${answer.trim()}"`,
  );
}
