/** The suite and its version. */
export const REPEATED_WORDS_SUITE = "repeated-words-1";

/**
 * The words of the report's seven combinations: the common one, and the modified one that replaces it at one place. A word of the
 * report can be several words of English.
 */
export const PAIRS = {
  "apple_apples": ["apple", "apples"],
  "apples_apple": ["apples", "apple"],
  "golden_Golden": ["golden", "Golden"],
  "orange_run": ["orange", "run"],
  "orange_San_Francisco": ["orange", "San Francisco"],
  "San_Francisco_sf": ["San Francisco", "sf"],
  "Golden_Gate_Bridge_Park": ["Golden Gate Bridge", "Golden Gate Park"],
} as const;

/** The name of a combination of words. */
export type PairName = keyof typeof PAIRS;

/** The names of the combinations, in the order of the report. */
export const PAIR_NAMES = Object.keys(PAIRS) as PairName[];

/** The fewest words of a text: of fewer, the common word is not the more frequent one. */
export const LEAST_WORDS = 3;

/**
 * Returns the places of the modified word that the report asks for in a text, in ascending order: every place of fewer than 100
 * words, otherwise every `words // 100`th from the first, and the last (run_repeated_words.py at 1091346).
 */
export function paperPlaces(words: number): readonly number[] {
  const step = Math.max(1, Math.floor(words / 100));
  const places = Array.from({ length: Math.ceil(words / step) }, (_, at) => at * step);
  return places.at(-1) === words - 1 ? places : [...places, words - 1];
}

/** A text of repeated words. */
export interface CopyText {
  readonly pair: PairName;
  /** The number of words, the modified one included. */
  readonly words: number;
  /** The number of words before the modified one. */
  readonly place: number;
}

/** Writes a text of repeated words, with one space between two. */
export function writeCopy({ pair, words, place }: CopyText): string {
  const [common, modified] = PAIRS[pair];
  return `${common} `.repeat(place) + modified + ` ${common}`.repeat(words - 1 - place);
}

/** Reads a text of repeated words, in linear time; `null` if it is none. */
export function readCopy(text: string): CopyText | null {
  const copies = PAIR_NAMES.map((pair): CopyText => {
    const [common, modified] = PAIRS[pair];
    let place = 0;
    while (text.startsWith(`${common} `, place * (common.length + 1))) place++;
    return { pair, place, words: 1 + (text.length - modified.length) / (common.length + 1) };
  });
  const isText = (copy: CopyText): boolean =>
    Number.isInteger(copy.words) && copy.words >= LEAST_WORDS && copy.place < copy.words && writeCopy(copy) === text;
  return copies.find(isText) ?? null;
}
