import wordings from "./world_wordings.json" with { type: "json" };
import { permutation } from "@/lib/random/mod.ts";

const { names: NAMES } = wordings;

/** What has a name: the three kinds with paragraphs, then those that are only mentioned. */
export type NameKind = keyof typeof NAMES.endings;

/** The things that are named in the paragraph of only one entity. */
export const OWN_KINDS = { person: "book", firm: "product", town: "festival" } as const;

// A name is one invented word: two consonants that occur nowhere else in a name, open syllables, and an ending whose last
// consonants belong to its kind alone. So no name lies within another, and each can be read in one way only.
const BEGINNINGS = NAMES.onsets.split(" ").flatMap((onset) => [..."aeiou"].map((vowel) => onset + vowel));
const SYLLABLES = NAMES.syllables.split(" ");
const MIDDLES: readonly string[] = [
  ...SYLLABLES,
  ...SYLLABLES.slice(0, 32).map((syllable, index) => syllable + SYLLABLES[(index * 7 + 11) % SYLLABLES.length]),
];
const ENDINGS: Readonly<Record<NameKind, readonly string[]>> = NAMES.endings;

const ENDINGS_OF_KIND = 8;

/** How many names each kind has. */
const NAME_COUNT: number = BEGINNINGS.length * MIDDLES.length * ENDINGS_OF_KIND;

/** A name in full, and its one word that no other name has. */
export interface WorldName {
  readonly full: string;
  readonly word: string;
}

/** Opens the names of the world of a seed: all texts that names are made of, and the names of each kind by their numbers. */
export function openNames(seed: string): {
  readonly texts: readonly string[];
  name(kind: NameKind, number: number): WorldName;
} {
  const stems = BEGINNINGS.flatMap((beginning) => {
    const capital = ` ${beginning.charAt(0).toUpperCase()}${beginning.slice(1)}`;
    return MIDDLES.map((middle) => capital + middle);
  });
  const given = NAMES.givenNames.split(" ").map((name) => ` ${name}`);
  const types = NAMES.firmTypes.split(" ").map((type) => ` ${type}`);
  const titles = NAMES.titles.split(" ").map((title) => ` The ${title} of`);
  const before: Partial<Record<NameKind, readonly string[]>> = { person: given, book: titles };
  const after: typeof before = { firm: types };
  const kinds = Object.keys(ENDINGS) as NameKind[];
  const placesOf = new Map(kinds.map((kind) => [kind, permutation([seed, "names", kind], NAME_COUNT)]));
  const choose = (list: readonly string[] | undefined, place: number): string =>
    list?.[place % 997 % list.length] ?? "";
  return {
    texts: ["", ...stems, ...given, ...types, ...titles, ...Object.values(ENDINGS).flat()],
    name(kind, number): WorldName {
      const place = placesOf.get(kind)!(number);
      const word = stems[Math.floor(place / ENDINGS_OF_KIND)]! + ENDINGS[kind][place % ENDINGS_OF_KIND]!;
      return { full: (choose(before[kind], place) + word + choose(after[kind], place)).slice(1), word: word.slice(1) };
    },
  };
}
