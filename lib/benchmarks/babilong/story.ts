import { sum } from "@/lib/base/mod.ts";
import { type Draw, integer, pick, shuffle } from "@/lib/random/mod.ts";

/** The tasks of BABILong that its authors report: one, two and three supporting facts, relations of two and of three things. */
export const STORY_KINDS = ["qa1", "qa2", "qa3", "qa4", "qa5"] as const;

/** A task of {@linkcode STORY_KINDS}. */
export type StoryKind = typeof STORY_KINDS[number];

/** The places of a story. */
export const PLACES: readonly string[] = ["bathroom", "bedroom", "garden", "hallway", "kitchen", "office"];
const OBJECTS: readonly string[] = ["apple", "football", "milk"];
const MOVERS: readonly string[] = ["Daniel", "John", "Mary", "Sandra"];
const GIVERS: readonly string[] = ["Bill", "Fred", "Jeff", "Mary"];

/** The answers to questions about gifts. */
export const GIFT_ANSWERS: readonly string[] = [...GIVERS, ...OBJECTS];

/** The verbs of bAbI 1.2, which BABILong is made of; the code that Facebook published later has others. */
const VERBS = {
  move: ["moved", "went", "went back", "journeyed", "travelled"],
  take: ["got", "took", "grabbed", "picked up"],
  drop: ["dropped", "discarded", "left", "put down"],
  give: ["gave", "handed", "passed"],
} as const;

type Action = keyof typeof VERBS;

/** Something that happens in a story. */
interface StoryEvent {
  readonly action: Action;
  readonly person: string;
  /** The place of a move, otherwise the object. */
  readonly thing: string;
  readonly receiver?: string;
}

/** A sentence of a story. */
export interface StoryFact {
  readonly text: string;
  readonly key: string;
  readonly value: string;
  /** Whether the answer follows from it. */
  readonly isNeeded: boolean;
}

/** A story in its order, with a question. */
export interface Story {
  readonly facts: readonly StoryFact[];
  readonly question: string;
  readonly answer: string;
}

/** A question about events, and the numbers of those that its answer follows from. */
interface Asked extends Pick<Story, "question" | "answer"> {
  readonly needed: readonly number[];
}

/** The fewest sentences from which a question of each kind can be answered. */
export const LEAST_FACTS: Readonly<Record<StoryKind, number>> = { qa1: 1, qa2: 2, qa3: 3, qa4: 2, qa5: 2 };

/**
 * Draws a story and a question about its end, by the rules of bAbI's generator (facebookarchive/bAbI-tasks at ccd8fd6):
 * people move, take, drop and give, as their places allow, and the answer follows from one, two or three sentences.
 *
 * Where everybody and everything is at the start is drawn and not stated, so each answer is equally likely. A story in which
 * no question of its kind can be asked is drawn again.
 *
 * @param facts The number of sentences, at least {@linkcode LEAST_FACTS}; 2 in qa4.
 */
export function drawStory(kind: StoryKind, draw: Draw, facts: number): Story {
  if (kind === "qa4") return drawDirections(draw);
  let events: readonly StoryEvent[];
  let asked: Asked | null;
  do {
    events = simulate(kind, draw, facts);
    asked = ASKERS[kind](events, draw);
  } while (asked === null);
  const { question, answer, needed } = asked;
  return {
    question,
    answer,
    facts: events.map((event, number) => ({
      ...(kind === "qa5" && needed.includes(number) ? { key: question, value: answer } : keyOf(event)),
      text: writeEvent(event, draw),
      isNeeded: needed.includes(number),
    })),
  };
}

/** The questions of a bAbI story; BABILong asks one, of the sentences before it. */
const QUESTIONS_OF_STORY = 5;

/** The sentences before each question of a bAbI story, from the fewest to the most. */
const SENTENCES: Readonly<Record<StoryKind, readonly [low: number, high: number]>> = {
  qa1: [2, 2],
  qa2: [2, 9],
  qa3: [4, 32],
  qa4: [2, 2],
  qa5: [2, 10],
};

/**
 * Draws the number of sentences of a story: those before one of five questions, each after some more.
 *
 * The fewest, and all of qa1 and qa4, are those of Table 1 of the paper. Its greatest (68, 320 and 126 in qa2, qa3 and qa5) are not
 * reached, but as in the authors' data, where 137 of 999 stories of qa3 have more than the 87 sentences that 1,000 tokens allow,
 * one in seven has that many.
 *
 * @param most The most sentences; a greater number is drawn again.
 */
