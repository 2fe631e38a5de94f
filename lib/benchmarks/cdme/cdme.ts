import {
  CDME_FRAMES,
  CDME_ITEM_NAMES,
  type CdmeEdition,
  type CdmeItem,
  cdmeItem,
  type CdmeItemName,
  type CdmeLanguage,
  readAnswerForm,
} from "./items.ts";
import { fixedCdmeRecipe, leastOriginalLength, originalCdmeRecipe } from "./recipes.ts";
import { CDME_SUITE, checkWhole, type DepthSpacing, makeTask, type Scoring, type Task } from "@/lib/generators/mod.ts";

/** Options for {@linkcode cdmeTask}; in brackets the name in OpenCompass's configuration, where it is another. */
export interface CdmeOptions {
  /**
   * What the task is called.
   *
   * @default {"cdme"}
   */
  readonly name?: string;
  /**
   * The language of prompt, needles and the essays that come with Fathom: Chinese (`zh`) or English (`en`).
   *
   * @default {"zh"}
   */
  readonly language?: CdmeLanguage;
  /**
   * Whether OpenCompass's flaws are mended.
   *
   * - `fixed`: the length is exact, needles stand between sentences, at the depths asked for, and an obedient answer is whole.
   * - `original`: as the code at e975a96f has it.
   *
   * @default {"fixed"}
   */
  readonly edition?: CdmeEdition;
  /**
   * Needles that come with Fathom.
   *
   * - `internship`: OpenCompass's one needle;
   * - `cot2_italy`, `cot3_italy`: its two and three, of which the last answers the question about the first;
   * - `varied`: one needle of ten, another with each repeat.
   *
   * @default {"internship"}
   */
  readonly item?: CdmeItemName;
  /** A needle of your own, with `question`; line breaks in it are kept. */
  readonly needle?: string;
  /** Several needles of your own, in order, with `question`, `answer` and `keyword`; as one text, parted by `|`. */
  readonly needles?: readonly string[] | string;
  /** The question (`retrieval_question`). */
  readonly question?: string;
  /** The answer that is wanted; a single needle itself unless given. */
  readonly answer?: string;
  /** The part of the answer that decides, where there are several needles. */
  readonly keyword?: string;
  /**
   * Depths that samples go through, from the first line to the last (`document_depth_percent_intervals`). Range: 1 to 1,000.
   * Sample i stands at depth i modulo this number; all samples of one round have the same text round their needles.
   *
   * @default {20}
   */
  readonly points?: number;
  /**
   * How depths are spaced (`document_depth_percent_interval_type`).
   *
   * @default {"linear"}
   */
  readonly spacing?: DepthSpacing;
  /** Where the first needle of every sample stands, instead of going through depths: 0 is first, 1 last. Range: 0 to 1. */
  readonly depth?: number;
  /**
   * How far each further needle stands behind the one before it, in percent of the context. Range: 0 to 100.
   *
   * @default {25}
   */
  readonly diff?: number;
  /**
   * Tokens of the length that are not context (`length_buffer`). In the original, instructions and question come out of them,
   * and the answer stands beyond the length; mended, they are the answer's alone. Range: 1 to 100,000.
   *
   * @default {200}
   */
  readonly lengthBuffer?: number;
  /**
   * Whether the question asks to think of what is most relevant first: `on` or `off`.
   *
   * @default {"on"}
   */
  readonly guide?: "on" | "off";
  /**
   * Whether replies are cut to about the answer's length before they are compared (`use_trim`): `on` or `off`.
   *
   * @default {"off"}
   */
  readonly trim?: "on" | "off";
}

/** The most that OpenCompass's dataset lets a model write, in tokens. */
const ORIGINAL_ANSWER_ROOM = 512;

/**
 * Makes a task of CDME, OpenCompass's needle test in Chinese: one needle or several stand in a long text at a given depth, and
 * the answer is compared with the needle character by character.
 *
 * open-compass/opencompass at e975a96f (January 2024), cdme.py and cdme_multi.py. Wording and needles in Chinese are theirs; the
 * English ones are Fathom's translations. Repeats begin anywhere in the essays, evenly spread, where OpenCompass shuffles the
 * lines of a file (`num_repeats_per_file`); its own random numbers are not reproduced in the original edition either.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave `lengthBuffer` tokens for the answer; in the original edition 512, beyond the length.
 * @throws {RangeError} If a knob is outside its range, or needles, question and answer do not fit together.
 *
 * @example Twenty depths and ten repeats are 200 samples
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const task = cdmeTask({ language: "zh", item: "cot3_italy" });
 * equal(task.scoring, "keyword");
 * equal(task.options["points"], 20);
 * ```
 */
export function cdmeTask(options: CdmeOptions = {}): Task {
  const settings = readCdmeSettings(options);
  const { name, edition, lengthBuffer } = settings;
  const isOriginal = edition === "original";
  return makeTask({
    suite: CDME_SUITE,
    name,
    category: "retrieval",
    options: cdmeKnobs(settings),
    answerRoom: isOriginal ? ORIGINAL_ANSWER_ROOM : lengthBuffer,
    scoring: scoringOf(settings),
    recipe: (request) => isOriginal ? originalCdmeRecipe(settings, request) : fixedCdmeRecipe(settings, request),
    ...(isOriginal ? { leastLength: (materials) => leastOriginalLength(settings, materials) } : {}),
  });
}

