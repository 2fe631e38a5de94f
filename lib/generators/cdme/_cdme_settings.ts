import { checkWhole } from "../_check_knob.ts";
import { CDME_ITEM_NAMES, type CdmeEdition, type CdmeItem, cdmeItem, type CdmeItemName } from "./_cdme_items.ts";
import { CDME_FRAMES, type CdmeLanguage, readAnswerForm } from "./_cdme_wording.ts";
import type { CdmeOptions } from "./cdme.ts";
import type { DepthSpacing } from "../depth_grid.ts";

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
export const NEEDLE_SEPARATOR = "|";

/**
 * Checks knobs and fills in those that were not given.
 *
 * @throws {RangeError} If a knob is outside its range, or needles and question do not fit together.
 */
export function readCdmeSettings(options: CdmeOptions): CdmeSettings {
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
export function cdmeKnobs(settings: CdmeSettings): Readonly<Record<string, string | number>> {
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
