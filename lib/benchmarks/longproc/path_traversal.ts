import { type Procedure, procedureFamily, takeSteps } from "./procedure.ts";
import { routeSteps } from "./scorer.ts";
import type { PartFact } from "@/lib/generators/mod.ts";
import { permutation, pick, shuffle } from "@/lib/random/mod.ts";

const MEANS = ["bus", "train", "plane", "ferry"] as const;

/** Path traversal: the route between two cities, in a list of connections of which one leaves each city. */
export const PATH_TRAVERSAL = procedureFamily({
  name: "path_traversal",
  about: "asks for the whole route between two cities in a list of one-way connections",
  scorer: routeSteps,
  write: (steps) => `<Route>\n${steps.join("\n")}\n</Route>`,
  make(request): Procedure {
    const { draw, words: { adjectives, nouns } } = request;
    const numberAt = permutation([draw()], adjectives.length * nouns.length);
    // Names such as Calm River; all are different.
    const city = (place: number): string => {
      const [noun, adjective] = [Math.floor(numberAt(place) / adjectives.length), numberAt(place) % adjectives.length];
      return `${capital(adjectives[adjective]!)} ${capital(nouns[noun]!)}`;
    };
    const connect = (from: string, to: string): PartFact => {
      const means = pick(draw, MEANS);
      const value = `From ${from}, take a ${means} to ${to}.`;
      return { role: "target", key: from, value, text: `There is a ${means} from ${from} to ${to}.` };
    };
    const walk = function* (): Generator<PartFact> {
      for (let at = 0;; at++) yield connect(city(at), city(at + 1));
    };
    const route = takeSteps(walk(), request);
    let cities = route.length + 1;
    return {
      needed: shuffle(draw, route),
      // From a city that is not on the route to any of those before it.
      further: () => connect(city(cities), city(Math.floor(draw() * cities++))).text,
      question: `Write the route from ${city(0)} to ${city(route.length)}.`,
      references: route.map(({ value }) => value),
    };
  },
});

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
