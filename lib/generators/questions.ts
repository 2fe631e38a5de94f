import { type Knob, oneOf, whole } from "./knobs.ts";
import { lastText, type Prompt } from "./prompt.ts";
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

/** The most characters of a question that is found without a pattern. */
const MOST_CHARACTERS = 600;

/** The characters at the end and at the start of a prompt where its question is looked for. */
const SEARCHED = 8_000;

/** The last lines among which one with a question mark is looked for. */
const LAST_LINES = 5;

/** The word before many questions, which is no part of them. */
const LEAD = /^(?:Question|问题)\s*[:：]\s*/i;

/**
 * Returns the question in the words of a prompt that were written around its context: the last match of a pattern, of which the first
 * group counts if it has one, or else all of them; only a line of them if they are long.
 */
export function questionIn(words: string, asks: RegExp | undefined): string {
  const text = words.trim();
  return lastMatch(text, asks) ?? (text.length > MOST_CHARACTERS ? askingLine(text) : text.replace(LEAD, ""));
}

/**
 * Returns the question of a prompt whose parts are not known: the last match of a pattern near the end of the last message, or else
 * near its start; without one, the last line with a question mark among the last five, or else the last line, at most its last
 * 600 characters.
 */
export function questionOf(prompt: Prompt, asks?: RegExp): string {
  const text = lastText(prompt).trim();
  const end = text.slice(-SEARCHED);
  return lastMatch(end, asks) ?? lastMatch(text.slice(0, SEARCHED), asks) ?? askingLine(end);
}

function lastMatch(text: string, asks: RegExp | undefined): string | undefined {
  if (asks === undefined) return undefined;
  const match = [...text.matchAll(new RegExp(asks, `${asks.flags}g`))].at(-1);
  return (match?.[1] ?? match?.[0])?.trim();
}

function askingLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const asking = lines.slice(-LAST_LINES).findLast((line) => /[?？]/.test(line)) ?? lines.at(-1) ?? "";
  // A cut never leaves half of a surrogate pair.
  return asking.replace(LEAD, "").slice(-MOST_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, "").trimStart();
}
