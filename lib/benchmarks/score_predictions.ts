import { mean } from "@/lib/base/mod.ts";
import { checkReferences, type FileScore, type Prediction, type Score, type Scorer } from "@/lib/scorers/mod.ts";

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
    scores.push(scorer.grade(prediction, item).score);
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
