import published from "@/data/published/counting_stars_star_values.csv" with { type: "text" };
import type { Fact, FactRole } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, shuffle } from "@/lib/random/mod.ts";

/** The suite and its version, which rises when any task's samples change. Part of every sample id. */
export const COUNTING_STARS_SUITE = "counting-stars-2";

/** The most stars for which the reference has values. */
export const MAX_STARS = 1024;

export type StarLanguage = "en" | "zh";

/**
 * The content of the sentences.
 *
 * - `plain`: a count.
 * - `corrected`: a wrong count, then the right one, as in the reference's reasoning task.
 * - `miscounted`: a wrong count, then its error.
 * - `linked`: a count; half of them are corrected by another sentence, half an interval later.
 *
 * The authors sketch the last two for a next version.
 */
export type StarSentence = "plain" | "corrected" | "miscounted" | "linked";

export type StarAsk = "list" | "list_and_sum" | "sum";

/** The edition whose wording and placement are used. */
export type StarEdition = "exact" | "v1" | "v3";

export type StarOrder = "increasing" | "shuffled";

/** The settings of a task. */
export interface StarSettings {
  readonly name: string;
  readonly edition: StarEdition;
  readonly language: StarLanguage;
  readonly stars: number;
  readonly sentence: StarSentence;
  readonly ask: StarAsk;
  readonly order: StarOrder;
  readonly values: "seeded" | "reference";
  readonly scorer: "original" | "lenient";
  readonly examples: number;
  /** The first count; 0 if it is drawn. */
  readonly firstCount: number;
  /** The places of the counts, as comma-separated shares of the text; evenly spread by default. */
  readonly places?: string;
  /** The counted thing instead of ★. */
  readonly thing?: string;
  /** Its measure word in Chinese instead of 颗. */
  readonly measure?: string;
  /** A custom sentence with `{count}` and `{thing}`. */
  readonly wording?: string;
  /** The one who counts, instead of the little penguin. */
  readonly counter?: string;
}

/** The counted thing by default: a mark that no text has. */
export const STAR = "★";

/** The words of a text that can be chosen, with their defaults. */
export interface StarWords {
  readonly language: StarLanguage;
  readonly thing: string;
  readonly measure: string;
  readonly wording: string;
  readonly counter: string;
}

const WORDINGS: Readonly<Record<StarLanguage, string>> = {
  en: "The {counter} counted {count} {thing}",
  zh: "{counter}数了{count}{measure}{thing}",
};

const COUNTERS: Readonly<Record<StarLanguage, string>> = { en: "little penguin", zh: "小企鹅" };

/** Fills in the reference's words where none are chosen. */
export function starWords(
  { language, thing = STAR, measure = "颗", wording = WORDINGS[language], counter = COUNTERS[language] }:
    & Partial<StarWords>
    & { readonly language: StarLanguage },
): StarWords {
  return { language, thing, measure, wording, counter };
}

/** The JSON key of the counts in a reply: the one who counted them. */
export function starListKey({ counter }: StarWords): string {
  return counter.toLowerCase().replaceAll(" ", "_");
}

/** Writes the sentence of a count; a question quotes it with `…` for the count. */
export function countSentence({ thing, measure, wording, counter }: StarWords, count: number | string): string {
  const words: Readonly<Record<string, string>> = { count: String(count), thing, measure, counter };
  return wording.replaceAll(/\{(count|thing|measure|counter)\}/g, (_, name: string) => words[name]!);
}

/** One sentence of a sample. */
export interface StarText {
  /** The place, in intervals from the start of the text. */
  readonly place: number;
  readonly pieces: readonly { readonly text: string; readonly fact: Omit<Fact, "depth" | "tokenOffset"> }[];
}

interface StarValues {
  readonly texts: readonly StarText[];
  readonly references: readonly string[];
  /** The wrong count in the text for each reference; empty if there is none. */
  readonly distractors: readonly string[];
}

