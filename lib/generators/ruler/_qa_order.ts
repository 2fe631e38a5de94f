import { shuffle, stream } from "@/lib/random/mod.ts";
import type { DocumentSet, Question } from "../documents/documents.ts";
import { permutation } from "../_permutation.ts";
import { RULER_SUITE } from "../suite.ts";

/** Gives the question of a sample: all of a set's in an order of the seed, then all again in another. */
export function questionAt(
  set: DocumentSet,
  { seed, index }: { readonly seed: string; readonly index: number },
): Question {
  const { questionCount, name } = set;
  if (questionCount < 1) {
    throw new RangeError(
      `Cannot ask a question as document set "${name}" must hold at least one: current value is ${questionCount}`,
    );
  }
  const place = index % questionCount;
  const round = (index - place) / questionCount;
  // Neither length nor wording is in the path, so that lengths and wordings are compared on the same questions.
  return set.question(permutation([seed, RULER_SUITE, "questions", name, round], questionCount)(place));
}

/** A document that does not answer the question. */
export interface Distractor {
  readonly number: number;
  readonly isNear: boolean;
  /** Where it stands among the others, whichever they are: they are put in the order of this number, in [0, 1). */
  readonly place: number;
}

/** The documents that do not answer a question, in the order in which they are taken. */
export interface DistractorOrder {
  readonly isEmpty: boolean;
  at(rank: number): Distractor;
}

/** Orders distractors: near ones first, then all others, then all again and again. */
export function distractorOrder(
  set: DocumentSet,
  { question, path }: { readonly question: Question; readonly path: readonly (string | number)[] },
): DistractorOrder {
  const gold = new Set(question.gold);
  const draw = stream(...path, "distractors");
  const near = shuffle(draw, question.near.filter((number) => !gold.has(number)));
  const nearSet = new Set(near);
  const numbers = walkDocuments(set, { gold, near, path });
  const drawn: Distractor[] = [];
  return {
    isEmpty: gold.size >= set.documentCount,
    at(rank): Distractor {
      while (drawn.length <= rank) {
        const number = numbers.next().value;
        drawn.push({ number, isNear: nearSet.has(number), place: draw() });
      }
      return drawn[rank]!;
    },
  };
}

function* walkDocuments(
  { documentCount }: DocumentSet,
  { gold, near, path }: {
    readonly gold: ReadonlySet<number>;
    readonly near: readonly number[];
    readonly path: readonly (string | number)[];
  },
): Generator<number, never> {
  yield* near;
  const passed = new Set([...gold, ...near]);
  for (let round = 0;; round++) {
    const order = permutation([...path, "documents", round], documentCount);
    for (let place = 0; place < documentCount; place++) {
      const number = order(place);
      if (!(round === 0 ? passed : gold).has(number)) yield number;
    }
  }
}
