import type { NameKind } from "./world_names.ts";
import wordings from "./world_wordings.json" with { type: "json" };

/** The kinds of entity with a paragraph each. */
export type EntityKind = "person" | "firm" | "town";

/** What an entity is in its district. It decides what is said about it, and what others can say about it. */
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
 * `{s}` stands for the subject, which the paragraph is about, `{o}` for the object and `{year}` for a year.
 */
interface Wording {
  readonly object: NameKind;
  /** The roles its object can have; any of its kind by default. */
  readonly objectRoles?: readonly Role[];
  /** Whether each object has only one subject: nobody manages two firms. */
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
 * | `makes` | one best-known product, of one firm | padding that says what a firm is known for | a firm's padding says what it deals in, and never what it is known for |
 * | `runBy` | one manager, of one firm | `foundedBy`, as above | `isOffice`: nobody manages two firms |
 * | `suppliedBy` | one main supplier | a circle of suppliers | the supplier's role is one rank higher |
 * | `liesOn` | one river; towns may share it | "the valley is widest here" of two towns | no superlatives in statements |
 * | `ledBy` | one mayor, of one town | `livesIn`, as above | `isOffice`: nobody leads two towns |
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