/** Chooses the counts and writes their sentences. */
export function writeStars(settings: StarSettings, draw: Draw): StarValues {
  return writeChosen(chooseStars(settings, draw), settings);
}

function writeChosen(stars: readonly ChosenStar[], settings: StarSettings): StarValues {
  const texts = stars.flatMap((star, number) => writeStar(star, { settings, number }));
  const counts = stars.map(({ right }) => String(right));
  const wrongs = stars.map(({ wrong }) => wrong === null ? "" : String(wrong));
  const total = String(stars.reduce((sum, { right }) => sum + right, 0));
  return {
    texts,
    references: { "list": counts, "list_and_sum": [...counts, total], "sum": [total] }[settings.ask],
    distractors: { "list": wrongs, "list_and_sum": [...wrongs, ""], "sum": [""] }[settings.ask],
  };
}

/** The most counts in a worked example. */
const EXAMPLE_STARS = 3;

/**
 * Writes the sentences of a worked example: a few counts of its own. `taken` are the sample's, wrong ones and the sum included;
 * none is in the example.
 */
export function writeExampleStars(
  settings: StarSettings,
  { draw, taken }: { readonly draw: Draw; readonly taken: ReadonlySet<string> },
): StarValues {
  const { stars, order, sentence, examples } = settings;
  const size = Math.min(stars, EXAMPLE_STARS);
  const isFree = (count: number): boolean => !taken.has(String(count)) && !taken.has(String(count + 1));
  // Even counts, so that no wrong one, which is one more, is another's right one; above the sample's own there are always some.
  const free = Array.from({ length: 2 * stars + 12 * examples }, (_, number) => 2 * number + 2).filter(isFree);
  for (;;) {
    const drawn = shuffle(draw, free).slice(0, size);
    if (taken.has(String(drawn.reduce((sum, count) => sum + count, 0)))) continue;
    const counts = order === "increasing" ? drawn.toSorted((left, right) => left - right) : drawn;
    // As in the text, some linked counts are right, and the last one is.
    const isWrong = (number: number): boolean =>
      sentence === "linked" ? number % 2 === 0 && number < size - 1 : sentence !== "plain";
    return writeChosen(counts.map((right, number) => ({ right, wrong: isWrong(number) ? right + 1 : null })), settings);
  }
}

/** A count, and the wrong one before it, if any. */
interface ChosenStar {
  readonly right: number;
  readonly wrong: number | null;
}

/** The greatest error of a `miscounted` or `linked` count. */
const MAX_SLIP = 3;

function chooseStars(settings: StarSettings, draw: Draw): ChosenStar[] {
  const { stars: count, order, values, sentence, edition, language, firstCount } = settings;
  const isFirstEnglish = edition === "v1" && language === "en";
  const stars = values === "seeded"
    ? drawStars(draw, { count, order, firstCount })
    : referenceStars({ count, order, isFirstEnglish });
  if (sentence === "corrected") return [...stars];
  if (sentence === "plain") return stars.map(({ right }) => ({ right, wrong: null }));
  const taken = new Set(stars.map(({ right }) => right));
  return stars.map((star, number) => {
    // Nothing follows the last count that could correct it.
    const isRight = sentence === "linked" && (number === count - 1 || draw() < 0.5);
    const wrong = isRight ? null : slip(star, { draw, taken });
    if (wrong !== null) taken.add(wrong);
    return { right: star.right, wrong };
  });
}

/** Draws a wrong count that differs from all other counts. */
function slip(
  { right, wrong }: StarValue,
  { draw, taken }: { readonly draw: Draw; readonly taken: ReadonlySet<number> },
): number {
  const slips = Array.from({ length: MAX_SLIP }, (_, size) => [right - size - 1, right + size + 1]).flat();
  const free = slips.filter((candidate) => candidate > 1 && !taken.has(candidate));
  return free.length === 0 ? wrong : pick(draw, free);
}