export function drawLength(kind: StoryKind, draw: Draw, most: number): number {
  const [low, high] = SENTENCES[kind];
  if (kind === "qa4") return low;
  let sentences: number;
  do {
    const sections = integer(draw, { low: 1, high: QUESTIONS_OF_STORY });
    sentences = sum(Array.from({ length: sections }, () => integer(draw, { low, high })));
  } while (sentences > most);
  return sentences;
}

/** The actions that a step is drawn from; handling is to take or to drop. */
const STEPS: Readonly<Record<Exclude<StoryKind, "qa4">, readonly ("move" | "handle" | "give")[]>> = {
  qa1: ["move"],
  qa2: ["move", "handle", "handle"],
  qa3: ["move", "handle", "handle"],
  qa5: ["move", "handle", "give"],
};

function simulate(kind: Exclude<StoryKind, "qa4">, draw: Draw, count: number): readonly StoryEvent[] {
  const people = kind === "qa5" ? GIVERS : MOVERS;
  // An object is in a place or with a person.
  const places = new Map([...people, ...OBJECTS].map((name) => [name, pick(draw, PLACES)]));
  const events: StoryEvent[] = [];
  while (events.length < count) {
    const possible = possibleEvents(pick(draw, STEPS[kind]), { people, places });
    if (possible.length === 0) continue;
    const event = pick(draw, possible);
    const { action, person, thing, receiver } = event;
    if (action === "move") places.set(person, thing);
    else places.set(thing, receiver ?? (action === "take" ? person : places.get(person)!));
    events.push(event);
  }
  return events;
}

function possibleEvents(
  step: "move" | "handle" | "give",
  { people, places }: { readonly people: readonly string[]; readonly places: ReadonlyMap<string, string> },
): readonly StoryEvent[] {
  return people.flatMap((person): readonly StoryEvent[] => {
    const here = places.get(person);
    if (step === "move") {
      return PLACES.filter((place) => place !== here).map((thing) => ({ action: "move", person, thing }));
    }
    const held = OBJECTS.filter((object) => places.get(object) === person);
    if (step === "give") {
      const others = people.filter((other) => other !== person && places.get(other) === here);
      return held.flatMap((thing) => others.map((receiver) => ({ action: "give", person, thing, receiver })));
    }
    const near = OBJECTS.filter((object) => places.get(object) === here);
    return [
      ...held.map((thing) => ({ action: "drop", person, thing } as const)),
      ...near.map((thing) => ({ action: "take", person, thing } as const)),
    ];
  });
}

function writeEvent({ action, person, thing, receiver }: StoryEvent, draw: Draw): string {
  const start = `${person} ${pick(draw, VERBS[action])}`;
  if (action === "move") return `${start} to the ${thing}.`;
  if (receiver !== undefined) return `${start} the ${thing} to ${receiver}.`;
  return `${start} the ${thing}${draw() < 0.5 ? " there" : ""}.`;
}

function keyOf({ action, person, thing, receiver }: StoryEvent): Pick<StoryFact, "key" | "value"> {
  return action === "move" ? { key: person, value: thing } : { key: thing, value: receiver ?? person };
}

const ASKERS: Readonly<
  Record<Exclude<StoryKind, "qa4">, (events: readonly StoryEvent[], draw: Draw) => Asked | null>
> = {
  qa1(events, draw): Asked {
    const { person } = pick(draw, events);
    const last = lastMove(events, person);
    return { question: `Where is ${person}?`, answer: events[last]!.thing, needed: [last] };
  },
  qa2(events, draw): Asked | null {
    const found = OBJECTS.flatMap((object) => {
      const { known } = followObject(events, object);
      return known === null ? [] : [{ ...known, question: `Where is the ${object}?`, answer: known.place }];
    });
    return found.length === 0 ? null : pick(draw, found);
  },
  qa3(events, draw): Asked | null {
    const found = OBJECTS.flatMap((object): readonly Asked[] => {
      const [before, last] = followObject(events, object).places.slice(-2);
      if (before === undefined || last === undefined) return [];
      const needed = [...new Set([...before.needed, ...last.needed])];
      // As many as the task is called after: one person took it and went to both places.
      if (needed.length !== 3) return [];
      return [{ question: `Where was the ${object} before the ${last.place}?`, answer: before.place, needed }];
    });
    return found.length === 0 ? null : pick(draw, found);
  },
  qa5(events, draw): Asked | null {
    const gifts = events.flatMap((event, number) => {
      const isLast = events.slice(number + 1).every((later) =>
        later.action !== "give" ||
        later.thing !== event.thing && !(later.person === event.person && later.receiver === event.receiver)
      );
      return event.action === "give" && isLast ? [{ ...event, number }] : [];
    });
    if (gifts.length === 0) return null;
    const { person, thing, receiver = "", number } = pick(draw, gifts);
    const [question, answer] = pick(
      draw,
      [
        [`What did ${person} give to ${receiver}?`, thing],
        [`Who gave the ${thing} to ${receiver}?`, person],
        [`Who did ${person} give the ${thing} to?`, receiver],
        [`Who gave the ${thing}?`, person],
        [`Who received the ${thing}?`, receiver],
      ] as const,
    );
    return { question, answer, needed: [number] };
  },
};

