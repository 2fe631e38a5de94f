import { RULER_SUITE } from "./wording.ts";
import type { DocumentSet, Materials, Question } from "@/lib/generators/mod.ts";
import { permutation, shuffle, stream } from "@/lib/random/mod.ts";
import { countTokens, join, measure, type Measured } from "@/lib/text/mod.ts";

/** Returns the question of a sample: all of a set in an order from the seed, then all again in another order. */
export function questionAt(
  set: DocumentSet,
  { seed, index, materials }: { readonly seed: string; readonly index: number; readonly materials: Materials },
): Question {
  const { questionCount, name } = set;
  if (questionCount < 1) {
    throw new RangeError(
      `Cannot ask a question as document set "${name}" must hold at least one: current value is ${questionCount}`,
    );
  }
  return set.question(numberAt(set, { seed, index, materials }));
}

/** Returns the number of a sample's question in its set. */
function numberAt(
  { questionCount, name }: DocumentSet,
  { seed, index, materials }: { readonly seed: string; readonly index: number; readonly materials: Materials },
): number {
  const place = index % questionCount;
  const round = (index - place) / questionCount;
  // The path has neither length nor wording, so that all have the same questions.
  const path = [seed, RULER_SUITE, "questions", name, round];
  return materials.remember(JSON.stringify(path), () => permutation(path, questionCount))(place);
}

/** Returns the first index with the question of a sample; it differs from the sample's only once all of the set were asked. */
export function firstAsked(
  set: DocumentSet,
  { seed, index, materials }: { readonly seed: string; readonly index: number; readonly materials: Materials },
): number {
  if (index < set.questionCount) return index;
  const number = numberAt(set, { seed, index, materials });
  let first = 0;
  while (numberAt(set, { seed, index: first, materials }) !== number) first++;
  return first;
}

/** The documents that do not answer the question, in the order in which they fill a prompt. */
export interface DistractorOrder {
  readonly isEmpty: boolean;
  /** The number of the document at a place. */
  numberOf(place: number): number;
  /** The sort key in [0, 1) of a listed place within a prompt. */
  depthOf(place: number): number;
  /** Whether a document is near the question. */
  isNear(number: number): boolean;
  /** Returns the first places. */
  first(count: number): readonly number[];
}

/** Orders distractors: near ones first, then all others, then all of them repeatedly. */
export function distractorOrder(
  { documentCount }: DocumentSet,
  { question, path }: { readonly question: Question; readonly path: readonly (string | number)[] },
): DistractorOrder {
  const gold = new Set(question.gold);
  const draw = stream(...path, "distractors");
  const numbers = shuffle(draw, question.near.filter((number) => !gold.has(number)));
  const near = new Set(numbers);
  const places: number[] = [];
  const depths: number[] = [];
  let round = 0;
  let taken = 0;
  let shuffled: ((place: number) => number) | undefined;
  const drawNext = (): number => {
    for (;;) {
      if (taken === documentCount) [round, taken, shuffled] = [round + 1, 0, undefined];
      shuffled ??= permutation([...path, "documents", round], documentCount);
      const number = shuffled(taken++);
      if (!gold.has(number) && (round > 0 || !near.has(number))) return number;
    }
  };
  return {
    isEmpty: gold.size >= documentCount,
    numberOf(place): number {
      while (place >= numbers.length) numbers.push(drawNext());
      return numbers[place]!;
    },
    depthOf: (place) => depths[place]!,
    isNear: (number) => near.has(number),
    first(count): readonly number[] {
      for (let place = places.length; place < count; place++) {
        depths.push(draw());
        places.push(place);
      }
      return places.slice(0, count);
    },
  };
}

interface ReadDocument {
  readonly title: string;
  readonly text: string;
  /** Includes the blank line after the text: one token can hold the end of the text and new lines. */
  readonly measured: Measured;
}

/** Documents and the labels above them, each counted once for all samples. */
export interface DocumentReader {
  read(number: number): ReadDocument;
  /** The line above the document at a place, from 1. */
  label(place: number): Measured;
  /**
   * Counts the tokens that a document adds between others, its label included. Alone it can have fewer: in some encodings a
   * blank line is one token at the end of a text and two before words.
   */
  cost(number: number, place: number): number;
}

export function documentReader(materials: Materials, set: DocumentSet): DocumentReader {
  const { tokenizer } = materials;
  const documents = materials.remember(`documents/${set.name}`, () => new Map<number, ReadDocument>());
  const labels = materials.remember("document labels", () => new Map<number, Measured>());
  const read = (number: number): ReadDocument =>
    take(documents, number, () => {
      const { title, text } = set.document(number);
      const measured = measure(`${text}\n\n`, tokenizer);
      // A slice shares memory with the text.
      return { title, text: measured.text.slice(0, -2), measured };
    });
  const label = (place: number): Measured => take(labels, place, () => measure(`Document ${place}:\n`, tokenizer));
  return {
    read,
    label,
    cost(number, place): number {
      const line = label(place);
      const between = join([line, read(number).measured, line], tokenizer);
      return countTokens(between, tokenizer) - countTokens(line, tokenizer);
    },
  };
}

/** A bound on memory: about 20 MB of paragraphs, more than the longest context. */
const MAX_CACHED = 20_000;

function take<T>(known: Map<number, T>, key: number, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MAX_CACHED) known.clear();
  const made = make();
  known.set(key, made);
  return made;
}