function writeStar(
  { right, wrong }: ChosenStar,
  { settings, number }: { readonly settings: StarSettings; readonly number: number },
): StarText[] {
  const { sentence } = settings;
  const words = starWords(settings);
  const place = number + 1;
  const write = (pieces: readonly StarPiece[], at = place): StarText => ({
    place: at,
    pieces: pieces.map(({ role, text, value }) => ({
      text,
      fact: { role, text: text.trim(), key: `star ${place}`, value: String(value) },
    })),
  });
  if (wrong === null) return [write(plainSentence(words, right))];
  const star = { right, wrong };
  if (sentence === "corrected") return [write(correctedSentence(words, star))];
  if (sentence === "miscounted") return [write(miscountedSentence(words, star))];
  const [count, correction] = linkedSentences(words, star);
  return [write(count), write(correction, place + 0.5)];
}

/** A count of stars, and its wrong count. */
export interface StarValue {
  /** The count that is asked for. */
  readonly right: number;
  /** The count that the text corrects. */
  readonly wrong: number;
}

/**
 * Draws counts by the reference's rule: the i-th smallest is 4(i - 1) + 1, 2 or 3, and none is 1, because models that read a
 * 1 first make up the rest. A wrong count is one more or one less than the right one, and not 1 either.
 *
 * Unlike the reference's for more than 32 stars, wrong counts are all different.
 */
function drawStars(
  draw: Draw,
  { count, order, firstCount }: { readonly count: number; readonly order: StarOrder; readonly firstCount: number },
): StarValue[] {
  const used = new Set<number>();
  const stars = Array.from({ length: count }, (_, number): StarValue => {
    const drawn = 4 * number + integer(draw, { low: number === 0 ? 2 : 1, high: 3 });
    const right = number === 0 && firstCount > 0 ? firstCount : drawn;
    // A neighbour of a count is never a count itself, and the one above is never taken yet.
    const below = draw() < 0.5 && right > 2 && !used.has(right - 1);
    const wrong = below ? right - 1 : right + 1;
    used.add(wrong);
    return { right, wrong };
  });
  return order === "shuffled" ? shuffle(draw, stars) : stars;
}

/** The first edition's increasing counts in English; in Chinese they are the first 64 of the shuffled list, sorted. */
const FIRST_ENGLISH = [3, 7, 10, 14, 19, 23, 25, 31, 35, 37, 41, 47, 49, 55, 57, 61, 65, 69, 75, 79, 82, 86, 91, 93, 97]
  .concat([103, 106, 110, 113, 118, 123, 126]);

/** The number of counts in the first edition's increasing list; fewer stars take the first of them. */
const FIRST_LIST = 64;

/** The reference's own counts, the same for every sample: the first of its shuffled list of 1,024, or an increasing list. */
function referenceStars(
  options: { readonly count: number; readonly order: StarOrder; readonly isFirstEnglish: boolean },
): readonly StarValue[] {
  const { count, order, isFirstEnglish } = options;
  const shuffled = PUBLISHED_STAR_VALUES;
  if (order === "shuffled") return shuffled.slice(0, count);
  if (isFirstEnglish && count <= FIRST_ENGLISH.length) {
    return FIRST_ENGLISH.slice(0, count).map((right) => ({ right, wrong: right + 1 }));
  }
  const sorted = shuffled.slice(0, Math.max(FIRST_LIST, count)).sort((left, right) => left.right - right.right);
  return sorted.slice(0, count);
}

/** The counts of the third edition in their order, each with its wrong one. */
export const PUBLISHED_STAR_VALUES: readonly StarValue[] = published.trim().split("\n").slice(1).map((line) => {
  const [, right, wrong] = line.split(",").map(Number);
  return { right: right!, wrong: wrong! };
});

/** A part of a sentence, and the count it gives. */
interface StarPiece {
  readonly role: FactRole;
  readonly text: string;
  readonly value: number;
}

function plainSentence(words: StarWords, count: number): StarPiece[] {
  return [{ role: "target", text: countSentence(words, count), value: count }];
}