/** Finds a person's last move; -1 if there is none. */
function lastMove(events: readonly StoryEvent[], person: string): number {
  return events.findLastIndex((event) => event.action === "move" && event.person === person);
}

/** A place that an object was in, and the sentences that state it. */
interface KnownPlace {
  readonly place: string;
  readonly needed: readonly number[];
}

/**
 * Follows an object through a story, as bAbI's `Knowledge` does: it is where the person who has it last moved to, or where it
 * was dropped. Returns the places that it was in one after the other, and where it is at the end; `null` if that is not stated.
 */
function followObject(
  events: readonly StoryEvent[],
  object: string,
): { readonly places: readonly KnownPlace[]; readonly known: KnownPlace | null } {
  const moves = new Map<string, number>();
  const places: KnownPlace[] = [];
  let holder: { readonly person: string; readonly since: number } | null = null;
  let known: KnownPlace | null = null;
  for (const [number, { action, person, thing, receiver }] of events.entries()) {
    if (action === "move") moves.set(person, number);
    else if (thing === object) holder = action === "drop" ? null : { person: receiver ?? person, since: number };
    const owner: string = holder?.person ?? person;
    const concerns = thing === object || action === "move" && holder?.person === person;
    if (!concerns) continue;
    const move = moves.get(owner);
    known = move === undefined
      ? null
      : { place: events[move]!.thing, needed: [move, holder?.since ?? number].toSorted((left, right) => left - right) };
    if (known !== null && known.place !== places.at(-1)?.place) places.push(known);
  }
  return { places, known };
}

/** Each direction with its opposite. */
const OPPOSITES: Readonly<Record<string, string>> = {
  north: "south",
  south: "north",
  east: "west",
  west: "east",
};

/** Three places in a row, two sentences, and a question about the neighbours of the middle one. */
function drawDirections(draw: Draw): Story {
  const [first = "", middle = "", last = ""] = shuffle(draw, PLACES);
  const direction = pick(draw, Object.keys(OPPOSITES));
  const asksFirst = draw() < 0.5;
  const answer = asksFirst ? first : last;
  const toward = asksFirst ? direction : OPPOSITES[direction]!;
  const question = draw() < 0.5
    ? `What is ${toward} of the ${middle}?`
    : `What is the ${middle} ${OPPOSITES[toward]} of?`;
  const facts = [[first, middle], [middle, last]].map(([from, to], number): StoryFact => {
    const text = draw() < 0.5
      ? `The ${from} is ${direction} of the ${to}.`
      : `The ${to} is ${OPPOSITES[direction]} of the ${from}.`;
    return { text, key: middle, value: number === 0 ? first : last, isNeeded: (number === 0) === asksFirst };
  });
  return { facts: draw() < 0.5 ? facts : facts.toReversed(), question, answer };
}

const oneOf = (words: readonly string[]): string => `(${words.join("|")})`;
const PERSON = oneOf([...new Set([...MOVERS, ...GIVERS])]);
const [PLACE, OBJECT, DIRECTION] = [PLACES, OBJECTS, Object.keys(OPPOSITES)].map(oneOf) as [string, string, string];

/** Matches every sentence of a story. */
export const STORY_SENTENCE = new RegExp(
  [
    `\\b${PERSON} (?:${oneOf(VERBS.move)} to the ${PLACE}`,
    `(?:${oneOf(VERBS.take)}|${oneOf(VERBS.drop)}) the ${OBJECT}(?: there)?`,
    `${oneOf(VERBS.give)} the ${OBJECT} to ${PERSON})\\.`,
    `\\bThe ${PLACE} is ${DIRECTION} of the ${PLACE}\\.`,
  ].join("|"),
);
