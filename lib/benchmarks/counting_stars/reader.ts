import { sum } from "@/lib/base/mod.ts";
import {
  correctionOf,
  countSentence,
  linkOf,
  miscountOf,
  slipOf,
  starListKey,
  type StarWords,
  starWords,
} from "./sentences.ts";
import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { lastMatch } from "@/lib/simulated/mod.ts";
import { type Draw, integer } from "@/lib/random/mod.ts";

/** The thing that is counted, the sentence that the question quotes, with … for its count, and who counts. */
const CHINESE_QUESTION = /全神贯注地数([^。]{1,1000})。(?:文中的句子是“([^“”]*)”。)?请帮助(.{1,40}?)(?:收集|求出)所数/g;
const ENGLISH_QUESTION =
  /counting ([^.]{1,1000})\.(?: The text says it so: "([^"]*)")? Please help the (.{1,40}?) (?:collect|add up) the /g;
const CHINESE_MEASURE = /(?:正确|每次)数.{1,40}?的([^的]{1,10}?)数[，之]/;

interface Wording {
  /** A count, right unless a correction follows. */
  readonly count: RegExp;
  /** A correction right after a count, with the right count. */
  readonly corrected: RegExp;
  /** A correction right after a count, with its error: too high by the first group, or too low by the second. */
  readonly miscounted: RegExp;
  /** A later correction of the previous count, with its error. */
  readonly linked: RegExp;
  readonly listKey: string;
  readonly totalKey: string;
  readonly separator: string;
}

/** The patterns of a text's counts, by its question. */
function wordingOf(words: StarWords): Wording {
  const pattern = (text: string): string => RegExp.escape(text).replace(COUNT, "(\\d+)");
  const either = (write: (slip: string) => string): string =>
    `(?:${[true, false].map((isOver) => pattern(write(slipOf(words, COUNT, isOver)))).join("|")})`;
  const isChinese = words.language === "zh";
  return {
    count: new RegExp(pattern(countSentence(words, COUNT)), "g"),
    corrected: new RegExp(`^${pattern(correctionOf(words, COUNT).join(""))}`),
    miscounted: new RegExp(`^${either((slip) => miscountOf(words, slip).join(""))}`),
    linked: new RegExp(either((slip) => linkOf(words, slip)), "g"),
    listKey: starListKey(words),
    totalKey: isChinese ? "总数" : "total",
    separator: isChinese ? "," : ", ",
  };
}

/** A placeholder for a count in a pattern; no sentence has it, and no pattern escapes it. */
const COUNT = "\uFFFC";

/** The thing that a question asks to count. */
interface Question extends StarWords {
  /** The words and their place in the prompt. */
  readonly text: string;
  readonly index: number;
}

function readQuestion(prompt: string): Question | null {
  const chinese = lastMatch(prompt, CHINESE_QUESTION);
  const match = chinese ?? lastMatch(prompt, ENGLISH_QUESTION);
  if (!match) return null;
  const { 0: text, 1: thing = "", 2: quoted, 3: counter = "", index = 0 } = match;
  const [, measure] = chinese ? CHINESE_MEASURE.exec(prompt.slice(index)) ?? [] : [];
  const words = starWords({
    language: chinese ? "zh" : "en",
    thing,
    counter,
    ...(measure === undefined ? {} : { measure }),
    ...(quoted === undefined ? {} : { wording: quoted.replace("…", "{count}") }),
  });
  return { ...words, text, index };
}

/** The longest correction. */
const MAX_CHARS = 200;

/** The simulated reader's strategy for Counting-Stars. */
export const STAR_READER: TaskReader = {
  name: "stars",
  recognise(prompt): Reading | null {
    const question = readQuestion(prompt);
    if (question === null) return null;
    const wording = wordingOf(question);
    const { index: end } = question;
    const start = findText(prompt, question.text, end);
    const counts = readCounts(prompt, { wording, start, end });
    if (counts.length === 0) return null;
    const asked = prompt.slice(end);
    const hasList = asked.includes(`"${wording.listKey}"`);
    const hasTotal = asked.includes(`"${wording.totalKey}"`);
    return {
      category: "retrieval",
      wanted: counts.map(({ right }) => right),
      rivals: counts.flatMap(({ wrong }) => wrong ?? []),
      example: readAnswer(prompt.slice(0, start)),
      // A count that was corrected has partial credit.
      isGraded: counts.some(({ wrong }) => wrong !== undefined),
      invent: (draw) => inventCount(counts.length, draw),
      write: (values) => writeJson(values, { wording, hasList, hasTotal }),
      ...(hasList && hasTotal
        ? { writeTotal: (values, total) => writeJson(values, { wording, hasList, hasTotal, total }) }
        : {}),
    };
  },
};

/** A count, and the wrong one before it, if any. */
interface ReadCount {
  readonly right: Finding;
  readonly wrong?: Finding;
}

/** Returns the start of the text: that of the prompt, or the end of a worked example. */
function findText(prompt: string, words: string, end: number): number {
  const solved = end === 0 ? -1 : prompt.lastIndexOf(words, end - 1);
  return solved < 0 ? 0 : prompt.indexOf("\n\n\n\n", solved);
}

/** The numbers at the end of a worked example. */
function readAnswer(example: string): string[] {
  const [answer = ""] = /\{[^{}]*\}\s*$/.exec(example) ?? [];
  return Array.from(answer.matchAll(/\d+/g), ([number]) => number);
}

function readCounts(
  prompt: string,
  { wording, start, end: textEnd }: { readonly wording: Wording; readonly start: number; readonly end: number },
): ReadCount[] {
  const text = prompt.slice(start, textEnd);
  const links = [...text.matchAll(wording.linked)];
  const counts = [...text.matchAll(wording.count)];
  let passed = 0;
  return counts.map((match, number): ReadCount => {
    const key = `star ${number + 1}`;
    const end = match.index + match[0].length;
    const find = (value: string | number, at: number): Finding => ({
      key,
      value: String(value),
      depth: (start + at) / prompt.length,
    });
    const first = find(match[1]!, match.index);
    const behind = text.slice(end, end + MAX_CHARS);
    const corrected = wording.corrected.exec(behind);
    if (corrected) return { right: find(corrected[1]!, end), wrong: first };
    const next = counts[number + 1]?.index ?? text.length;
    const miscounted = wording.miscounted.exec(behind);
    while (passed < links.length && links[passed]!.index <= match.index) passed++;
    const link = miscounted ?? (links[passed] !== undefined && links[passed]!.index < next ? links[passed] : undefined);
    if (!link) return { right: first };
    const at = miscounted ? end : link.index;
    const [, over = 0, under = 0] = link;
    return { right: find(Number(match[1]) - Number(over) + Number(under), at), wrong: first };
  });
}

/** Makes up a count in steps of four. */
function inventCount(counts: number, draw: Draw): string {
  return String(4 * integer(draw, { low: 1, high: 2 * counts }));
}

/** Writes the requested JSON; the sum is that of the list unless it is given. */
function writeJson(
  values: readonly string[],
  { wording, hasList, hasTotal, total = sum(values, (value) => Number(value) || 0) }: {
    readonly wording: Wording;
    readonly hasList: boolean;
    readonly hasTotal: boolean;
    readonly total?: number;
  },
): string {
  const { listKey, totalKey, separator } = wording;
  const fields = [
    ...(hasList ? [`"${listKey}": [${values.join(separator)}]`] : []),
    ...(hasTotal ? [`"${totalKey}": ${total}`] : []),
  ];
  return `{${fields.join(", ")}}`;
}
