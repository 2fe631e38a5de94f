import type { Draw } from "@/lib/random/mod.ts";
import type { Lexicon } from "./_numbered_list.ts";

/** The words of one sample, by their numbers in the vocabulary; all are different. */
export interface CommonDraw {
  /** The words of the solved example. */
  readonly example: readonly number[];
  /** The common words; none is part of another word of the sample or of its wording. */
  readonly common: readonly number[];
  /** Gives the first so many of the other words, or all there are. */
  uncommon(count: number): readonly number[];
}

/**
 * Draws the words of a sample, one after another, each once: first the example's, then the common ones, then the rest.
 *
 * The reference does not look whether one word is part of another, so that its score can find a right answer in a wrong one.
 *
 * @param sizes Number of words in the example, and of common words.
 * @param wording The prompt's own words, those of a chat template included.
 */
export function drawCommonWords(
  draw: Draw,
  { lexicon, sizes, wording }: {
    readonly lexicon: Lexicon;
    readonly sizes: { readonly example: number; readonly common: number };
    readonly wording: string;
  },
): CommonDraw {
  const next = drawEachOnce(draw, lexicon.numbers);
  const { wordAt } = lexicon;
  const example: number[] = [];
  grow(example, { to: sizes.example, next, accepts: () => true });

  const around = [wording, ...example.map(wordAt)].join(" ").toLowerCase();
  const common: number[] = [];
  const commonWords: string[] = [];
  grow(common, {
    to: sizes.common,
    next,
    accepts(number): boolean {
      const word = wordAt(number);
      const isApart = !around.includes(word) &&
        !commonWords.some((other) => other.includes(word) || word.includes(other));
      if (isApart) commonWords.push(word);
      return isApart;
    },
  });

  const uncommon: number[] = [];
  const holdsNone = (number: number): boolean => {
    const word = wordAt(number);
    return !commonWords.some((other) => word.includes(other));
  };
  return {
    example,
    common,
    uncommon(count): readonly number[] {
      grow(uncommon, { to: count, next, accepts: holdsNone });
      return uncommon.slice(0, count);
    },
  };
}

/** Draws numbers until there are so many that are accepted; those that are not are not drawn again. */
function grow(numbers: number[], options: {
  readonly to: number;
  readonly next: () => number | undefined;
  readonly accepts: (number: number) => boolean;
}): void {
  const { to, next, accepts } = options;
  while (numbers.length < to) {
    const number = next();
    if (number === undefined) return;
    if (accepts(number)) numbers.push(number);
  }
}

/** Draws numbers of a list, never the same twice (Fisher and Yates, as far as it is needed). */
function drawEachOnce(draw: Draw, numbers: Int32Array): () => number | undefined {
  const order = numbers.slice();
  let drawn = 0;
  return () => {
    if (drawn >= order.length) return undefined;
    const place = drawn + Math.floor(draw() * (order.length - drawn));
    const number = order[place];
    order[place] = order[drawn]!;
    drawn++;
    return number;
  };
}
