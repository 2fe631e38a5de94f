import published from "@/data/published/counting_stars_star_values.csv" with { type: "text" };
import wordings from "./wordings.json" with { type: "json" };
import { sum } from "@/lib/base/mod.ts";
import { type Fact, type Named, oneOf, text, whole } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, shuffle } from "@/lib/random/mod.ts";

/** The suite and its version, which rises when any task's samples change. Part of every sample id. */
export const COUNTING_STARS_SUITE = "counting-stars-2";

/** The most stars for which the reference has values. */
const MAX_STARS = 1024;

export const STAR_KNOBS = {
  stars: whole({ from: 1, to: MAX_STARS, byDefault: 32 }, "counts in the text, the M of Counting-Stars-(M-N)"),
  ask: oneOf(["list", "list_and_sum", "sum"], "what is asked for: the list of counts, their sum, or both"),
  language: oneOf(
    ["en", "zh"],
    "the language of sentences and question, and of the essays that come with Fathom",
  ),
  sentence: oneOf(
    ["plain", "corrected", "miscounted", "linked"],
    "the sentences: a count, one corrected at once, one to be worked out, or one corrected further on",
  ),
  order: oneOf(["increasing", "shuffled"], "the order of the counts in the text"),
  values: oneOf(["seeded", "reference"], "counts drawn for each sample, or the reference's own"),
  edition: oneOf(
    ["exact", "v1", "v3"],
    "exact: filled to the token; v1, v3: measured in characters or words and over the length, as the reference does",
  ),
  scorer: oneOf(
    ["original", "lenient"],
    "original: the reference's scorer, as in published numbers; lenient: reads more kinds of lists",
  ),
  examples: whole(
    { from: 0, to: 8, byDefault: 0 },
    "worked examples before the text, for base models: short texts with the same question and its answer",
    { omitDefault: true },
  ),
  thing: text(
    "what is counted instead of ★, such as balloons: a noun in the plural; sentences of the essays with it are left out",
  ),
  measure: text("its measure word in Chinese, 颗 unless given"),
  wording: text(
    "a plain sentence of your own with {count} and {thing}, such as: A shepherd drove {count} {thing} over the bridge.",
  ),
  firstCount: whole(
    { from: 0, to: 3, byDefault: 0 },
    "the first count, as models make up the rest of a list that begins with 1; 0: drawn, and never 1",
    { omitDefault: true },
  ),
  places: text(
    "the places of the counts, as shares of the text: one for each, or two between which they are spread evenly, such as 0.4,0.6",
  ),
  counter: text(
    "who counts instead of the little penguin: a noun such as shepherd, in the question, the key of the answer, and every sentence that is not your own",
  ),
};

/** The settings of a task. */
export type StarSettings = Named<typeof STAR_KNOBS>;

export type StarLanguage = StarSettings["language"];

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

/** Fills in the reference's words if none are chosen. */
export function starWords(
  { language, thing = STAR, measure, wording, counter }: Partial<StarWords> & { readonly language: StarLanguage },
): StarWords {
  const { measure: ownMeasure, sentence, counter: ownCounter } = wordings[language];
  return {
    language,
    thing,
    measure: measure ?? ownMeasure,
    wording: wording ?? sentence,
    counter: counter ?? ownCounter,
  };
}

/** Fills in the places of a wording, such as `{count}`; unknown ones stay. */
function fill(wording: string, words: Readonly<Record<string, string | number>>): string {
  return wording.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(words[name] ?? place));
}

/** The JSON key of the counts in a reply: the one who counted them. */
export function starListKey({ counter }: StarWords): string {
  return counter.toLowerCase().replaceAll(" ", "_");
}

/** Writes the sentence of a count; a question quotes it with `…` for the count. */
export function countSentence({ thing, measure, wording, counter }: StarWords, count: number | string): string {
  return fill(wording, { count, thing, measure, counter });
}

/** Writes what follows a wrong count at once (`corrected`), and the right count in words. */
export function correctionOf(words: StarWords, right: number | string): readonly [string, string] {
  const { language, thing, measure, counter } = words;
  const [head, tail] = wordings[language].corrected as [string, string];
  // The reference has `was` with ★; a named thing is plural.
  const filled = { first: "", right, thing, measure, counter, were: thing === STAR ? "was" : "were" };
  return [fill(head, filled), fill(tail, filled)];
}

/** Writes what follows a wrong count at once (`miscounted`), and its error. */
export function miscountOf({ language, counter }: StarWords, slip: string): readonly [string, string] {
  const [head, tail] = wordings[language].miscounted as [string, string];
  return [fill(head, { first: "" }), fill(tail, { counter, slip })];
}

/** Writes the sentence that corrects an earlier count by its error. */
export function linkOf({ language, counter }: StarWords, slip: string): string {
  return fill(wordings[language].linked, { counter, slip });
}

