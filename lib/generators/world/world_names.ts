import { permutation } from "@/lib/random/mod.ts";

/** What has a name: the three kinds with paragraphs, then those that are only mentioned. */
export type NameKind = "person" | "town" | "firm" | "river" | "book" | "product" | "festival";

/** The things that are named in the paragraph of only one entity. */
export const OWN_KINDS = { person: "book", firm: "product", town: "festival" } as const satisfies Partial<
  Record<NameKind, NameKind>
>;

// A name is one invented word: two consonants that occur nowhere else in a name, open syllables, and an ending whose last
// consonants belong to its kind alone. So no name lies within another, and each can be read in one way only.
const BEGINNINGS: readonly string[] = [
  ..."br dr fr gr kr pr tr bl fl gl sp pl sk sm sn st".split(" "),
].flatMap((onset) => [..."aeiou"].map((vowel) => onset + vowel));

const SYLLABLES: readonly string[] =
  "la le li lo lu ra re ri ro ru na ne no nu ma me mi mo da de do du ta te to va ve vi vo ka ke ko ba be bo sa se so ga go"
    .split(" ");

const MIDDLES: readonly string[] = [
  ...SYLLABLES,
  ...SYLLABLES.slice(0, 32).map((syllable, index) => syllable + SYLLABLES[(index * 7 + 11) % SYLLABLES.length]),
];

export const ENDINGS: Readonly<Record<NameKind, readonly string[]>> = {
  person: "kamp mert vang birk valk toft vern lenk".split(" "),
  town: "mund beck wald gard hult holm dorf rand".split(" "),
  firm: "vax dex nix lox rux mex bax tix".split(" "),
  river: "leth roth nath mith veth luth beth sath".split(" "),
  book: "lyss nyss moss riss vess duss koss tess".split(" "),
  product: "rizo lazo mezo nuzo tizo vazo dozo bezo".split(" "),
  festival: "larmas dermas normas vermas kormas tarmas birmas lurmas"
    .split(" "),
};

export const GIVEN_NAMES: readonly string[] =
  "Ada Albin Alma Anton Arvid Astrid Bela Bruno Clara Conrad Cora Dagny Daria Edda Egon Elin Emil Enno Esther Felix Flora Greta Hanno Hedda Hugo Ida Ilse Irma Ivo Jonas Judith Karin Klara Lea Leon Linus Lotte Magda Marius Mina Nora Odo Olga Oskar Paula Petra Ragna Rolf Rosa Ruben Selma Sigrid Silas Tessa Theo Thora Urban Vera Viktor Wanda"
    .split(" ");

export const FIRM_TYPES: readonly string[] = "Works Mills Foundry Brothers Yards Press Glassworks Looms Pottery Brewery"
  .split(" ");

export const TITLES: readonly string[] = "Bells Lamp Orchard Winter Ferry Garden Clock Tide Letters Keeper".split(" ");

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
  const given = GIVEN_NAMES.map((name) => ` ${name}`);
  const types = FIRM_TYPES.map((type) => ` ${type}`);
  const titles = TITLES.map((title) => ` The ${title} of`);
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
