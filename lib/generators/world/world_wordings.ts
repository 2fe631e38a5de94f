import wordings from "./world_wordings.json" with { type: "json" };
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

/** The kinds of entity with a paragraph each. */
export type EntityKind = "person" | "firm" | "town";

/** The kind of an entity in its district. It decides which relations it can have. */
export type Role =
  | ("market" | "borough" | "parish")
  | ("source" | "maker" | "finisher")
  | ("founder" | "manager" | "mayor" | "worker");

/** A relation between two named things, by its own name. */
export interface Relation extends Wording {
  readonly name: string;
  readonly subject: EntityKind;
  readonly descriptions: readonly string[];
}

/**
 * The object of a relation, its years, and the ways to word it.
 *
 * `{s}` is the subject, which the paragraph is about, `{o}` the object and `{year}` a year.
 */
interface Wording {
  readonly object: NameKind;
  /** The roles its object can have; any of its kind by default. */
  readonly objectRoles?: readonly Role[];
  /** Whether each object has only one subject: no person manages two firms. */
  readonly isOffice?: boolean;
  /** A relation that it implies for its object, as a mayor lives in the town: the object's own paragraph leaves that out. */
  readonly settles?: string;
  /** When it began: years after the beginning of its subject, from and to. */
  readonly years: readonly [number, number];
  readonly statements: readonly string[];
  /** Questions whose answer is the object. */
  readonly questions: readonly string[];
  /** Words for the object in a longer question; none if it has no paragraph. */
  readonly descriptions?: readonly string[];
}

/** Puts words into the slots of a phrasing. */
export function fillSlots(phrasing: string, wordFor: (slot: string) => string): string {
  return phrasing.replace(/\{(\w+)\}/g, (_, slot: string) => wordFor(slot));
}

/**
 * Every relation of the world, by the kind of its subject.
 *
 * Read as plain English, no two statements of a world contradict each other, and each question is answered by one statement
 * only. What else could contradict a relation or answer its question, and what prevents that:
 *
 * | relation | one subject, one object | what else would say it | what prevents that |
 * | --- | --- | --- | --- |
 * | `bornIn` | one birthplace | nothing | - |
 * | `livesIn` | one home | `ledBy`: a mayor lives in the town | `settles`: a mayor's paragraph names no home |
 * | `worksFor` | one employer | `runBy`, `foundedBy`: who manages or founded a firm works for it | `settles`: a manager's or founder's paragraph names no employer |
 * | `taughtBy` | one teacher, "the one teacher" | a circle of teachers, or one younger than the pupil | the teacher's role is one rank higher, which is a generation older |
 * | `wrote` | one book, "the only book", of one author | nothing | a book for each person |
 * | `foundedBy` | one founder, of one firm | `runBy`: who founded a firm cannot take it over | founders manage nothing |
 * | `basedIn` | one head office | nothing: people live and work away from it | - |
 * | `makes` | one best-known product, of one firm | padding about what a firm is known for | a firm's padding names what it deals in, never what it is known for |
 * | `runBy` | one manager, of one firm | `foundedBy`, as above | `isOffice`: no person manages two firms |
 * | `suppliedBy` | one main supplier | a circle of suppliers | the supplier's role is one rank higher |
 * | `liesOn` | one river; towns may share it | "the valley is widest here" of two towns | no superlatives in statements |
 * | `ledBy` | one mayor, of one town | `livesIn`, as above | `isOffice`: no person leads two towns |
 * | `bridgedBy` | one designer; a person may design several bridges | nothing | - |
 * | `marketsAt` | one market town | a town to whose market others go has a market of its own | `settles`, and the market town's role is one rank higher |
 * | `celebrates` | one festival, of one town | nothing: padding names no feast | a festival for each town |
 *
 * A person, firm or town is the subject of relations in its own paragraph only, and no relation is another read backwards.
 * For the dates see {@linkcode ROLES}.
 */
export const RELATIONS: Readonly<Record<EntityKind, readonly Relation[]>> = {
  person: relationsOf("person"),
  firm: relationsOf("firm"),
  town: relationsOf("town"),
};

