import { type Audit, lastPlace, longest, only, SENTENCE, type Solution, unsolvable } from "./_solution.ts";
import { BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";

/** A sentence of a story, word by word without its full stop. */
type Words = readonly string[];

const NAMES = new Set(["Bill", "Daniel", "Fred", "Jeff", "John", "Mary", "Sandra"]);
const ROOMS = new Set(["bathroom", "bedroom", "garden", "hallway", "kitchen", "office"]);
const THINGS = new Set(["apple", "football", "milk"]);
const HANDS = ["got", "took", "grabbed", "picked up"];
const FLOOR = ["dropped", "discarded", "left", "put down"];
const LEGS = ["moved", "went", "went back", "journeyed", "travelled"];
const GIFTS = ["gave", "handed", "passed"];
const TURNED: Readonly<Record<string, string>> = { north: "south", south: "north", east: "west", west: "east" };

/** Solves a prompt of BABILong: plays the story in its context from the first sentence to the last, and looks. */
function solve(prompt: string): Solution {
  const from = lastPlace(prompt, "<context>\n") + "<context>\n".length;
  const to = lastPlace(prompt, "\n</context>\n\nQuestion: ");
  const question = only(prompt.slice(to).match(/(?<=Question: )[^?]+\?/g) ?? [], "question");
  const sentences = prompt.slice(from, to).split(/(?<=[.!?]["”’)]*) /).map((text) =>
    text.replace(/\.$/, "").split(" ")
  );
  const story = sentences.filter(isOfStory);
  const answer = answerOf(question.slice(0, -1).split(" "), story);
  return { answers: [answer, question], context: [from, to], planted: story.length, unit: longest([SENTENCE.en]) };
}

function isOfStory(words: Words): boolean {
  const [first = "", last = ""] = [words[0], words.at(-1)];
  if (first === "The") return words.length === 7 && ROOMS.has(words[1]!) && words[2] === "is" && ROOMS.has(last);
  return NAMES.has(first) && words.length <= 8 && words.some((word) => ROOMS.has(word) || THINGS.has(word)) &&
    [HANDS, FLOOR, LEGS, GIFTS].flat().some((verb) => words.slice(1).join(" ").startsWith(`${verb} `));
}

function answerOf(asked: Words, story: readonly Words[]): string {
  if (asked.includes("of")) return neighbour(asked, story);
  if (asked[0] !== "Where") return gift(asked, story);
  const last = asked.at(-1)!;
  if (asked[1] === "was") {
    const rooms = play(story, asked[3]!);
    if (rooms.at(-1) !== last) throw unsolvable(`the ${asked[3]} must end in the ${last}`);
    return known(rooms.at(-2), "the room before");
  }
  if (!NAMES.has(last)) return known(play(story, last).at(-1), "the room");
  return known(story.findLast((words) => words[0] === last && ROOMS.has(words.at(-1)!))?.at(-1), "the person's room");
}

function known(value: string | undefined, what: string): string {
  if (value === undefined) throw unsolvable(`${what} must be in the story`);
  return value;
}

/** Plays a story and gives the rooms of a thing that are known, one after the other. */
function play(story: readonly Words[], thing: string): readonly string[] {
  const rooms: Record<string, string> = {};
  let lies: string | undefined;
  let carrier: string | undefined;
  const seen: string[] = [];
  for (const words of story) {
    const person = words[0]!;
    if (ROOMS.has(words.at(-1)!)) rooms[person] = words.at(-1)!;
    else if (words.includes(thing)) {
      carrier = FLOOR.some((verb) => words.slice(1).join(" ").startsWith(verb)) ? undefined : person;
      lies = rooms[person];
    }
    const room = carrier === undefined ? lies : rooms[carrier];
    if (room !== undefined && seen.at(-1) !== room) seen.push(room);
  }
  return seen;
}

function neighbour(asked: Words, story: readonly Words[]): string {
  const isLast = asked.at(-1) === "of";
  const room = isLast ? asked[3]! : asked.at(-1)!;
  const side = isLast ? TURNED[asked[4]!]! : asked[2]!;
  const found = story.flatMap((words) => {
    const [one = "", direction = "", other = ""] = [words[1], words[3], words[6]];
    if (other === room && direction === side) return [one];
    return one === room && TURNED[direction] === side ? [other] : [];
  });
  return only(found, `neighbour ${side} of the ${room}`);
}

function gift(asked: Words, story: readonly Words[]): string {
  const asks = asked.join(" ");
  const [name, other] = asked.filter((word) => NAMES.has(word));
  const wanted = asked.find((word) => THINGS.has(word));
  const last = story.findLast(([giver, verb, , thing, , taker]) => {
    if (!GIFTS.includes(verb!) || wanted !== undefined && thing !== wanted) return false;
    if (asks.startsWith("What did")) return giver === name && taker === other;
    if (asks.startsWith("Who did")) return giver === name;
    return asks.includes(" to ") ? taker === name : true;
  });
  const [giver, , , thing, , taker] = last ?? [];
  if (asks.startsWith("What did")) return known(thing, "the thing");
  return known(asks.startsWith("Who gave") ? giver : taker, "the person");
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve,
  further: [
    ...BABILONG_TASKS.tasks.map((name) => BABILONG_TASKS.task(name, { haystack: "none", postPrompt: "off" })),
    ...(["babilong_qa1", "babilong_qa2", "babilong_qa3", "babilong_qa5"] as const).flatMap((name) => [
      BABILONG_TASKS.task(name, { facts: 3, instruction: "off", examples: "off", postPrompt: "off" }),
      BABILONG_TASKS.task(name, { facts: 120 }),
    ]),
  ],
  traits: ({ haystack }) => ({ isFilled: haystack !== "none", isSpread: false }),
};