function correctedSentence(words: StarWords, { right, wrong }: StarValue): StarPiece[] {
  const { language, measure, thing } = words;
  const first = countSentence(words, wrong);
  return language === "zh"
    ? [
      { role: "distractor", text: `${first}，但发现数错了，`, value: wrong },
      { role: "target", text: `于是又数了一遍，这次数对了，是${right}${measure}${thing}`, value: right },
    ]
    : [
      { role: "distractor", text: `${first}, but found that a mistake had been made,`, value: wrong },
      {
        role: "target",
        text: ` so the counting was done again, and this time ${right} ${thing} ${
          wereCounted(thing)
        } counted correctly.`,
        value: right,
      },
    ];
}

/** The reference has `was` with ★; a named thing is plural. */
function wereCounted(thing: string): "was" | "were" {
  return thing === STAR ? "was" : "were";
}

function miscountedSentence(words: StarWords, star: StarValue): StarPiece[] {
  const { right, wrong } = star;
  const { counter } = words;
  const first = countSentence(words, wrong);
  const chinese = [`${first}，`, `但${counter}发现它${slipOf(words, star)}`];
  const english = [`${first},`, ` but the ${counter} found that it had counted ${slipOf(words, star)}`];
  const [told, slipped] = words.language === "zh" ? chinese : english;
  return [
    { role: "distractor", text: told!, value: wrong },
    { role: "target", text: slipped!, value: right },
  ];
}

/** A wrong count, and the sentence that corrects it later. */
function linkedSentences(words: StarWords, star: StarValue): readonly [StarPiece[], StarPiece[]] {
  const [count] = plainSentence(words, star.wrong);
  const text = words.language === "zh"
    ? `${words.counter}发现上一次${slipOf(words, star)}`
    : `The ${words.counter} found that the last time it had counted ${slipOf(words, star)}`;
  return [[{ ...count!, role: "distractor" }], [{ role: "target", text, value: star.right }]];
}

/** The error of a count, in words. */
function slipOf({ language, thing, measure }: StarWords, { right, wrong }: StarValue): string {
  const slip = Math.abs(wrong - right);
  if (language === "zh") return `${wrong > right ? "多" : "少"}数了${slip}${measure}${thing}`;
  return `${slip} ${thing} too ${wrong > right ? "many" : "few"}`;
}

/** The text between question and answer in a worked example. */
export const STAR_ANSWER_PREFIXES: Readonly<Record<StarLanguage, string>> = { en: "\nAnswer:", zh: "\n答案：" };

/** Writes the answer in the form that the question asks for. */
export function starAnswer(settings: StarSettings, references: readonly string[]): string {
  const { language, ask } = settings;
  const listKey = starListKey(starWords(settings));
  const [totalKey, colon, comma] = language === "zh" ? ["总数", ":", ","] : ["total", ": ", ", "];
  const counts = ask === "list" ? references : references.slice(0, -1);
  const fields = [
    ...(ask === "sum" ? [] : [`"${listKey}"${colon}[${counts.join(comma)}]`]),
    ...(ask === "list" ? [] : [`"${totalKey}"${colon}${references.at(-1)}`]),
  ];
  return `{${fields.join(comma)}}`;
}

/** Reads the places of counts, as shares of the text; NaN for what is no number. */
export function readPlaces(places: string): readonly number[] {
  return places.split(",").map((share) => share.trim() === "" ? NaN : Number(share));
}

/**
 * Returns the share of the text before each sentence: one interval per count, or its place in `places`. A sentence between two
 * counts is half way between their places.
 */
export function starShares({ stars, places }: StarSettings, texts: readonly StarText[]): readonly number[] {
  if (places === undefined) return texts.map(({ place }) => place / stars);
  const shares = readPlaces(places);
  const [from, to] = [shares[0]!, shares.at(-1)!];
  const each = shares.length === stars
    ? shares
    : Array.from({ length: stars }, (_, star) => from + star / Math.max(1, stars - 1) * (to - from));
  return texts.map(({ place }) => {
    const [before, after] = [each[Math.floor(place) - 1]!, each[Math.ceil(place) - 1] ?? 1];
    return (before + after) / 2;
  });
}

