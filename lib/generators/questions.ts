import { type Knob, oneOf, whole } from "./knobs.ts";
import type { SamplePlace } from "./task.ts";

/** Returns the value of a knob in a sample's id; `undefined` if the id has no such knob. */
export function knobInId(id: string, knob: string): string | undefined {
  return new RegExp(`[/,]${knob}=([^,/]*)`).exec(id)?.[1];
}

/**
 * The knob for the text around the needles. A text that all depths of a round share decides their scores together, so they are one
 * independent unit.
 */
export const TEXTS: Knob<"own" | "shared", "own" | "shared"> = oneOf(
  ["own", "shared"],
  "whether each sample has a text of its own, or all depths of a round share one, as in the papers' grids",
);

/** The most questions about a context. */
const MOST_QUESTIONS = 100;

/**
 * The knob for several questions about each context, so that a server reads a context once and takes it from its cache for the
 * other questions. Sample i asks question i mod n of context floor(i / n).
 *
 * A family with this knob gives its recipes the number of the context as `index`; they return `questions`.
 */
export const QUESTIONS: Knob<number, number> = whole<number>(
  { from: 1, to: MOST_QUESTIONS, byDefault: 1 },
  "questions about each context, asked one after the other: a server's prefix cache then reads each context once",
  { omitDefault: true },
);

/** Returns a sample's place with the number of its context as its index. */
export function contextPlace<Place extends Pick<SamplePlace, "index">>(place: Place, questions: number): Place {
  return questions === 1 ? place : { ...place, index: Math.floor(place.index / questions) };
}

/** Returns the number of questions about a sample's context, by its id. */
export function questionsInId(id: string): number {
  return Number(knobInId(id, QUESTIONS_NAME) ?? 1);
}

/** The name of {@linkcode QUESTIONS} in ids. */
export const QUESTIONS_NAME = "questions";

/**
 * Returns the cluster of a sample whose context is shared by several questions; `undefined` if its id has no `questions`. A family
 * whose contexts share questions or texts with others names larger clusters.
 */
export function contextCluster(place: SamplePlace): string | undefined {
  const questions = questionsInId(place.sample);
  if (questions === 1) return undefined;
  const { suite, task, length, seed, index } = contextPlace(place, questions);
  return `context:${suite}/${task}/${length}/${seed}/${index}`;
}
