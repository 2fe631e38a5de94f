import WORDS from "./words.json" with { type: "json" };
import { sum } from "@/lib/base/mod.ts";
import { type Draw, integer, pick, shuffle } from "@/lib/random/mod.ts";

/** The tasks of BABILong that its authors report: one, two and three supporting facts, relations of two and of three things. */
export const STORY_KINDS = ["qa1", "qa2", "qa3", "qa4", "qa5"] as const;

/** A task of {@linkcode STORY_KINDS}. */
export type StoryKind = typeof STORY_KINDS[number];

/** The words of stories. The verbs are those of bAbI 1.2, which BABILong is made of; the code that Facebook published later has others. */
const { objects: OBJECTS, movers: MOVERS, givers: GIVERS, verbs: VERBS } = WORDS;

/** The places of a story. */
export const PLACES: readonly string[] = WORDS.places;

/** The answers to questions about gifts. */
export const GIFT_ANSWERS: readonly string[] = [...GIVERS, ...OBJECTS];

/** Something that happens in a story. */
interface StoryEvent {
  readonly action: keyof typeof VERBS;
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
interface Story {
  readonly facts: readonly StoryFact[];
  readonly question: string;
  readonly answer: string;
}

/** What can be asked about a story. */
interface Askable {
  /** The ways to ask it. */
  readonly forms: readonly (readonly [question: string, answer: string])[];
  /** The numbers of the events that the answer follows from. */
  readonly needed: readonly number[];
}

/** The fewest sentences from which a question of each kind can be answered. */
export const LEAST_FACTS: Readonly<Record<StoryKind, number>> = { qa1: 1, qa2: 2, qa3: 3, qa4: 2, qa5: 2 };

/** How the stories of a kind are drawn; those of qa4 are two sentences about three places. */
interface StoryRules {
  readonly people: readonly string[];
  /** The steps that one is drawn from; handling is to take or to drop. */
  readonly steps: readonly ("move" | "handle" | "give")[];
  /** The sentences before each question of a bAbI story, from the fewest to the most. */
  readonly sentences: { readonly low: number; readonly high: number };
  readonly ask: (events: readonly StoryEvent[]) => readonly Askable[];
}

const RULES: Readonly<Record<Exclude<StoryKind, "qa4">, StoryRules>> = {
  qa1: { people: MOVERS, steps: ["move"], sentences: { low: 2, high: 2 }, ask: askPeople },
  qa2: { people: MOVERS, steps: ["move", "handle", "handle"], sentences: { low: 2, high: 9 }, ask: askObjects },
  qa3: { people: MOVERS, steps: ["move", "handle", "handle"], sentences: { low: 4, high: 32 }, ask: askMoved },
  qa5: { people: GIVERS, steps: ["move", "handle", "give"], sentences: { low: 2, high: 10 }, ask: askGifts },
};

/**
 * Draws a story and a question about its end, by the rules of bAbI's generator (facebookarchive/bAbI-tasks at ccd8fd6):
 * people move, take, drop and give, as their places allow, and the answer follows from one, two or three sentences.
 *
 * Where everybody and everything is at the start is drawn and not stated, so each answer is equally likely. A story in which
 * no question of its kind can be asked is drawn again.
 *
 * @param count The number of sentences, at least {@linkcode LEAST_FACTS}; 2 in qa4.
 */
export function drawStory(kind: StoryKind, draw: Draw, count: number): Story {
  if (kind === "qa4") return drawDirections(draw);
  let events: readonly StoryEvent[] = [];
  let askable: readonly Askable[] = [];
  while (askable.length === 0) {
    events = simulate(RULES[kind], draw, count);
    askable = RULES[kind].ask(events);
  }
  const { forms, needed } = pick(draw, askable);
  const [question, answer] = forms.length === 1 ? forms[0]! : pick(draw, forms);
  const facts = events.map((event, number): StoryFact => {
    const { action, person, thing, receiver = person } = event;
    const isNeeded = needed.includes(number);
    const own = action === "move" ? [person, thing] as const : [thing, receiver] as const;
    const [key, value] = action === "give" && isNeeded ? [question, answer] as const : own;
    return { text: writeEvent(event, draw), key, value, isNeeded };
  });
  return { facts, question, answer };
}

/** The questions of a bAbI story; BABILong asks one, of the sentences before it. */
const QUESTIONS_OF_STORY = 5;

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
  if (kind === "qa4") return LEAST_FACTS.qa4;
  for (;;) {
    const sections = Array.from({ length: integer(draw, { low: 1, high: QUESTIONS_OF_STORY }) });
    const count = sum(sections, () => integer(draw, RULES[kind].sentences));
    if (count <= most) return count;
  }
}

