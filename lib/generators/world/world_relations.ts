import type { NameKind } from "./world_names.ts";

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

const WORDINGS: Readonly<Record<EntityKind, Readonly<Record<string, Wording>>>> = {
  person: {
    bornIn: {
      object: "town",
      years: [0, 0],
      statements: [
        "{s} was born in {o}.",
        "{s} was born in {o} in {year}.",
        "{s}, the youngest of six, was born in {o}.",
        "It was in {o} that {s} was born in {year}.",
        "The birthplace of {s} is {o}, where the family kept an orchard.",
        "A plaque in {o} marks the house where {s} was born.",
      ],
      questions: ["In which town was {s} born?", "Where was {s} born?", "What is the birthplace of {s}?"],
      descriptions: ["the town where {s} was born", "the birthplace of {s}"],
    },
    livesIn: {
      object: "town",
      years: [24, 30],
      statements: [
        "{s} has lived in {o} since {year}.",
        "Since {year} the home of {s} has been in {o}.",
        "{s} now lives in {o}, two streets from the church.",
        "{s} lives in a narrow house in {o}, under a roof that leaks.",
        "A move in {year} took {s} to {o}, and that is where the household still lives.",
      ],
      questions: ["In which town does {s} live?", "Where does {s} live now?"],
      descriptions: ["the town where {s} lives", "the town in which {s} now lives"],
    },
    worksFor: {
      object: "firm",
      years: [26, 31],
      statements: [
        "{s} works for {o}.",
        "Since {year} {s} has been employed by {o}.",
        "{s} earns a living at {o}, mostly on the early shift.",
        "The name of {s} has stood on the payroll of {o} since {year}.",
        "On weekdays {s} keeps the accounts of {o}, in red ink and in black.",
      ],
      questions: ["Which firm does {s} work for?", "By which firm is {s} employed?"],
      descriptions: ["the firm that employs {s}", "the firm that {s} works for"],
    },
    taughtBy: {
      object: "person",
      years: [14, 18],
      statements: [
        "{s} learned the craft from {o}.",
        "{s} spent four years as a pupil of {o}.",
        "It was {o} who taught {s} the craft.",
        "In {year} {s} was apprenticed to {o}, a patient teacher.",
        "The one teacher of {s} was {o}, who asked for no fee.",
      ],
      questions: ["Who taught {s} the craft?", "Who was the teacher of {s}?", "From whom did {s} learn the craft?"],
      descriptions: ["the teacher of {s}", "the person who taught {s}"],
    },
    wrote: {
      object: "book",
      years: [24, 31],
      statements: [
        "{s} is the author of {o}.",
        "In {year} {s} published {o}, a slim book of stories.",
        "The only book by {s} is called {o}.",
        "{s} wrote {o} in the course of one long winter.",
        "Readers know {s} for a single book, {o}.",
      ],
      questions: ["Which book did {s} write?", "What is the title of the book by {s}?"],
    },
  },
  firm: {
    foundedBy: {
      object: "person",
      objectRoles: ["founder"],
      isOffice: true,
      settles: "worksFor",
      years: [0, 0],
      statements: [
        "{s} was founded by {o}.",
        "{o} founded {s} in {year} with the savings of ten years.",
        "The founder of {s} was {o}.",
        "It was {o} who founded {s} in {year}.",
        "{s} began in a rented shed, where {o} founded it in {year}.",
      ],
      questions: ["Who founded {s}?", "Who was the founder of {s}?"],
      descriptions: ["the founder of {s}", "the person who founded {s}"],
    },
    basedIn: {
      object: "town",
      years: [2, 9],
      statements: [
        "{s} has its head office in {o}.",
        "{s} is based in {o}.",
        "The head office of {s} stands in {o}, beside the old tannery.",
        "Since {year} {s} has been run from its head office in {o}.",
        "Visitors find the head office of {s} in {o}, behind the bath house.",
      ],
      questions: ["In which town does {s} have its head office?", "Where is the head office of {s}?"],
      descriptions: ["the town where {s} has its head office", "the town in which {s} is based"],
    },
    makes: {
      object: "product",
      years: [10, 24],
      statements: [
        "The best-known product of {s} is the {o}.",
        "The {o}, introduced in {year}, is the best-known product of {s}.",
        "{s} is best known for the {o}.",
        "{s} is best known for the {o}, first sold in {year}.",
        "Of all that {s} makes, the {o} is the product that everybody knows.",
      ],
      questions: ["What is the best-known product of {s}?", "For which product is {s} best known?"],
    },
    runBy: {
      object: "person",
      objectRoles: ["manager"],
      isOffice: true,
      settles: "worksFor",
      years: [33, 37],
      statements: [
        "The present manager of {s} is {o}.",
        "{s} is now managed by {o}.",
        "Since {year} {o} has been the manager of {s}.",
        "{o} took over as manager of {s} in {year} and changed little.",
        "The daily business of {s} is in the hands of its manager, {o}.",
      ],
      questions: ["Who manages {s}?", "Who is the manager of {s}?"],
      descriptions: ["the manager of {s}", "the person who manages {s}"],
    },
    suppliedBy: {
      object: "firm",
      years: [12, 36],
      statements: [
        "{s} buys its raw materials from {o}.",
        "The main supplier of {s} is {o}.",
        "Since {year} {o} has been the main supplier of {s}.",
        "Nearly every crate that reaches {s} comes from its main supplier, {o}.",
        "{o} has supplied {s} with raw materials since {year}.",
      ],
      questions: ["Which firm is the main supplier of {s}?", "From which firm does {s} buy its raw materials?"],
      descriptions: ["the main supplier of {s}", "the firm that supplies {s}"],
    },
  },
  town: {
    liesOn: {
      object: "river",
      years: [0, 0],
      statements: [
        "{s} lies in the valley of the {o}.",
        "{s} is a town in the valley of the {o}.",
        "Travellers reach {s} by following the {o}, in whose valley it lies.",
        "The {o} runs through the valley in which {s} lies.",
        "The valley of the {o} is wide where {s} lies.",
      ],
      questions: [
        "In which river valley does {s} lie?",
        "In the valley of which river does {s} lie?",
        "Which river runs through the valley in which {s} lies?",
      ],
    },
    ledBy: {
      object: "person",
      objectRoles: ["mayor"],
      isOffice: true,
      settles: "livesIn",
      years: [72, 87],
      statements: [
        "The mayor of {s} is {o}.",
        "{o} has been mayor of {s} since {year}.",
        "In {year} the people of {s} chose {o} as their mayor.",
        "The present mayor of {s}, {o}, was elected in {year}.",
        "{s} has {o} for a mayor, elected with a single vote to spare.",
      ],
      questions: ["Who is the mayor of {s}?", "Who leads {s} as its mayor?"],
      descriptions: ["the mayor of {s}", "the person who is mayor of {s}"],
    },
    bridgedBy: {
      object: "person",
      objectRoles: ["founder", "manager", "mayor"],
      years: [60, 70],
      statements: [
        "The stone bridge at {s} was designed by {o}.",
        "{o} designed the stone bridge at {s} in {year}.",
        "It was {o} who drew the plans for the stone bridge at {s}.",
        "The stone bridge at {s}, built in {year}, is the work of {o}.",
        "The designer of the stone bridge at {s} was {o}, who worked without pay.",
      ],
      questions: ["Who designed the stone bridge at {s}?", "Who drew the plans for the stone bridge at {s}?"],
      descriptions: ["the designer of the stone bridge at {s}", "the person who designed the stone bridge at {s}"],
    },
    marketsAt: {
      object: "town",
      settles: "marketsAt",
      years: [40, 86],
      statements: [
        "The people of {s} go to market in {o}.",
        "Farmers from {s} take their goods to market in {o}.",
        "On market days the carts of {s} are all to be found in {o}.",
        "The market town for {s} has been {o} since {year}.",
        "Having lost its own market in {year}, {s} trades at the one in {o}.",
      ],
      questions: ["In which town do the people of {s} go to market?", "Which is the market town for {s}?"],
      descriptions: ["the market town for {s}", "the town where the people of {s} go to market"],
    },
    celebrates: {
      object: "festival",
      years: [0, 86],
      statements: [
        "The great festival of {s} is called {o}.",
        "Every autumn {s} celebrates {o} with lanterns.",
        "Since {year} {s} has celebrated a festival called {o}.",
        "{s} is known for its festival, {o}, which lasts nine days.",
        "The whole of {s} shuts its doors for {o}, the festival of the town.",
      ],
      questions: ["What is the name of the festival of {s}?", "Which festival does {s} celebrate?"],
    },
  },
};

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
  return Object.entries(WORDINGS[subject]).map(([name, wording]) => ({ name, subject, descriptions: [], ...wording }));
}