function relationsOf(subject: EntityKind): readonly Relation[] {
  const ofKind = wordings.relations[subject] as unknown as Readonly<Record<string, Wording>>;
  return Object.entries(ofKind).map(([name, wording]) => ({ name, subject, descriptions: [], ...wording }));
}

/** The sentences of a paragraph that state no relation, for one kind of entity. */
interface Padding {
  /** Years that they mention, counted from the beginning of the entity, from and to. */
  readonly years: readonly [number, number];
  readonly openings: readonly string[];
  readonly remarks: readonly string[];
}

/** The sentences that state no relation, by kind of entity. */
export const PADDING = wordings.padding as unknown as Readonly<Record<EntityKind, Padding>>;

/** Words for the slots of {@linkcode PADDING}. */
export const SLOT_WORDS: Readonly<Record<string, readonly string[]>> = wordings.slotWords;

/** A phrase, split into pieces and slots. */
export interface Phrase {
  /**
   * Numbers of pieces, and negative numbers for slots: the subject in full or as one word, the object, or one of a list of pieces,
   * for which the number is {@linkcode FIRST_LIST} less the first piece of the list.
   */
  readonly parts: readonly number[];
  /** The names of the slots, except those of the subject, which are the same in each use. */
  readonly slots: readonly string[];
}

/** Slots in the parts of a phrase. */
export const [SUBJECT, SUBJECT_WORD, OBJECT, FIRST_LIST] = [-1, -2, -3, -4];

/**
 * All pieces of paragraphs except names, each with the space before it: texts between two slots, words for slots, and years. A
 * paragraph is a list of their numbers, so that each piece is tokenized once.
 */
export interface Pieces {
  readonly texts: readonly string[];
  /** All phrases, each by a number below 256. */
  readonly phrases: readonly Phrase[];
  /** Returns the phrases of a relation with the subject in full; the next number is the same phrase with one word of it. */
  statements(relation: Relation): readonly number[];
  /** Returns the phrases that state nothing: openings with the subject in full, remarks with one word of it. */
  padding(kind: EntityKind): Readonly<Record<"openings" | "remarks", readonly number[]>>;
}

/** The years that paragraphs can mention. */
export const [FIRST_YEAR, LAST_YEAR] = [1800, 2000];

/** Splits the phrases of the world into pieces. */
export function openPieces(): Pieces {
  const texts: string[] = [];
  const addAll = (list: readonly (string | number)[]): number => {
    texts.push(...list.map((text) => ` ${text}`));
    return texts.length - list.length;
  };
  const firsts = new Map([
    ["year", addAll(Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, year) => FIRST_YEAR + year))],
    ...Object.entries(SLOT_WORDS).map(([slot, words]): [string, number] => [slot, addAll(words)]),
  ]);
  const fixed = new Map<string, number>();
  const numberOf = (text: string): number => fixed.getOrInsertComputed(text, () => texts.push(text) - 1);
  const phrases: Phrase[] = [];
  const add = (phrasing: string, subject: number): number => {
    const slots: string[] = [];
    // The space before a slot is part of its filling.
    const parts = ` ${phrasing}`.split(/ \{(\w+)\}/).flatMap((part, place): number[] => {
      if (place % 2 === 0) return part === "" ? [] : [numberOf(part)];
      if (part === "s") return [subject];
      slots.push(part);
      return [part === "o" ? OBJECT : FIRST_LIST - firsts.get(part)!];
    });
    return phrases.push({ parts, slots }) - 1;
  };
  const statements = new Map(
    Object.values(RELATIONS).flat().map((relation) => [
      relation,
      relation.statements.map((phrasing) => {
        const inFull = add(phrasing, SUBJECT);
        add(phrasing, SUBJECT_WORD);
        return inFull;
      }),
    ]),
  );
  const padding = new Map(
    (Object.entries(PADDING) as [EntityKind, Padding][]).map(([kind, { openings, remarks }]) => [kind, {
      openings: openings.map((phrasing) => add(phrasing, SUBJECT)),
      remarks: remarks.map((phrasing) => add(phrasing, SUBJECT_WORD)),
    }]),
  );
  return { texts, phrases, statements: (relation) => statements.get(relation)!, padding: (kind) => padding.get(kind)! };
}