function simulate({ people, steps }: StoryRules, draw: Draw, count: number): readonly StoryEvent[] {
  // An object is in a place or with a person.
  const places = new Map([...people, ...OBJECTS].map((name) => [name, pick(draw, PLACES)]));
  const events: StoryEvent[] = [];
  while (events.length < count) {
    const step = pick(draw, steps);
    const possible = people.flatMap((person) => possibleEvents(step, person, { people, places }));
    if (possible.length === 0) continue;
    const event = pick(draw, possible);
    const { action, person, thing, receiver = person } = event;
    if (action === "move") places.set(person, thing);
    else places.set(thing, action === "drop" ? places.get(person)! : receiver);
    events.push(event);
  }
  return events;
}

function possibleEvents(
  step: StoryRules["steps"][number],
  person: string,
  { people, places }: Pick<StoryRules, "people"> & { readonly places: ReadonlyMap<string, string> },
): readonly StoryEvent[] {
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
}

function writeEvent({ action, person, thing, receiver }: StoryEvent, draw: Draw): string {
  const start = `${person} ${pick(draw, VERBS[action])}`;
  if (action === "move") return `${start} to the ${thing}.`;
  if (receiver !== undefined) return `${start} the ${thing} to ${receiver}.`;
  return `${start} the ${thing}${draw() < 0.5 ? " there" : ""}.`;
}

/** Asks where people are, of stories of moves. */
function askPeople(events: readonly StoryEvent[]): readonly Askable[] {
  return events.map(({ person }) => {
    const last = events.findLastIndex((event) => event.person === person);
    return { forms: [[`Where is ${person}?`, events[last]!.thing]], needed: [last] };
  });
}

/** Asks where objects are. */
function askObjects(events: readonly StoryEvent[]): readonly Askable[] {
  return OBJECTS.flatMap((object) => {
    const known = followObject(events, object).at(-1) ?? null;
    return known === null ? [] : [{ forms: [[`Where is the ${object}?`, known.place]], needed: known.needed }];
  });
}

/** Asks where objects were before the place that they are in. */
function askMoved(events: readonly StoryEvent[]): readonly Askable[] {
  return OBJECTS.flatMap((object): readonly Askable[] => {
    const known = followObject(events, object).filter((each) => each !== null);
    const [before, last] = known.filter(({ place }, at) => place !== known[at - 1]?.place).slice(-2);
    if (before === undefined || last === undefined) return [];
    const needed = [...new Set([...before.needed, ...last.needed])];
    // As many as the task is called after: one person took it and went to both places.
    if (needed.length !== 3) return [];
    return [{ forms: [[`Where was the ${object} before the ${last.place}?`, before.place]], needed }];
  });
}

/** Asks about the last gift of an object and of two people. */
function askGifts(events: readonly StoryEvent[]): readonly Askable[] {
  return events.flatMap(({ action, person, thing, receiver = "" }, number): readonly Askable[] => {
    const isLast = events.slice(number + 1).every((later) =>
      later.action !== "give" ||
      later.thing !== thing && !(later.person === person && later.receiver === receiver)
    );
    if (action !== "give" || !isLast) return [];
    const forms = [
      [`What did ${person} give to ${receiver}?`, thing],
      [`Who gave the ${thing} to ${receiver}?`, person],
      [`Who did ${person} give the ${thing} to?`, receiver],
      [`Who gave the ${thing}?`, person],
      [`Who received the ${thing}?`, receiver],
    ] as const;
    return [{ forms, needed: [number] }];
  });
}

/** A place that an object is in, and the events that state it. */
interface KnownPlace extends Pick<Askable, "needed"> {
  readonly place: string;
}

/**
 * Follows an object through a story, as bAbI's `Knowledge` does: it is where the person who has it last moved to, or where it
 * was dropped. Returns where it is after each event that concerns it; `null` if that is not stated.
 */
function followObject(events: readonly StoryEvent[], object: string): readonly (KnownPlace | null)[] {
  const moves = new Map<string, number>();
  let holder: { readonly person: string; readonly since: number } | null = null;
  const known: (KnownPlace | null)[] = [];
  for (const [number, { action, person, thing, receiver = person }] of events.entries()) {
    if (action === "move") moves.set(person, number);
    else if (thing === object) holder = action === "drop" ? null : { person: receiver, since: number };
    const owner: string = holder?.person ?? person;
    if (thing !== object && !(action === "move" && holder?.person === person)) continue;
    const move = moves.get(owner);
    const needed = [move ?? number, holder?.since ?? number].toSorted((left, right) => left - right);
    known.push(move === undefined ? null : { place: events[move]!.thing, needed });
  }
  return known;
}

/** Each direction with its opposite. */
const OPPOSITES: Readonly<Record<string, string>> = WORDS.opposites;

/** Three places in a row, two sentences, and a question about the neighbours of the middle one. */
function drawDirections(draw: Draw): Story {
  const [first = "", middle = "", last = ""] = shuffle(draw, PLACES);
  const direction = pick(draw, Object.keys(OPPOSITES));
  const asksFirst = draw() < 0.5;
  const answer = asksFirst ? first : last;
  const toward = asksFirst ? direction : OPPOSITES[direction]!;
  const other = OPPOSITES[toward];
  const question = draw() < 0.5 ? `What is ${toward} of the ${middle}?` : `What is the ${middle} ${other} of?`;
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
