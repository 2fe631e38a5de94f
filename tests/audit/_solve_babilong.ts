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
export function solveBabilong(prompt: string): Solution {
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
  const [what, verb] = asked;
  if (asked.at(-1) === "of" || asked.includes("of")) return neighbour(asked, story);
  if (what === "Where") {
    const [name] = asked.slice(2);
    if (verb === "was") return wasBefore(asked[3]!, asked.at(-1)!, story);
    const person = NAMES.has(name!) ? name : undefined;
    return person === undefined ? play(story, asked.at(-1)!).at(-1)!.room : lastRoom(person, story);
  }
  return gift(asked, story);
}

function lastRoom(person: string, story: readonly Words[]): string {
  const last = story.findLast((words) => words[0] === person && ROOMS.has(words.at(-1)!));
  if (last === undefined) throw unsolvable(`${person} must go somewhere`);
  return last.at(-1)!;
}

/** Plays a story and gives the rooms of a thing that are known, one after the other, with the sentence that changed it. */
function play(story: readonly Words[], thing: string): { readonly room: string; readonly at: number }[] {
  const rooms: Record<string, string> = {};
  let lies: string | undefined;
  let carrier: string | undefined;
  const seen: { room: string; at: number }[] = [];
  for (const [at, words] of story.entries()) {
    const person = words[0]!;
    const rest = words.slice(1).join(" ");
    if (ROOMS.has(words.at(-1)!)) rooms[person] = words.at(-1)!;
    else if (words.includes(thing)) {
      carrier = FLOOR.some((verb) => rest.startsWith(verb)) ? undefined : person;
      lies = rooms[person];
    }
    const room = carrier === undefined ? lies : rooms[carrier];
    if (room !== undefined && seen.at(-1)?.room !== room) seen.push({ room, at });
  }
  if (seen.length === 0) throw unsolvable(`the ${thing} must be somewhere`);
  return seen;
}

function wasBefore(thing: string, room: string, story: readonly Words[]): string {
  const seen = play(story, thing);
  if (seen.at(-1)?.room !== room) throw unsolvable(`the ${thing} must end in the ${room}`);
  const before = seen.at(-2);
  if (before === undefined) throw unsolvable(`the ${thing} must come from somewhere`);
  return before.room;
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
  const gifts = story.filter((words) => GIFTS.includes(words[1]!)).map((words) => ({
    giver: words[0]!,
    thing: words[3]!,
    taker: words[5]!,
  }));
  const names = asked.filter((word) => NAMES.has(word));
  const thing = asked.find((word) => THINGS.has(word));
  const asks = asked.join(" ");
  const fits = gifts.filter((each) => {
    if (thing !== undefined && each.thing !== thing) return false;
    if (asks.startsWith("What did")) return each.giver === names[0] && each.taker === names[1];
    if (asks.startsWith("Who did")) return each.giver === names[0];
    return asks.includes(" to ") ? each.taker === names[0] : true;
  });
  const last = fits.at(-1);
  if (last === undefined) throw unsolvable("somebody must give it");
  if (asks.startsWith("What did")) return last.thing;
  return asks.startsWith("Who gave") ? last.giver : last.taker;
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solveBabilong,
  further: [
    ...BABILONG_TASKS.tasks.map((name) => BABILONG_TASKS.task(name, { haystack: "none", postPrompt: "off" })),
    ...(["babilong_qa1", "babilong_qa2", "babilong_qa3", "babilong_qa5"] as const).flatMap((name) => [
      BABILONG_TASKS.task(name, { facts: 3, instruction: "off", examples: "off", postPrompt: "off" }),
      BABILONG_TASKS.task(name, { facts: 120 }),
    ]),
  ],
};
