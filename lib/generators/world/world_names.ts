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

/** How many names each kind has. */
const NAME_COUNT: number = BEGINNINGS.length * MIDDLES.length * 8;

/** A name in full, and its one word that no other name has. */
export interface WorldName {
  readonly full: string;
  readonly word: string;
}

/** Makes a function from a number to a name of one kind in the world of a seed. */
export function nameMaker(seed: string, kind: NameKind): (number: number) => WorldName {
  const order = permutation([seed, "names", kind], NAME_COUNT);
  return (number) => {
    const place = order(number);
    const ending = ENDINGS[kind][place % 8]!;
    const middle = MIDDLES[(place >> 3) % MIDDLES.length]!;
    const beginning = BEGINNINGS[Math.floor((place >> 3) / MIDDLES.length)]!;
    const word = beginning.charAt(0).toUpperCase() + beginning.slice(1) + middle + ending;
    return { full: dress(kind, { word, place }), word };
  };
}

function dress(kind: NameKind, { word, place }: { readonly word: string; readonly place: number }): string {
  const take = (words: readonly string[]): string => words[place % 997 % words.length]!;
  if (kind === "person") return `${take(GIVEN_NAMES)} ${word}`;
  if (kind === "firm") return `${word} ${take(FIRM_TYPES)}`;
  if (kind === "book") return `The ${take(TITLES)} of ${word}`;
  return word;
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
