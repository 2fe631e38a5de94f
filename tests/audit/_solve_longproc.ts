import { type Audit, checkDifferent, checkExample, lastPlace, type Solution, unsolvable } from "./_solution.ts";
import { PATH_TRAVERSAL } from "@/lib/benchmarks/longproc/path_traversal.ts";
import { TOM_TRACKING } from "@/lib/benchmarks/longproc/tom_tracking.ts";

const CONNECTION = /^There is a (bus|train|plane|ferry) from (\w+(?: \w+)?) to (\w+(?: \w+)?)\.$/;

/** Follows connections until the destination; the answer has a line for each. */
function findRoute(lines: readonly string[], [from, to]: readonly string[]): string[] {
  const connections = lines.map((line) => {
    const [, means, start, end] = CONNECTION.exec(line) ?? [];
    if (start === undefined) throw unsolvable(`a line must be a connection: "${line}"`);
    return [start, { means, end: end! }] as const;
  });
  checkDifferent(connections.map(([start]) => start), "city with a connection");
  const leaving = new Map(connections);
  const route: string[] = [];
  for (let city = from!; city !== to;) {
    const next = leaving.get(city);
    if (next === undefined || route.length > lines.length) throw unsolvable(`there is no route from ${from} to ${to}`);
    leaving.delete(city);
    route.push(`From ${city}, take a ${next.means} to ${next.end}.`);
    city = next.end;
  }
  return route;
}

function solveRoute(prompt: string): Solution {
  const head = "\nThe list:\n";
  const [start, end] = [lastPlace(prompt, head) + head.length, lastPlace(prompt, "\nWrite the route from ")];
  const [, ...asked] = /^\nWrite the route from (.+) to (.+)\.$/m.exec(prompt.slice(end)) ?? [];
  const lines = prompt.slice(start, end).trimEnd().split("\n");
  const answers = findRoute(lines, asked);
  const example = prompt.slice(0, start).split("\n");
  const shown = example.filter((line) => CONNECTION.test(line));
  const own = example.slice(example.indexOf("<Route>") + 1, example.indexOf("</Route>"));
  checkExample(own, { right: findRoute(shown, ["Ashford", "Dunmore"]), own: lines });
  return {
    answers,
    context: [start, end],
    planted: answers.length,
    unit: "There is a ferry from Unscrupulous Hydrolyse to Waterlogged Kielbasa.\n",
  };
}

/** Follows a story sentence by sentence: each names who is where, or what is where. */
function findBeliefs(steps: readonly string[], [person, object]: readonly string[]): string[] {
  const where = new Map<string, string>();
  let belief = "None";
  return steps.map((step, at) => {
    const [, number, text] = /^Step (\d+): (.+)\.$/.exec(step) ?? [];
    if (Number(number) !== at) throw unsolvable(`step ${at} must be told: "${step}"`);
    const before = new Map(where);
    const actor = /^\w+/.exec(text!)![0];
    for (const part of text!.split(/; |, and /)) {
      const [, name, room] = /^(\w+) (?:is in|goes to|enters) the (\w+)$/.exec(part) ?? [];
      const [, thing, place] = /the (\w+) (?:is on|to) the (\w+'s \w+)$/.exec(part) ?? [];
      if (/ leaves the room$/.test(part)) where.set(actor, "None");
      else if (name !== undefined) where.set(name, room!);
      else if (thing !== undefined) where.set(thing, place!);
      else throw unsolvable(`"${part}" must be understood`);
      const isAt = (room = "", spot = ""): boolean => spot.startsWith(`${room}'`);
      const isReached = isAt(before.get(actor), before.get(thing!)) && isAt(where.get(actor), place);
      if (thing !== undefined && at > 0 && !isReached) {
        throw unsolvable(`${actor} must reach the ${thing} in step ${at}`);
      }
    }
    const [room, place] = [where.get(person!)!, where.get(object!)!];
    const sees = place.startsWith(`${room}'`);
    if (sees) belief = place;
    const change = (name: string): string =>
      `${name} location ${before.get(name) === where.get(name) ? "un" : ""}changed`;
    const what = at === 0 ? "initial state" : `${change(person!)}; ${change(object!)}`;
    return `- Step ${at}: (${what}) {${person} location: ${room}; ${object} location: ${place}; ` +
      `${person} sees ${object}: ${sees ? "True" : "False"}; ${person}'s belief on ${object}: ${belief}}`;
  });
}

function solveStory(prompt: string): Solution {
  const head = "\nThe story:\n";
  const [start, end] = [lastPlace(prompt, head) + head.length, lastPlace(prompt, "\nWhere does ")];
  const [, ...asked] = /^\nWhere does (\w+) believe the (\w+) to be\?/.exec(prompt.slice(end)) ?? [];
  const lines = prompt.slice(start, end).trimEnd().split("\n");
  const strange = lines.find((line) => !/^(?:Step \d|Next door, the \w+ \w+ is moved to the \w+\.$)/.test(line));
  if (strange !== undefined) throw unsolvable(`"${strange}" must be understood`);
  const told = lines.filter((line) => line.startsWith("Step "));
  const example = prompt.slice(0, start).split("\n");
  const [shown = [], own = []] = ["Step ", "- Step "].map((head) => example.filter((line) => line.startsWith(head)));
  const answers = findBeliefs(told, asked);
  checkExample(own, { right: findBeliefs(shown, ["Paula", "bucket"]), own: answers });
  return {
    answers,
    context: [start, end],
    planted: told.length,
    unit: "Next door, the unscrupulous decongestant is moved to the hyphenation.\n",
  };
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: (prompt, { task }) => task.startsWith("path") ? solveRoute(prompt) : solveStory(prompt),
  further: [PATH_TRAVERSAL, TOM_TRACKING].flatMap((family) => [1024, 16_384].map((output) => family.make({ output }))),
};