/** Writes the error of a count in words: how much it is too high or too low. */
export function slipOf({ language, thing, measure }: StarWords, size: number | string, isOver: boolean): string {
  const { tooMany, tooFew } = wordings[language];
  return fill(isOver ? tooMany : tooFew, { size, thing, measure });
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
  const total = String(sum(stars, ({ right }) => right));
  return {
    texts,
    references: { "list": counts, "list_and_sum": [...counts, total], "sum": [total] }[settings.ask],
    distractors: { "list": wrongs, "list_and_sum": [...wrongs, ""], "sum": [""] }[settings.ask],
  };
}

/** The most counts in a worked example. */
const EXAMPLE_STARS = 3;

/**
 * Writes the sentences of a worked example with its own few counts. `taken` are the sample's counts, wrong ones and the sum included;
 * none is in the example.
 */
export function writeExampleStars(
  settings: StarSettings,
  { draw, taken }: { readonly draw: Draw; readonly taken: ReadonlySet<string> },
): StarValues {
  const { stars, order, sentence, examples } = settings;
  const size = Math.min(stars, EXAMPLE_STARS);
  const isFree = (count: number): boolean => !taken.has(String(count)) && !taken.has(String(count + 1));
  // Even counts: a wrong count is one more than a right one, never another's right one. Enough are above the sample's.
  const free = Array.from({ length: 2 * stars + 12 * examples }, (_, number) => 2 * number + 2).filter(isFree);
  for (;;) {
    const drawn = shuffle(draw, free).slice(0, size);
    if (taken.has(String(sum(drawn)))) continue;
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
  const words = starWords(settings);
  const place = number + 1;
  const piece = (role: "target" | "distractor", text: string, value: number): StarText["pieces"][number] => ({
    text,
    fact: { role, text: text.trim(), key: `star ${place}`, value: String(value) },
  });
  if (wrong === null) return [{ place, pieces: [piece("target", countSentence(words, right), right)] }];
  const first = countSentence(words, wrong);
  const slip = slipOf(words, Math.abs(wrong - right), wrong > right);
  if (settings.sentence === "linked") {
    return [
      { place, pieces: [piece("distractor", first, wrong)] },
      { place: place + 0.5, pieces: [piece("target", linkOf(words, slip), right)] },
    ];
  }
  const [after, correction] = settings.sentence === "corrected" ? correctionOf(words, right) : miscountOf(words, slip);
  return [{ place, pieces: [piece("distractor", first + after, wrong), piece("target", correction, right)] }];
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
  { count, order, firstCount }: {
    readonly count: number;
    readonly order: StarSettings["order"];
    readonly firstCount: number;
  },
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
  options: { readonly count: number; readonly order: StarSettings["order"]; readonly isFirstEnglish: boolean },
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

/** The text between question and answer in a worked example. */
export function starAnswerPrefix({ language }: Pick<StarSettings, "language">): string {
  return wordings[language].answerPrefix;
}

/** Writes the answer of a worked example in the form that the question asks for, with its prefix. */
export function starAnswer(settings: StarSettings, references: readonly string[]): string {
  const { language, ask } = settings;
  const { totalKey, colon, comma, answerPrefix, answerSpace } = wordings[language];
  const listKey = starListKey(starWords(settings));
  const counts = ask === "list" ? references : references.slice(0, -1);
  const fields = [
    ...(ask === "sum" ? [] : [`"${listKey}"${colon}[${counts.join(comma)}]`]),
    ...(ask === "list" ? [] : [`"${totalKey}"${colon}${references.at(-1)}`]),
  ];
  return `${answerPrefix}${answerSpace}{${fields.join(comma)}}`;
}

/** Reads the places of counts, as shares of the text; NaN for text that is no number. */
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
  const { language, sentence, ask, edition } = settings;
  const { opening, openingOfFirst, quoted, listForm, number, each, askOfFirst, ask: asks } = wordings[language];
  const words = starWords(settings);
  const { thing, measure, counter } = words;
  const isFirst = edition === "v1";
  const corrected = sentence === "plain" ? 0 : 1;
  const shared = { thing, measure, counter };
  // A custom sentence is quoted, as the reader cannot know the form of a count otherwise.
  const quote = settings.wording === undefined ? "" : fill(quoted, { sentence: countSentence(words, "…") });
  const question = fill(isFirst ? askOfFirst : asks[ask], {
    ...shared,
    opening: fill(isFirst ? openingOfFirst : opening, { ...shared, quoted: quote }),
    list: fill(listForm, { key: starListKey(words) }),
    number: fill(number[corrected]!, shared),
    each: fill(each[corrected]!, shared),
  });
  return `\n\n\n\n${question}`;
}
