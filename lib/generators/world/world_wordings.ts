import type { NameKind } from "./world_names.ts";
import wordings from "./world_wordings.json" with { type: "json" };

/** The kinds of entity with a paragraph each. */
export type EntityKind = keyof typeof wordings.relations;

/** The kind of an entity in its district. It decides which relations it can have. */
export type Role = keyof typeof wordings.roles;

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