function scoringOf(settings: CdmeSettings): Scoring {
  const hasKeyword = itemOf(settings, 0).keyword !== undefined;
  if (settings.trim) return hasKeyword ? "trimmed keyword" : "trimmed edit distance";
  return hasKeyword ? "keyword" : "edit distance";
}

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

/** The words that each knob takes, the default first. */
export const CDME_KNOBS: Readonly<
  Record<"language" | "edition" | "item" | "spacing" | "guide" | "trim", readonly string[]>
> = {
  language: ["zh", "en"],
  edition: ["fixed", "original"],
  item: CDME_ITEM_NAMES,
  spacing: ["linear", "sigmoid"],
  guide: ["on", "off"],
  trim: ["off", "on"],
};

/** Parts needles where several are given as one text. */
const NEEDLE_SEPARATOR = "|";

/** Checks knobs and fills in those that were not given. */
function readCdmeSettings(options: CdmeOptions): CdmeSettings {
  const { name = "cdme", language = "zh", edition = "fixed", points = 20, spacing = "linear", depth } = options;
  const { diff = 25, lengthBuffer = 200, guide = "on", trim = "off" } = options;
  const { item: named = "internship" } = options;
  const words = { language, edition, item: named, spacing, guide, trim };
  for (const [knob, known] of Object.entries(CDME_KNOBS)) {
    const value = words[knob as keyof typeof words];
    if (!known.includes(value)) {
      throw new RangeError(
        `Cannot make task ${name} as ${knob} must be one of ${known.join(", ")}: current value is "${value}"`,
      );
    }
  }
  checkWhole(points, { task: name, knob: "points", low: 1, high: 1000 });
  checkWhole(lengthBuffer, { task: name, knob: "lengthBuffer", low: 1, high: 100_000 });
  checkRange("depth", depth ?? 0, { task: name, most: 1 });
  checkRange("diff", diff, { task: name, most: 100 });
  const switches = { guide: guide === "on", trim: trim === "on" };
  const item = ownItem(options, { name, language }) ?? words.item;
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
  options: CdmeOptions,
  { name, language }: { readonly name: string; readonly language: CdmeLanguage },
): CdmeItem | undefined {
  const { needle, needles, question, answer, keyword } = options;
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

function checkRange(
  knob: string,
  value: number,
  { task, most }: { readonly task: string; readonly most: number },
): void {
  if (value >= 0 && value <= most) return;
  throw new RangeError(`Cannot make task ${task} as ${knob} must be in [0, ${most}]: current value is ${value}`);
}

/** The name of one of CDME's tasks. */
export type CdmeTaskName =
  | `cdme_${"" | "multi_" | "multi2_" | "varied_"}${"zh" | "en"}`
  | "cdme_original"
  | "cdme_original_multi";

/** The knobs that set each task apart. */
const TASKS: Readonly<Record<CdmeTaskName, CdmeOptions>> = {
  "cdme_zh": { language: "zh" },
  "cdme_en": { language: "en" },
  "cdme_multi_zh": { language: "zh", item: "cot3_italy" },
  "cdme_multi_en": { language: "en", item: "cot3_italy" },
  "cdme_multi2_zh": { language: "zh", item: "cot2_italy" },
  "cdme_multi2_en": { language: "en", item: "cot2_italy" },
  "cdme_varied_zh": { language: "zh", item: "varied" },
  "cdme_varied_en": { language: "en", item: "varied" },
  "cdme_original": { language: "zh", edition: "original" },
  "cdme_original_multi": { language: "zh", edition: "original", item: "cot3_italy" },
};

/**
 * The names of CDME's tasks: one needle in Chinese and in English, three needles, two needles, a needle that varies, and
 * OpenCompass's own samples with one needle and with three.
 */
export const CDME_TASK_NAMES: readonly CdmeTaskName[] = Object.keys(TASKS) as CdmeTaskName[];

/**
 * Makes a task of CDME by its name.
 *
 * @param name One of {@linkcode CDME_TASK_NAMES}.
 * @param options Knobs that are changed.
 * @returns The task.
 * @throws {RangeError} If there is no such task, or a knob is outside its range.
 *
 * @example Three needles
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedCdmeTask("cdme_multi_zh").options["item"], "cot3_italy");
 * equal(namedCdmeTask("cdme_zh", { depth: 0.5 }).options["depth"], 0.5);
 * ```
 */
export function namedCdmeTask(name: CdmeTaskName, options: Omit<CdmeOptions, "name"> = {}): Task {
  if (!Object.hasOwn(TASKS, name)) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${CDME_TASK_NAMES.join(", ")}: current value is "${name}"`,
    );
  }
  return cdmeTask({ ...TASKS[name], ...options, name });
}
