import {
  followObject,
  GIFT_ANSWERS,
  OPPOSITES,
  PLACES,
  type ReadSentence,
  readSentence,
  STORY_SENTENCE,
  type StoryEvent,
} from "./story.ts";
import { CLOSING, OPENING } from "./wording.ts";
import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { pick } from "@/lib/random/mod.ts";

/** Reads BABILong: follows the story in the context, and answers in the form that the prompt's examples have. */
export const BABILONG_READER: TaskReader = {
  name: "babilong",
  recognise(prompt): Reading | null {
    const end = prompt.lastIndexOf(CLOSING);
    const start = prompt.lastIndexOf(OPENING, end);
    if (end < 0 || start < 0) return null;
    const question = /^[^?\n]*\?/.exec(prompt.slice(end + CLOSING.length))?.[0] ?? "";
    const form = FORMS.find(({ asks }) => asks.test(question));
    if (form === undefined) return null;
    const read = Array.from(
      prompt.slice(start, end).matchAll(new RegExp(STORY_SENTENCE, "g")),
      (match) => ({ ...readSentence(match), depth: (start + match.index) / prompt.length }),
    );
    const words = form.asks.exec(question)!.groups ?? {};
    const answer = form.find(read, words);
    const values = form.values ?? PLACES;
    const others = values.filter((value) => value !== answer?.value);
    return {
      category: (answer?.links ?? 1) > 1 ? "multi-hop tracing" : "retrieval",
      wanted: answer === null ? [] : [answer],
      rivals: read.map(rivalOf).filter(({ value }) => others.includes(value)),
      example: [],
      isUnsolved: answer === null,
      invent: (draw) => pick(draw, others),
      write: ([value]) => value === undefined ? "" : form.write(value, words),
    };
  },
};

type Placed = ReadSentence & { readonly depth: number };

/** The words of a question that differ, by the name of their group. */
type Words = Readonly<Record<string, string>>;

/** A form of questions. */
interface Form {
  readonly asks: RegExp;
  /** The possible answers; places by default. */
  readonly values?: readonly string[];
  readonly find: (read: readonly Placed[], words: Words) => Finding | null;
  readonly write: (answer: string, words: Words) => string;
}

/** The forms of questions about gifts, and the part of the gift that each asks for. */
const GIFTS = [
  [/^What did (?<person>\w+) give to (?<receiver>\w+)\?/, "thing"],
  [/^Who gave the (?<thing>\w+) to (?<receiver>\w+)\?/, "person"],
  [/^Who did (?<person>\w+) give the (?<thing>\w+) to\?/, "receiver"],
  [/^Who gave the (?<thing>\w+)\?/, "person"],
  [/^Who received the (?<thing>\w+)\?/, "receiver"],
] as const;

const FORMS: readonly Form[] = [
  {
    asks: /^Where is (?<person>[A-Z]\w+)\?/,
    find: (read, { person = "" }) => findLast(read, { action: "move", person }, "thing"),
    write: (answer, { person }) => `The most recent location of ${person} is ${answer}.`,
  },
  {
    asks: /^Where is the (?<thing>\w+)\?/,
    find: (read, { thing = "" }) => findPlace(read, thing, (places) => places.at(-1)),
    write: (answer, { thing }) => `The ${thing} is in the ${answer}.`,
  },
  {
    asks: /^Where was the (?<thing>\w+) before the (?<place>\w+)\?/,
    find: (read, { thing = "", place }) =>
      findPlace(read, thing, (places) => places[places.findLastIndex((each) => each.place === place) - 1], 1),
    write: (answer, { thing, place }) => `Before the ${place} the ${thing} was in the ${answer}.`,
  },
  ...[
    /^What is (?<direction>north|south|east|west) of the (?<place>\w+)\?/,
    /^What is the (?<place>\w+) (?<opposite>north|south|east|west) of\?/,
  ].map((asks): Form => ({ asks, find: findNeighbour, write: (answer) => answer })),
  ...GIFTS.map(([asks, part]): Form => ({
    asks,
    values: GIFT_ANSWERS,
    find: (read, words) => findLast(read, { action: "give", ...words }, part),
    write: (answer) => answer,
  })),
];

/** Finds the last event with some parts, and returns another part of it. */
function findLast(
  read: readonly Placed[],
  parts: Partial<StoryEvent>,
  asked: "thing" | "person" | "receiver",
): Finding | null {
  const isIt = (each: Placed): boolean =>
    "event" in each &&
    Object.entries(parts).every(([part, value]) => each.event[part as keyof StoryEvent] === value);
  const found = read.findLast(isIt);
  if (found === undefined || !("event" in found)) return null;
  return { key: parts.person ?? parts.thing ?? "", value: found.event[asked]!, depth: found.depth };
}

/** Finds one of the places that an object was in; `more`: the sentences needed besides its own two. */
function findPlace(
  read: readonly Placed[],
  thing: string,
  choose: (
    places: ReturnType<typeof followObject>["places"],
  ) => { place: string; needed: readonly number[] } | undefined,
  more = 0,
): Finding | null {
  const sentences = read.filter((each) => "event" in each);
  const chosen = choose(followObject(sentences.map(({ event }) => event), thing).places);
  if (chosen === undefined) return null;
  const { place, needed } = chosen;
  return { key: thing, value: place, depth: sentences[needed[0]!]!.depth, links: needed.length + more };
}

/** Finds the neighbour of a place in a direction. */
function findNeighbour(read: readonly Placed[], { place = "", direction, opposite = "" }: Words): Finding | null {
  const toward = direction ?? OPPOSITES[opposite];
  for (const each of read) {
    if ("event" in each) continue;
    const { from, to, depth } = each;
    if (to === place && each.direction === toward) return { key: place, value: from, depth };
    if (from === place && OPPOSITES[each.direction] === toward) return { key: place, value: to, depth };
  }
  return null;
}

/** The thing of a sentence that could be mistaken for the answer. */
function rivalOf(each: Placed): Finding {
  if (!("event" in each)) return { key: each.to, value: each.from, depth: each.depth };
  const { person, thing, receiver } = each.event;
  return { key: person, value: receiver ?? thing, depth: each.depth };
}
