import published from "@/data/published/counting_stars_star_values.csv" with { type: "text" };
import type { StarSettings } from "./knobs.ts";
import wordings from "./wordings.json" with { type: "json" };
import { correctionOf, countSentence, linkOf, miscountOf, slipOf, starWords } from "./sentences.ts";
import { sum } from "@/lib/base/mod.ts";
import type { Fact } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, shuffle } from "@/lib/random/mod.ts";

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
 * Writes the sentences of a worked example with its own few counts. `taken` are the sample's counts, wrong ones
 * included, and its sum where that is asked; none is in the example.
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
  const { stars: count, values, sentence } = settings;
  const stars = values === "seeded" ? drawStars(draw, settings) : referenceStars(settings);
  if (sentence === "corrected") return [...stars];
  if (sentence === "plain") return stars.map(({ right }) => ({ right, wrong: null }));
  const taken = new Set(stars.map(({ right }) => right));
  return stars.map((star, number) => {
    // Nothing follows the last count that could correct it.
    const isRight = sentence === "linked" && (number === count - 1 || draw() < 0.5);
    const wrong = isRight ? null : slip(star, draw, taken);
    if (wrong !== null) taken.add(wrong);
    return { right: star.right, wrong };
  });
}

/** Draws a wrong count that differs from all other counts. */
function slip({ right, wrong }: StarValue, draw: Draw, taken: ReadonlySet<number>): number {
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

export interface StarValue {
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
function drawStars(draw: Draw, { stars: count, order, firstCount }: StarSettings): StarValue[] {
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

/** The number of counts in the first edition's increasing list; fewer stars take the first of them. */
const FIRST_LIST = 64;

/** The reference's own counts, the same for every sample: the first of its shuffled list of 1,024, or an increasing list. */
function referenceStars({ stars: count, order, edition, language }: StarSettings): readonly StarValue[] {
  const isFirstEnglish = edition === "v1" && language === "en";
  const shuffled = PUBLISHED_STAR_VALUES;
  if (order === "shuffled") return shuffled.slice(0, count);
  // In Chinese they are the first 64 of the shuffled list, sorted.
  const { firstCounts } = wordings.en;
  if (isFirstEnglish && count <= firstCounts.length) {
    return firstCounts.slice(0, count).map((right) => ({ right, wrong: right + 1 }));
  }
  const sorted = shuffled.slice(0, Math.max(FIRST_LIST, count)).sort((left, right) => left.right - right.right);
  return sorted.slice(0, count);
}

/** The counts of the third edition in their order, each with its wrong one. */
export const PUBLISHED_STAR_VALUES: readonly StarValue[] = published.trim().split("\n").slice(1).map((line) => {
  const [, right, wrong] = line.split(",").map(Number);
  return { right: right!, wrong: wrong! };
});

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
