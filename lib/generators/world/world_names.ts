import { permutation } from "@/lib/random/mod.ts";

/** What has a name: the three kinds with paragraphs, then those that are only mentioned. */
export type NameKind = "person" | "town" | "firm" | "river" | "book" | "product" | "festival";

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
const ENDINGS: Readonly<Record<NameKind, readonly string[]>> = {
  person: "kamp mert vang birk valk toft vern lenk".split(" "),
  town: "mund beck wald gard hult holm dorf rand".split(" "),
  firm: "vax dex nix lox rux mex bax tix".split(" "),
  river: "leth roth nath mith veth luth beth sath".split(" "),
  book: "lyss nyss moss riss vess duss koss tess".split(" "),
  product: "rizo lazo mezo nuzo tizo vazo dozo bezo".split(" "),
  festival: "larmas dermas normas vermas kormas tarmas birmas lurmas"
    .split(" "),
};
const GIVEN_NAMES: readonly string[] =
  "Ada Albin Alma Anton Arvid Astrid Bela Bruno Clara Conrad Cora Dagny Daria Edda Egon Elin Emil Enno Esther Felix Flora Greta Hanno Hedda Hugo Ida Ilse Irma Ivo Jonas Judith Karin Klara Lea Leon Linus Lotte Magda Marius Mina Nora Odo Olga Oskar Paula Petra Ragna Rolf Rosa Ruben Selma Sigrid Silas Tessa Theo Thora Urban Vera Viktor Wanda"
    .split(" ");
const FIRM_TYPES: readonly string[] = "Works Mills Foundry Brothers Yards Press Glassworks Looms Pottery Brewery"
  .split(" ");
const TITLES: readonly string[] = "Bells Lamp Orchard Winter Ferry Garden Clock Tide Letters Keeper".split(" ");

const KINDS = Object.keys(ENDINGS) as NameKind[];
const ENDINGS_OF_KIND = 8;

/** How many names each kind has. */
const NAME_COUNT: number = BEGINNINGS.length * MIDDLES.length * ENDINGS_OF_KIND;

/** A name in full, and its one word that no other name has. */
export interface WorldName {
  readonly full: string;
  readonly word: string;
}

/** A name as numbers of the texts that it is written with; its one word is the stem and the ending. */
export interface NameParts {
  readonly before: number;
  readonly stem: number;
  readonly ending: number;
  readonly after: number;
}

/** The names of a world. */
export interface WorldNames {
  /** What names are written with, each with the space before it; the first is empty. */
  readonly texts: readonly string[];
  /** A name of a kind by its number among them. */
  parts(kind: NameKind, number: number): NameParts;
  /** The same as it is read. */
  name(kind: NameKind, number: number): WorldName;
}

/** Opens the names of the world of a seed. */
export function openNames(seed: string): WorldNames {
  const texts = [""];
  const addAll = (list: readonly string[]): number => texts.push(...list) - list.length;
  const firstStem = addAll(BEGINNINGS.flatMap((beginning) => {
    const capital = ` ${beginning.charAt(0).toUpperCase()}${beginning.slice(1)}`;
    return MIDDLES.map((middle) => capital + middle);
  }));
  const nothing = { first: 0, count: 1 };
  const given = { first: addAll(GIVEN_NAMES.map((name) => ` ${name}`)), count: GIVEN_NAMES.length };
  const types = { first: addAll(FIRM_TYPES.map((type) => ` ${type}`)), count: FIRM_TYPES.length };
  const titles = { first: addAll(TITLES.map((title) => ` The ${title} of`)), count: TITLES.length };
  const before: Partial<Record<NameKind, typeof nothing>> = { person: given, book: titles };
  const after: Partial<Record<NameKind, typeof nothing>> = { firm: types };
  const kinds = new Map(KINDS.map((kind) => [kind, {
    order: permutation([seed, "names", kind], NAME_COUNT),
    firstEnding: addAll(ENDINGS[kind]),
    before: before[kind] ?? nothing,
    after: after[kind] ?? nothing,
  }]));
  const parts = (kind: NameKind, number: number): NameParts => {
    const { order, firstEnding, before, after } = kinds.get(kind)!;
    const place = order(number);
    return {
      before: before.first + place % 997 % before.count,
      stem: firstStem + Math.floor(place / ENDINGS_OF_KIND),
      ending: firstEnding + place % ENDINGS_OF_KIND,
      after: after.first + place % 997 % after.count,
    };
  };
  return {
    texts,
    parts,
    name(kind, number): WorldName {
      const { before, stem, ending, after } = parts(kind, number);
      const word = texts[stem]! + texts[ending]!;
      return { full: (texts[before]! + word + texts[after]!).slice(1), word: word.slice(1) };
    },
  };
}

/** Replaces each name of a text by `<kind>`, and lists the names. */
export function maskNames(text: string): { readonly masked: string; readonly names: readonly WorldName[] } {
  const names: WorldName[] = [];
  const masked = text.replace(NAME, (full: string, word: string, ending: string) => {
    names.push({ full, word });
    return `<${KIND_OF_ENDING.get(ending)!}>`;
  });
  return { masked, names };
}

const KIND_OF_ENDING: ReadonlyMap<string, NameKind> = new Map(
  (Object.entries(ENDINGS) as [NameKind, readonly string[]][]).flatMap(([kind, endings]) =>
    endings.map((ending): [string, NameKind] => [ending, kind])
  ),
);

const NAME = new RegExp(
  `(?:\\b(?:${GIVEN_NAMES.join("|")}) |\\bThe (?:${TITLES.join("|")}) of )?\\b([A-Z][a-z]{4,6}(${
    [...KIND_OF_ENDING.keys()].join("|")
  }))\\b(?: (?:${FIRM_TYPES.join("|")})\\b)?`,
  "g",
);
