import type { Padding, Relation } from "./_world_phrasing.ts";

/** What is told of firms. */
export const FIRM_RELATIONS: readonly Relation[] = [
  {
    name: "foundedBy",
    subject: "firm",
    object: "person",
    years: [0, 0],
    statements: [
      "{s} was founded by {o}.",
      "{o} founded {s} in {year} with borrowed money.",
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
    years: [31, 52],
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
    years: [12, 40],
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
export const FIRM_PADDING: Padding = {
  openings: [
    "{s} is a {manner} firm that deals in {thing}.",
    "{s} is one of the older makers of {thing}.",
    "Among makers of {thing}, {s} has a name for {material} that does not crack.",
    "{s} makes {thing} for customers who can wait.",
    "For three generations {s} has turned {material} into {thing}.",
    "{s} is a family firm of some forty hands.",
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
