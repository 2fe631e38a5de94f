import { makeTask } from "../_recipe.ts";
import { qaLeastLength } from "./_qa_least_length.ts";
import { qaRecipe } from "./_qa_recipe.ts";
import { RULER_SUITE } from "../suite.ts";
import type { Task } from "../task.ts";
import type { Variant } from "./variant.ts";

/** Options for {@linkcode qaTask}. */
export interface QaOptions {
  /**
   * What the task is called.
   *
   * @default {"qa"}
   */
  readonly name?: string;
  /**
   * Which documents are asked about: the materials' `oneHop` (as SQuAD) or `twoHop` (as HotpotQA).
   *
   * @default {1}
   */
  readonly hops?: 1 | 2;
  /**
   * Whose wording to follow; here all three have the same words.
   *
   * @default {"2026"}
   */
  readonly variant?: Variant;
  /**
   * A fixed number of documents, whatever the length; as many as fit unless given. Range: `hops` to 50,000, or 0 for the
   * question alone, whose score says what needs no context.
   */
  readonly documents?: number;
}

/**
 * Makes a question-answering task: the documents that answer a question, among many that do not.
 *
 * The wording is that of RULER's QA tasks (qa.py; paper, Table 9). As in RULER, documents near to the question are taken
 * first: other paragraphs of the same article, or the question's own context; then any others, none twice. Where the set
 * has fewer documents than the context needs, they are gone through again in another order, the ones that answer excepted.
 * What RULER does and this does not: the documents that answer stand at depths spread evenly over the samples, not at one
 * depth for each length; questions are asked in an order of the seed, the same at every length, and none again before all
 * were asked; and the last documents are chosen to fill the length, not left out by tens.
 *
 * Without documents the prompt is the question with what the instruction says apart from them, the same at every length. The
 * paper has a score without context (Figure 3) but not its wording; this one is ours.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave 32 tokens for the answer, and any one of the references is right. A length at which
 *   some question's documents do not fit is refused; a set of more than 10,000 questions is judged by
 *   its first 500.
 * @throws {RangeError} If a knob is outside its range.
 *
 * @example RULER's `qa_2`
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const task = qaTask({ name: "qa_2", hops: 2 });
 * equal(task.answerRoom, 32);
 * equal(task.scoring, "any");
 * ```
 */
export function qaTask(options: QaOptions = {}): Task {
  const { name = "qa", hops = 1, variant = "2026", documents } = options;
  if (hops !== 1 && hops !== 2) {
    throw new RangeError(`Cannot make task ${name} as hops must be 1 or 2: current value is ${hops}`);
  }
  const isCount = documents === undefined || documents === 0 ||
    (Number.isInteger(documents) && documents >= hops && documents <= 50_000);
  if (!isCount) {
    throw new RangeError(
      `Cannot make task ${name} as documents must be 0 or a whole number from ${hops} to 50000: current value is ${documents}`,
    );
  }
  const knobs = { variant, hops, ...(documents === undefined ? {} : { documents }) };
  const settings = { name, hops, documents, knobs: JSON.stringify(knobs) };
  return makeTask({
    suite: RULER_SUITE,
    name,
    category: "question answering",
    options: knobs,
    answerRoom: ANSWER_ROOM,
    scoring: "any",
    recipe: (request) => qaRecipe(settings, request),
    // Probes alone would miss the longest document of a real data set; a fixed number of documents is left to them.
    leastLength(materials, frame, probe): number {
      const least = qaLeastLength(settings, { materials, frame, answerRoom: ANSWER_ROOM });
      return documents === undefined ? least : Math.max(least, probe());
    },
  });
}

const ANSWER_ROOM = 32;
