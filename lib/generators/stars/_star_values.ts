import published from "@/data/published/counting_stars_star_values.csv" with { type: "text" };
import { type Draw, integer, shuffle } from "@/lib/random/mod.ts";

/** One count of stars, and the wrong count that can be said before it. */
export interface StarValue {
  readonly right: number;
  readonly wrong: number;
}

/** The order in which counts stand in the text. */
export type StarOrder = "increasing" | "shuffled";

/** The most stars there are values of. */
export const MOST_STARS = 1024;

/**
 * Draws counts by the reference's rule: the i-th least is 4(i - 1) + 1, 2 or 3, and the least is not 1, as models that read
 * a 1 first make up the rest. A wrong count is one more or one less than the right one, and not 1 either.
 *
 * Unlike the reference's for more than 32 stars, no two wrong counts are equal.
 */
export function drawStars(
  draw: Draw,
  { count, order }: { readonly count: number; readonly order: StarOrder },
): StarValue[] {
  const used = new Set<number>();
  const stars = Array.from({ length: count }, (_, number): StarValue => {
    const right = 4 * number + integer(draw, { low: number === 0 ? 2 : 1, high: 3 });
    // A neighbour of a count is never a count itself, and one above is never taken already.
    const below = draw() < 0.5 && right > 2 && !used.has(right - 1);
    const wrong = below ? right - 1 : right + 1;
    used.add(wrong);
    return { right, wrong };
  });
  return order === "shuffled" ? shuffle(draw, stars) : stars;
}

/** The increasing counts of the first edition in English; those in Chinese are the 64 least of the shuffled list. */
const FIRST_ENGLISH = [3, 7, 10, 14, 19, 23, 25, 31, 35, 37, 41, 47, 49, 55, 57, 61, 65, 69, 75, 79, 82, 86, 91, 93, 97]
  .concat([103, 106, 110, 113, 118, 123, 126]);

/** How many counts the first edition's increasing list has, of which fewer stars take the first. */
const FIRST_LIST = 64;

/**
 * Gives the reference's own counts, the same for every sample: its shuffled list of 1,024, of which fewer stars take the
 * first, or an increasing one.
 */
export function referenceStars(
  options: { readonly count: number; readonly order: StarOrder; readonly isFirstEnglish: boolean },
): readonly StarValue[] {
  const { count, order, isFirstEnglish } = options;
  const shuffled = readPublished();
  if (order === "shuffled") return shuffled.slice(0, count);
  if (isFirstEnglish && count <= FIRST_ENGLISH.length) {
    return FIRST_ENGLISH.slice(0, count).map((right) => ({ right, wrong: right + 1 }));
  }
  const sorted = shuffled.slice(0, Math.max(FIRST_LIST, count)).sort((left, right) => left.right - right.right);
  return sorted.slice(0, count);
}

function readPublished(): StarValue[] {
  return published.trim().split("\n").slice(1).map((line) => {
    const [, right, wrong] = line.split(",").map(Number);
    return { right: right!, wrong: wrong! };
  });
}
