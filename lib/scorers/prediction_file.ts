import { mean } from "@/lib/base/mod.ts";
import { checkReferences, gradeReply } from "./reference_parts.ts";
import type { Score, Scorer } from "./scorer.ts";

/** A prediction to score: one line of a prediction file. */
export interface Prediction {
  /** The model's reply. */
  readonly prediction: string;
  /** The references; empty if the file has none for this line. */
  readonly references: readonly string[];
  /** The wrong answer in the text that competes with each reference; empty texts for none. */
  readonly distractors?: readonly string[] | undefined;
  /** The line's name; by default its place in the file, from 0. */
  readonly id?: string | number | undefined;
}

/** The scores of a prediction file. */
export interface FileScore {
  /** The requested task or family. */
  readonly task: string;
  /** The scorer's name, such as `all` if all references are required. */
  readonly scoring: string;
  /** Lines scored. */
  readonly n: number;
  /** The task's score in percent, to two decimals; `null` if no line has references. */
  readonly score: number | null;
  /** The share of empty predictions, as RULER writes it: `k/n`. They score 0. */
  readonly nulls: string;
  /** The score of each line, in the order of the file. */
  readonly scores: readonly Score[];
  /** The name of each line. */
  readonly ids: readonly (string | number)[];
}

/** A task with its scorer. */
export interface ScoredTask {
  readonly task: string;
  readonly scorer: Scorer;
}

/**
 * Scores predictions by a task's scorer. RULER's tasks get the scores of its evaluate.py.
 *
 * @param predictions They are not held in memory.
 * @throws {RangeError} If there is no prediction, or one lacks a part of its references.
 */
export async function scorePredictions(
  predictions: Iterable<Prediction> | AsyncIterable<Prediction>,
  { task, scorer }: ScoredTask,
): Promise<FileScore> {
  const scores: Score[] = [];
  const ids: (string | number)[] = [];
  for await (const { prediction, references, distractors, id = ids.length } of predictions) {
    ids.push(id);
    const item = scorer.needsDistractors && distractors !== undefined ? { references, distractors } : { references };
    checkReferences(scorer, item, `prediction ${ids.length} of ${task}`);
    scores.push(gradeReply(scorer, prediction, item).score);
  }
  if (scores.length === 0) {
    throw new RangeError("Cannot score predictions as their number must be at least 1: current value is 0");
  }
  const empty = scores.filter(({ answer }) => answer === "").length;
  const nulls = `${empty}/${scores.length}`;
  return { task, scoring: scorer.name, n: scores.length, score: taskScore(scores), nulls, scores, ids };
}

/** RULER, constants.py: `round(sum(scores) / len(scores) * 100, 2)`, summed in the order given. */
function taskScore(scores: readonly Score[]): number | null {
  const values = scores.flatMap(({ value }) => value ?? []);
  return values.length === 0 ? null : roundToHundredths(mean(values) * 100);
}

/** Rounds as Python's `round(value, 2)` does: exactly on the binary number, ties to the even digit (0.125 gives 0.12). */
function roundToHundredths(value: number): number {
  // Only odd multiples of an eighth lie exactly between two hundredths; `toFixed` rounds those up.
  const isTie = Number.isInteger(value * 8) && value * 8 % 2 !== 0;
  if (!isTie) return Number(value.toFixed(2));
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}
