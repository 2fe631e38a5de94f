import { type Draw, pick } from "@/lib/random/mod.ts";
import type { StarAsk, StarEdition } from "./_star_question.ts";
import {
  correctedSentence,
  linkedSentences,
  miscountedSentence,
  plainSentence,
  type StarLanguage,
  type StarPiece,
  type StarSentence,
} from "./_star_sentences.ts";
import { drawStars, referenceStars, type StarOrder, type StarValue } from "./_star_values.ts";
import type { Fact } from "../sample.ts";

/** The knobs of Counting-Stars. */
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
}

/** One sentence of a sample, and where it belongs: in intervals from the beginning of the text, rising. */
export interface StarText {
  readonly place: number;
  readonly pieces: readonly { readonly text: string; readonly fact: Omit<Fact, "depth" | "tokenOffset"> }[];
}

/** The sentences of a sample, with its right and its tempting answers. */
export interface WrittenStars {
  readonly texts: readonly StarText[];
  readonly references: readonly string[];
  /** Beside each reference the wrong count that the text says; empty where it says none. */
  readonly distractors: readonly string[];
}

/** Chooses the counts and writes their sentences. */
export function writeStars(settings: StarSettings, draw: Draw): WrittenStars {
  const { ask } = settings;
  const stars = chooseStars(settings, draw);
  const texts = stars.flatMap((star, number) => writeStar(star, { settings, number }));
  const counts = stars.map(({ right }) => String(right));
  const wrongs = stars.map(({ wrong }) => wrong === null ? "" : String(wrong));
  const total = String(stars.reduce((sum, { right }) => sum + right, 0));
  return {
    texts,
    references: { "list": counts, "list_and_sum": [...counts, total], "sum": [total] }[ask],
    distractors: { "list": wrongs, "list_and_sum": [...wrongs, ""], "sum": [""] }[ask],
  };
}

/** A count, and the wrong one that stands before it, if any. */
interface ChosenStar {
  readonly right: number;
  readonly wrong: number | null;
}

/** How far a worked-out count is from the wrong one at most. */
const MOST_SLIP = 3;

function chooseStars(settings: StarSettings, draw: Draw): ChosenStar[] {
  const { stars: count, order, values, sentence, edition, language } = settings;
  const isFirstEnglish = edition === "v1" && language === "en";
  const stars = values === "seeded"
    ? drawStars(draw, { count, order })
    : referenceStars({ count, order, isFirstEnglish });
  if (sentence === "corrected") return [...stars];
  if (sentence === "plain") return stars.map(({ right }) => ({ right, wrong: null }));
  const taken = new Set(stars.map(({ right }) => right));
  return stars.map((star, number) => {
    // The last count has nothing after it that could set it right.
    const isRight = sentence === "linked" && (number === count - 1 || draw() < 0.5);
    const wrong = isRight ? null : slip(star, { draw, taken });
    if (wrong !== null) taken.add(wrong);
    return { right: star.right, wrong };
  });
}

/** Draws a wrong count that no other count is. */
function slip(
  { right, wrong }: StarValue,
  { draw, taken }: { readonly draw: Draw; readonly taken: ReadonlySet<number> },
): number {
  const slips = Array.from({ length: MOST_SLIP }, (_, size) => [right - size - 1, right + size + 1]).flat();
  const free = slips.filter((candidate) => candidate > 1 && !taken.has(candidate));
  return free.length === 0 ? wrong : pick(draw, free);
}

function writeStar(
  { right, wrong }: ChosenStar,
  { settings, number }: { readonly settings: StarSettings; readonly number: number },
): StarText[] {
  const { language, sentence } = settings;
  const place = number + 1;
  const write = (pieces: readonly StarPiece[], at = place): StarText => ({
    place: at,
    pieces: pieces.map(({ role, text, value }) => ({
      text,
      fact: { role, text: text.trim(), key: `star ${place}`, value: String(value) },
    })),
  });
  if (wrong === null) return [write(plainSentence(language, right))];
  const star = { right, wrong };
  if (sentence === "corrected") return [write(correctedSentence(language, star))];
  if (sentence === "miscounted") return [write(miscountedSentence(language, star))];
  const [count, correction] = linkedSentences(language, star);
  return [write(count), write(correction, place + 0.5)];
}
