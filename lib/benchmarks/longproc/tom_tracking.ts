import { type Procedure, procedureFamily, takeSteps } from "./procedure.ts";
import { beliefLines } from "./scorer.ts";
import WORDING from "./wording.json" with { type: "json" };
import type { PartFact } from "@/lib/generators/mod.ts";
import { type Draw, pick, shuffle } from "@/lib/random/mod.ts";

/** Theory-of-mind tracking: a person, an object and the person's belief, after each step of a story. */
export const TOM_TRACKING = procedureFamily({
  name: "tom_tracking",
  about: "asks where a person and an object are and where the person believes it to be, after each step of a story",
  scorer: beliefLines,
  write: (lines) => lines.join("\n"),
  make(request): Procedure {
    const { draw, words: { adjectives, nouns } } = request;
    const two = (of: string): string[] => shuffle(draw, of.split(" ")).slice(0, 2);
    const { agents, objects, rooms, furniture } = WORDING;
    const house = { agents: two(agents), objects: two(objects), rooms: two(rooms), furniture: two(furniture) };
    const story = takeSteps(tellStory(house, draw), request);
    return {
      needed: story,
      further: () =>
        `Next door, the ${pick(draw, adjectives)} ${pick(draw, nouns)} is moved to the ${pick(draw, nouns)}.`,
      question: `Where does ${house.agents[0]} believe the ${house.objects[0]} to be? Write all steps.`,
      references: story.map(({ value }) => value),
    };
  },
});

/** Two of each; the first agent and the first object are asked about. */
type House = Readonly<Record<"agents" | "objects" | "rooms" | "furniture", readonly string[]>>;

/** Tells a story without end, in which the agents act in turns. */
function* tellStory(house: House, draw: Draw): Generator<PartFact> {
  const { agents: [agent], objects: [object], rooms } = house;
  const inRoom: string[] = house.agents.map(() => pick(draw, rooms));
  const places = house.objects.map(() => [pick(draw, rooms), pick(draw, house.furniture)]);
  const placeOf = (at: number): string => places[at]!.join("'s ");
  const start = [
    ...house.agents.map((name, at) => `${name} is in the ${inRoom[at]}`),
    ...house.objects.map((name, at) => `the ${name} is on the ${placeOf(at)}`),
  ];
  const act = (actor: number): string => {
    const [name, from] = [house.agents[actor]!, inRoom[actor]!];
    const other = from === "None" ? pick(draw, rooms) : rooms.find((room) => room !== from)!;
    const near = [...places.keys()].filter((at) => places[at]![0] === from);
    const least = near.length === 0 ? 2 : 0;
    const action = from === "None"
      ? "enter"
      : ["move", "take", "leave", "go"][least + Math.floor(draw() * (4 - least))];
    const moved = near[Math.floor(draw() * near.length)];
    if (action !== "move") inRoom[actor] = action === "leave" ? "None" : other;
    if (action === "leave") return `${name} leaves the room.`;
    const walks = action === "move" ? name : `${name} ${action === "enter" ? "enters" : "goes to"} the ${other}`;
    if (action === "enter" || action === "go") return `${walks}.`;
    places[moved!] = [inRoom[actor]!, house.furniture.find((each) => each !== places[moved!]![1])!];
    const joined = action === "move" ? `${walks} moves` : `${walks}, and takes`;
    return `${joined} the ${house.objects[moved!]} to the ${placeOf(moved!)}.`;
  };
  let [belief, room, place] = ["None", inRoom[0]!, placeOf(0)];
  for (let step = 0;; step++) {
    const text = step === 0 ? `${start.join("; ")}.` : act(step % 2);
    const sees = inRoom[0] === places[0]![0];
    if (sees) belief = placeOf(0);
    const [agentChange, objectChange] = [room === inRoom[0], place === placeOf(0)]
      .map((isSame) => isSame ? "unchanged" : "changed");
    [room, place] = [inRoom[0]!, placeOf(0)];
    const change = `${agent} location ${agentChange}; ${object} location ${objectChange}`;
    const state = `${agent} location: ${room}; ${object} location: ${place}; ` +
      `${agent} sees ${object}: ${sees ? "True" : "False"}; ${agent}'s belief on ${object}: ${belief}`;
    const value = `- Step ${step}: (${step === 0 ? "initial state" : change}) {${state}}`;
    yield { role: "target", key: String(step), value, text: `Step ${step}: ${text}` };
  }
}