/** The question, which follows the text after four line breaks. */
export function starQuestion(settings: StarSettings): string {
  return `\n\n\n\n${settings.language === "zh" ? wordInChinese(settings) : wordInEnglish(settings)}`;
}

function wordInChinese(settings: StarSettings): string {
  const { sentence, ask, edition } = settings;
  const words = starWords(settings);
  const { thing, measure, counter } = words;
  const isCorrected = sentence !== "plain";
  const opening = `在这个月光皎洁、云雾缭绕的夜晚，${counter}正望向天空，全神贯注地数${thing}。${
    quoteWording(settings)
  }`;
  const ending = "仅以JSON格式输出结果，不需要输出任何解释。";
  const list = `"${starListKey(words)}":[x,x,x,...]`;
  const counts = `${isCorrected ? "正确" : ""}${measure}数`;
  const each = `${counter}${isCorrected ? "正确" : "每次"}数${thing}的${measure}数`;
  if (edition === "v1") {
    return `${opening}请帮助${counter}收集所数${thing}，例如：{${list}}，不要求和，[x,x,x,...]中数字为${each}，${ending}`;
  }
  const collect = `${opening}请帮助${counter}收集所数${thing}的${counts}`;
  const asks: Readonly<Record<StarAsk, string>> = {
    "list": `${collect}，按照如下格式：{${list}}，不要求和，[x,x,x,...]中数字为${each}，${ending}`,
    "list_and_sum":
      `${collect}并求和，按照如下格式：{${list},"总数":x}，[x,x,x,...]中数字为${each}，总数为这些数字之和，${ending}`,
    "sum":
      `${opening}请帮助${counter}求出所数${thing}的${counts}之和，按照如下格式：{"总数":x}，x为${each}之和，${ending}`,
  };
  return asks[ask];
}

function wordInEnglish(settings: StarSettings): string {
  const { sentence, ask, edition } = settings;
  const words = starWords(settings);
  const { thing, counter } = words;
  const isCorrected = sentence !== "plain";
  const how = edition === "v1" ? "entirely focused on" : "and concentrating on";
  const looking = edition === "v1" ? "looking up at the sky, " : "looking up at the sky ";
  const opening = `On this moonlit and misty night, the ${counter} is ${looking}${how} counting ${thing}.${
    quoteWording(settings)
  }`;
  const ending = "Only output the results in JSON format without any explanation.";
  const list = `"${starListKey(words)}": [x, x, x,...]`;
  const number = isCorrected ? "correct number" : "number";
  const each = `the ${isCorrected ? "correctly " : ""}counted number of ${thing} by the ${counter}`;
  const collect = `${opening} Please help the ${counter} collect the ${number} of ${thing}`;
  const represent = `the numbers in [x, x, x,...] represent ${each}`;
  const asks: Readonly<Record<StarAsk, string>> = {
    "list": `${collect}, for example: {${list}}. The summation is not required, and ${represent}. ${ending}`,
    "list_and_sum":
      `${collect} and add them up, for example: {${list}, "total": x}. Here ${represent}, and the total is their sum. ${ending}`,
    "sum":
      `${opening} Please help the ${counter} add up the ${number}s of ${thing}, for example: {"total": x}. Here x is the sum of ${each} each time. ${ending}`,
  };
  return asks[ask];
}

/** Quotes a custom sentence in the question, as the reader cannot know the form of a count otherwise. */
function quoteWording(settings: StarSettings): string {
  if (settings.wording === undefined) return "";
  const quoted = countSentence(starWords(settings), "…");
  return settings.language === "zh" ? `文中的句子是“${quoted}”。` : ` The text says it so: "${quoted}"`;
}
