import { RULER_SUITE } from "./wording.ts";
import type { DocumentSet, Materials, Question } from "@/lib/generators/mod.ts";
import { permutation } from "@/lib/random/mod.ts";

/** The place of a context in its set of questions. */
interface Asked {
  readonly seed: string;
  readonly index: number;
  readonly questions: number;
  /** The length, if each has questions of its own. */
  readonly length?: number;
  readonly materials: Materials;
}

/**
 * Returns the questions of a context: all of a set in an order from the seed, then all again in another order. Those of a context
 * stay together.
 */
export function questionsAt(set: DocumentSet, asked: Asked): Question[] {
  const { questions, materials } = asked;
  if (set.questionCount < questions) {
    throw new RangeError(
      `Cannot ask a question as document set "${set.name}" must hold at least ${
        questions === 1 ? "one" : questions
      }: current value is ${set.questionCount}`,
    );
  }
  const group = groupAt(set, asked);
  if (questions === 1) return [set.question(group)];
  const path = [...questionPath(set, asked), "together"];
  const order = materials.remember(JSON.stringify(path), () => permutation(path, set.questionCount));
  return Array.from({ length: questions }, (_, question) => set.question(order(group * questions + question)));
}

/** The path has no wording, so that all have the same questions. */
function questionPath({ name }: DocumentSet, { seed, questions, length }: Asked): (string | number)[] {
  const together = questions === 1 ? [] : ["questions", questions];
  return [seed, RULER_SUITE, "questions", name, ...together, ...(length === undefined ? [] : ["length", length])];
}

/** Returns the number of a context's questions in their set; one question is a group of its own. */
function groupAt(set: DocumentSet, asked: Asked): number {
  const groups = Math.floor(set.questionCount / asked.questions);
  const place = asked.index % groups;
  const path = [...questionPath(set, asked), (asked.index - place) / groups];
  return asked.materials.remember(JSON.stringify(path), () => permutation(path, groups))(place);
}

/** Returns the first index with the questions of a context; it differs from the context's only once all of the set were asked. */
export function firstAsked(set: DocumentSet, asked: Asked): number {
  if (asked.index < Math.floor(set.questionCount / asked.questions)) return asked.index;
  const group = groupAt(set, asked);
  let first = 0;
  while (groupAt(set, { ...asked, index: first }) !== group) first++;
  return first;
}
