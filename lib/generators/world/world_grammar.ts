import type { NameKind } from "./world_names.ts";

/** What is told of firms. */
const FIRM_RELATIONS: readonly Relation[] = [
  {
    name: "foundedBy",
    subject: "firm",
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
  {
    name: "basedIn",
    subject: "firm",
    object: "town",
    years: [2, 9],
    statements: [
      "{s} has its head office in {o}.",
      "{s} is based in {o}.",
      "The head office of {s} stands in {o}, beside the old tannery.",
      "Since {year} {s} has been run from its head office in {o}.",
      "Visitors find the head office of {s} in {o}, behind the bath house.",
    ],
    questions: [
      "In which town does {s} have its head office?",
      "Where is the head office of {s}?",
    ],
    descriptions: [
      "the town where {s} has its head office",
      "the town in which {s} is based",
    ],
  },
  {
    name: "makes",
    subject: "firm",
    object: "product",
    years: [10, 24],
    statements: [
      "The best-known product of {s} is the {o}.",
      "The {o}, introduced in {year}, is the best-known product of {s}.",
      "{s} is best known for the {o}.",
      "{s} is best known for the {o}, first sold in {year}.",
      "Of all that {s} makes, the {o} is the product that everybody knows.",
    ],
    questions: [
      "What is the best-known product of {s}?",
      "For which product is {s} best known?",
    ],
    descriptions: [],
  },
  {
    name: "runBy",
    subject: "firm",
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
  {
    name: "suppliedBy",
    subject: "firm",
    object: "firm",
    years: [12, 36],
    statements: [
      "{s} buys its raw materials from {o}.",
      "The main supplier of {s} is {o}.",
      "Since {year} {o} has been the main supplier of {s}.",
      "Nearly every crate that reaches {s} comes from its main supplier, {o}.",
      "{o} has supplied {s} with raw materials since {year}.",
    ],
    questions: [
      "Which firm is the main supplier of {s}?",
      "From which firm does {s} buy its raw materials?",
    ],
    descriptions: ["the main supplier of {s}", "the firm that supplies {s}"],
  },
];

/** What surrounds it. */
const FIRM_PADDING: Padding = {
  years: [4, 36],
  openings: [
    "{s} is a {manner} firm that deals in {thing}.",
    "{s} is one of the older makers of {thing}.",
    "Among makers of {thing}, {s} is the one that works in {material}.",
    "{s} makes {thing} for customers who can wait.",
    "Day after day {s} turns {material} into {thing}.",
    "{s} is a {manner} firm of some forty hands.",
    "The firm of {s} sells {thing} to half the country.",
    "{s} started with a single {material} press and a horse.",
  ],
  remarks: [
    "A fire in the {season} of {year} spared the machines but not the archive.",
    "{s} has never borrowed a coin from a bank.",
    "Apprentices spend their first {season} sorting {material} by hand.",
    "The yard of {s} smells of {material} from {season} on.",
    "At {s} the working day still begins with a bell.",
    "Old {thing} from the first years of {s} are sought by collectors.",
    "Each {season} the stock of {thing} is counted by candlelight.",
    "The {manner} tone of its advertisements is a standing joke in the trade.",
    "{s} pays its people on Thursdays, for reasons nobody remembers.",
    "A museum of {thing} takes up the top floor.",
    "Orders for {thing} are still written down in {material} covers.",
    "Twice {s} has been for sale, and twice no buyer was {manner} enough.",
    "Its catalogue of {year} runs to nine hundred kinds of {thing}.",
    "The chimney of {s} was lowered after the storm of {year}.",
    "{s} lends its hall to the local society for {subject}.",
    "A {trade} inspects every piece before it leaves the yard.",
  ],
};

/** What is told of people. */
const PERSON_RELATIONS: readonly Relation[] = [
  {
    name: "bornIn",
    subject: "person",
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
    questions: [
      "In which town was {s} born?",
      "Where was {s} born?",
      "What is the birthplace of {s}?",
    ],
    descriptions: ["the town where {s} was born", "the birthplace of {s}"],
  },
  {
    name: "livesIn",
    subject: "person",
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
    descriptions: [
      "the town where {s} lives",
      "the town in which {s} now lives",
    ],
  },
  {
    name: "worksFor",
    subject: "person",
    object: "firm",
    years: [26, 31],
    statements: [
      "{s} works for {o}.",
      "Since {year} {s} has been employed by {o}.",
      "{s} earns a living at {o}, mostly on the early shift.",
      "The name of {s} has stood on the payroll of {o} since {year}.",
      "On weekdays {s} keeps the accounts of {o}, in red ink and in black.",
    ],
    questions: [
      "Which firm does {s} work for?",
      "By which firm is {s} employed?",
    ],
    descriptions: [
      "the firm that employs {s}",
      "the firm that {s} works for",
    ],
  },
  {
    name: "taughtBy",
    subject: "person",
    object: "person",
    years: [14, 18],
    statements: [
      "{s} learned the craft from {o}.",
      "{s} spent four years as a pupil of {o}.",
      "It was {o} who taught {s} the craft.",
      "In {year} {s} was apprenticed to {o}, a patient teacher.",
      "The one teacher of {s} was {o}, who asked for no fee.",
    ],
    questions: [
      "Who taught {s} the craft?",
      "Who was the teacher of {s}?",
      "From whom did {s} learn the craft?",
    ],
    descriptions: ["the teacher of {s}", "the person who taught {s}"],
  },
  {
    name: "wrote",
    subject: "person",
    object: "book",
    years: [24, 31],
    statements: [
      "{s} is the author of {o}.",
      "In {year} {s} published {o}, a slim book of stories.",
      "The only book by {s} is called {o}.",
      "{s} wrote {o} in the course of one long winter.",
      "Readers know {s} for a single book, {o}.",
    ],
    questions: [
      "Which book did {s} write?",
      "What is the title of the book by {s}?",
    ],
    descriptions: [],
  },
];

/** What surrounds it. */
const PERSON_PADDING: Padding = {
  years: [24, 31],
  openings: [
    "{s} is a {trade} of the old school.",
    "{s} began as a {trade}, as half the street did.",
    "Few people in the district are as well liked as {s}, a {trade}.",
    "{s} is known as a {manner} {trade}.",
    "By trade {s} is a {trade}, by inclination a reader of {subject}.",
    "Neighbours describe {s} as a {manner} person with a taste for {subject}.",
    "{s} is known to every {trade} of the region for a {manner} way of working.",
    "The {trade} {s} comes from a large family.",
  ],
  remarks: [
    "The evenings of {s} belong to {subject}.",
    "{s} owns a collection of {thing} that fills two rooms.",
    "A good appetite has helped {s} through more than one hard {season}.",
    "Visitors are shown the {thing} before they are offered tea.",
    "{s} speaks rarely in public and always briefly.",
    "There is a portrait of {s} holding a {material} cup.",
    "With six sentences on {subject} {s} once silenced a full hall.",
    "Every {season} {s} walks to the coast and back with a {material} stick.",
    "{s} has been heard to say that {subject} cannot be hurried.",
    "The workshop is small, {manner} in its habits, and smells of {material}.",
    "Some of the tools that {s} uses are older than the street.",
    "A weak voice keeps {s} from singing in the choir but not from {subject}.",
    "Two notebooks on {subject} lie in a drawer, both in a hand that is hard to read.",
    "{s} gave a set of {thing} to the parish in {year}.",
    "A chest of {thing} was lost in a flood in the {season} of {year}.",
    "Those who have worked with {s} speak of a {manner} temper and very cold hands.",
  ],
};

/** What is told of towns. */
const TOWN_RELATIONS: readonly Relation[] = [
  {
    name: "liesOn",
    subject: "town",
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
    descriptions: [],
  },
  {
    name: "ledBy",
    subject: "town",
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
  {
    name: "bridgedBy",
    subject: "town",
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
    questions: [
      "Who designed the stone bridge at {s}?",
      "Who drew the plans for the stone bridge at {s}?",
    ],
    descriptions: [
      "the designer of the stone bridge at {s}",
      "the person who designed the stone bridge at {s}",
    ],
  },
  {
    name: "marketsAt",
    subject: "town",
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
    questions: [
      "In which town do the people of {s} go to market?",
      "Which is the market town for {s}?",
    ],
    descriptions: [
      "the market town for {s}",
      "the town where the people of {s} go to market",
    ],
  },
  {
    name: "celebrates",
    subject: "town",
    object: "festival",
    years: [0, 86],
    statements: [
      "The great festival of {s} is called {o}.",
      "Every autumn {s} celebrates {o} with lanterns.",
      "Since {year} {s} has celebrated a festival called {o}.",
      "{s} is known for its festival, {o}, which lasts nine days.",
      "The whole of {s} shuts its doors for {o}, the festival of the town.",
    ],
    questions: [
      "What is the name of the festival of {s}?",
      "Which festival does {s} celebrate?",
    ],
    descriptions: [],
  },
];

/** What surrounds it. */
const TOWN_PADDING: Padding = {
  years: [36, 60],
  openings: [
    "{s} is a {manner} town of some four thousand people.",
    "{s} is an old town with walls of {material}.",
    "The town of {s} is known to the outside world for its {thing}.",
    "{s} grew up around a trade in {material}.",
    "Nothing in {s} is taller than the grain store.",
    "{s} was a village until {year}, when it received its charter.",
    "A {manner} place even in {season}, {s} has no railway.",
    "{s} keeps to itself, and its {thing} are famous all the same.",
  ],
  remarks: [
    "The roofs of {s} are of {material}, by an old rule of the council.",
    "In {season} half the windows of {s} are hung with {thing}.",
    "A flood in {year} left its mark on every {material} door.",
    "{s} has one inn, two bakers, and a society for {subject}.",
    "The schoolhouse was paid for by the sale of {thing}.",
    "A {trade} is said to haunt the lane behind the church.",
    "The clock in {s} has been slow since {year}.",
    "Painters come to {s} in {season} for the {manner} light.",
    "The library of {s} holds a great deal on {subject} and little else.",
    "A {material} statue of an unknown {trade} stands by the well.",
    "Nobody in {s} locks a door before the first frost.",
    "The {season} play was given up in {year} for want of {thing}.",
    "Its cellars are dry enough to keep {material} for a lifetime.",
    "The air of {s} is thought to be good for students of {subject}.",
    "The oldest house in {s} belonged to a {trade} with eleven children.",
    "Carts of {thing} pass through {s} on the way to the coast.",
  ],
};

/**
 * Every relation of the world, by the kind that it is told of.
 *
 * No two statements of a world contradict each other, and each is the only one from which its question is answered, read as
 * plain English. What else could contradict a relation or answer for it, and what keeps that out:
 *
 * | relation | one subject, one object | what else would speak of it | what keeps it out |
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
 * A person, firm or town is the subject of a relation in its own paragraph only, and no relation is another read backwards.
 * The dates stand with {@linkcode ROLES}.
 */
export const RELATIONS: Readonly<Record<EntityKind, readonly Relation[]>> = {
  person: PERSON_RELATIONS,
  firm: FIRM_RELATIONS,
  town: TOWN_RELATIONS,
};

/** The year from which the texts look back: none of their years is later, and everybody they speak of is alive. */
export const PRESENT = 1938;

/** What those of a role have in common. */
interface RoleTraits {
  readonly kind: EntityKind;
  /** How many of them a district has. */
  readonly count: number;
  /** Relations between two of a kind lead one rank up, to 0: so none goes in a circle, and pupils have older teachers. */
  readonly rank: number;
  /** The years in which they were born or founded, from and to; of towns, the year in which their records begin. */
  readonly began: readonly [number, number];
}

/**
 * The roles of a district, in the order of its entities.
 *
 * With the years of the relations, which count from the beginning of their subject, these spans leave no room for an
 * impossible date, whoever is drawn:
 *
 * | deed | years | who takes part |
 * | --- | --- | --- |
 * | a firm is founded | 1888 to 1900 | by a founder of 26 to 46 |
 * | a manager or mayor is apprenticed, at 14 to 18 | 1888 to 1904 | to a founder of 26 to 50 |
 * | a worker is apprenticed, at 14 to 18 | 1910 to 1924 | to a manager or mayor of 24 to 50 |
 * | a mayor or worker, aged 26 to 31, is employed | 1900 to 1937 | by a firm founded by then |
 * | a firm is supplied, 12 to 36 years after its founding | 1900 to 1936 | by a firm founded by then |
 * | a firm is managed, 33 to 37 years after its founding | 1921 to 1937 | by a manager of 35 to 63 |
 * | a bridge is designed | 1910 to 1920 | by a founder of 48 to 66, or a manager or mayor of 24 to 46 |
 * | a town receives its charter | 1886 to 1910 | before any mayor |
 * | a mayor is elected | 1922 to 1937 | at 36 to 63 |
 * | a home, a book, an aside about a person | 1878 to 1937 | at 24 to 31 |
 *
 * In {@linkcode PRESENT} the oldest are 84.
 */
export const ROLES: Readonly<Record<Role, RoleTraits>> = {
  market: { kind: "town", count: 1, rank: 0, began: [1850, 1850] },
  borough: { kind: "town", count: 1, rank: 1, began: [1850, 1850] },
  parish: { kind: "town", count: 1, rank: 1, began: [1850, 1850] },
  source: { kind: "firm", count: 1, rank: 0, began: [1888, 1900] },
  maker: { kind: "firm", count: 1, rank: 1, began: [1888, 1900] },
  finisher: { kind: "firm", count: 1, rank: 2, began: [1888, 1900] },
  founder: { kind: "person", count: 3, rank: 0, began: [1854, 1862] },
  manager: { kind: "person", count: 2, rank: 1, began: [1874, 1886] },
  mayor: { kind: "person", count: 2, rank: 1, began: [1874, 1886] },
  worker: { kind: "person", count: 2, rank: 2, began: [1896, 1906] },
};

const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** Lists the roles that the object of a relation can have, where its subject has a given one; none where it is not told. */
export function objectRoles(relation: Relation, role: Role): Role[] {
  if (ROLES[role].kind !== relation.subject || isSettled(relation.name, role)) return [];
  return candidateRoles(relation, role);
}

function candidateRoles(relation: Relation, role: Role): Role[] {
  const named = relation.objectRoles ?? ROLE_NAMES.filter((other) => ROLES[other].kind === relation.object);
  if (relation.subject !== relation.object) return [...named];
  return named.filter((other) => ROLES[other].rank === ROLES[role].rank - 1);
}

/** Tells whether a relation of those in a role is told by another relation, whose object they are. */
function isSettled(name: string, role: Role): boolean {
  return Object.values(RELATIONS).flat().some((other) =>
    other.settles === name &&
    ROLE_NAMES.some((subject) => ROLES[subject].kind === other.subject && candidateRoles(other, subject).includes(role))
  );
}

/** The sentences that state no relation. */
export const PADDING: Readonly<Record<EntityKind, Padding>> = {
  person: PERSON_PADDING,
  firm: FIRM_PADDING,
  town: TOWN_PADDING,
};

/** Words for the slots of {@linkcode PADDING}. */
export const SLOT_WORDS: Readonly<Record<string, readonly string[]>> = {
  trade:
    "bookbinder carver cooper dyer ferryman gardener glazier locksmith miller potter printer ropemaker saddler surveyor tailor thatcher tinsmith watchmaker"
      .split(" "),
  manner: "blunt careful cheerful curious modest patient quiet restless slow solemn stubborn thrifty"
    .split(" "),
  subject: [
    ..."astronomy beekeeping chess fencing geometry grammar heraldry mosses music weather"
      .split(" "),
    "old maps",
    "the tides",
    "the history of roads",
    "pressed flowers",
  ],
  thing: [
    ..."baskets bells brushes buttons candles combs kettles ladders lanterns mirrors needles ribbons saddles spoons stoves whistles"
      .split(" "),
    "writing desks",
    "weather vanes",
  ],
  material: "birch brass clay copper flax granite leather linen maple pewter slate tin walnut willow"
    .split(" "),
  season: "spring summer autumn winter".split(" "),
};

/** Puts words into the slots of a phrasing. */
export function fillSlots(
  phrasing: string,
  wordFor: (slot: string) => string,
): string {
  return phrasing.replace(/\{(\w+)\}/g, (_, slot: string) => wordFor(slot));
}

/** The kinds of entity that have a paragraph each. */
export type EntityKind = "person" | "firm" | "town";

/** What an entity is in its district: it decides what is told of it, and what others can say of it. */
export type Role =
  | "market"
  | "borough"
  | "parish"
  | "source"
  | "maker"
  | "finisher"
  | "founder"
  | "manager"
  | "mayor"
  | "worker";

/**
 * One relation between two named things, and the ways to word it.
 *
 * `{s}` stands for the one that the paragraph is about, `{o}` for the other, `{year}` for a year.
 */
export interface Relation {
  readonly name: string;
  readonly subject: EntityKind;
  readonly object: NameKind;
  /** The roles that its object can have; any of its kind unless given. */
  readonly objectRoles?: readonly Role[];
  /** Whether each object has one subject only: nobody manages two firms. */
  readonly isOffice?: boolean;
  /** The relation of its object that it tells too, as a mayor lives in the town: the object's own paragraph leaves it out. */
  readonly settles?: string;
  /** How many years after its subject began it holds, from and to. */
  readonly years: readonly [number, number];
  /** Sentences that state it. */
  readonly statements: readonly string[];
  /** Questions for the object. */
  readonly questions: readonly string[];
  /** Words that stand for the object in a further question; none where the object has no paragraph. */
  readonly descriptions: readonly string[];
}

/** The sentences of a paragraph that state no relation. */
interface Padding {
  /** How many years after its entity began a sentence can speak of, from and to. */
  readonly years: readonly [number, number];
  /** Openings of a paragraph. */
  readonly openings: readonly string[];
  /** What can be said of anything of this kind. */
  readonly remarks: readonly string[];
}
