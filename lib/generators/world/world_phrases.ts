import { type EntityKind, type Relation, RELATIONS } from "./world_relations.ts";

/** The sentences of a paragraph that state no relation, for one kind of entity. */
interface Padding {
  /** Years that they mention, counted from the beginning of the entity, from and to. */
  readonly years: readonly [number, number];
  readonly openings: readonly string[];
  readonly remarks: readonly string[];
}

/** The sentences that state no relation, by kind of entity. */
export const PADDING: Readonly<Record<EntityKind, Padding>> = {
  person: {
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
  },
  firm: {
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
  },
  town: {
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
  },
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

/** A phrasing as it is written. */
export interface Phrase {
  /**
   * Numbers of pieces, and below zero slots between them: the subject in full or as one word, the object, or one of a list of
   * pieces, {@linkcode FIRST_LIST} less the first of them.
   */
  readonly parts: readonly number[];
  /** The names of the slots that differ from one use to another, so all but the subject. */
  readonly slots: readonly string[];
}

/** Slots in the parts of a phrase. */
export const [SUBJECT, SUBJECT_WORD, OBJECT, FIRST_LIST] = [-1, -2, -3, -4];

/**
 * The pieces that paragraphs are made of but for the names, each with the space before it: what stands between two slots, words
 * for slots, and years. A paragraph is a list of their numbers, so that each is counted in tokens once.
 */
export interface Pieces {
  readonly texts: readonly string[];
  /** All phrasings, each by a number below 256. */
  readonly phrases: readonly Phrase[];
  /** The phrasings of a relation with the subject in full; the number after each is the same with one word of it. */
  statements(relation: Relation): readonly number[];
  /** Those that state nothing: of openings with the subject in full, of remarks with one word of it. */
  padding(kind: EntityKind): Readonly<Record<"openings" | "remarks", readonly number[]>>;
}

/** The years that paragraphs can mention. */
export const [FIRST_YEAR, LAST_YEAR] = [1800, 2000];

/** Takes the phrasings of the world apart. */
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
  const numberOf = (text: string): number => {
    const known = fixed.get(text) ?? texts.push(text) - 1;
    fixed.set(text, known);
    return known;
  };
  const phrases: Phrase[] = [];
  const add = (phrasing: string, subject: number): number => {
    const slots: string[] = [];
    // The space before a slot is part of what fills it.
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
  const kinds = Object.keys(PADDING) as EntityKind[];
  const padding = new Map(kinds.map((kind) => {
    const { openings, remarks } = PADDING[kind];
    return [kind, {
      openings: openings.map((phrasing) => add(phrasing, SUBJECT)),
      remarks: remarks.map((phrasing) => add(phrasing, SUBJECT_WORD)),
    }];
  }));
  return { texts, phrases, statements: (relation) => statements.get(relation)!, padding: (kind) => padding.get(kind)! };
}
