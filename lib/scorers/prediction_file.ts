import type { Score, Scorer } from "./scorer.ts";
import { stringMatchAll } from "./string_match.ts";

/** One line of a prediction file. */
export interface Prediction {
  /** What the model wrote. */
  readonly prediction: string;
  /** The right answers; empty if the file has none for this line. */
  readonly references: readonly string[];
  /** The wrong answer that the text gives for each of them, empty where it gives none; left out if the file does not say. */
  readonly distractors?: readonly string[];
  /** What the line is called: `id` of its `others`, or its `index`; its place in the file, from 0, unless given. */
  readonly id?: string | number;
}

/**
 * Reads RULER's prediction file: one JSON object per line, of which `pred` and `outputs` are used (`output` if a line has a
 * single reference), and `distractors` where `fathom generate` writes them. Empty lines are skipped.
 *
 * @param lines The lines of the file.
 * @param rename Gives the fields of other benchmarks' own files these names; nothing by default.
 * @throws {SyntaxError} If a line is not such an object; the message gives its number, from 1.
 */
export async function* readPredictions(
  lines: Iterable<string> | AsyncIterable<string>,
  rename: RenameFields = (fields) => fields,
): AsyncGenerator<Prediction> {
  let number = 0;
  for await (const line of lines) {
    number++;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() !== "") yield readPrediction(text, { number, rename });
  }
}

/** Gives the fields of a line other names. */
export type RenameFields = (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

function readPrediction(
  line: string,
  { number, rename }: { readonly number: number; readonly rename: RenameFields },
): Prediction {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refuse(number, "the line must be one JSON object", line);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse(number, "the line must be one JSON object", line);
  }
  const { pred, outputs, output, distractors, index, others } = rename(
    value as Readonly<Record<string, unknown>>,
  );
  if (typeof pred !== "string") throw refuse(number, '"pred" must be a text', pred);
  const id = readId(index, others);
  const references = outputs ?? (output === undefined ? undefined : [output]);
  if (!Array.isArray(references)) throw refuse(number, '"outputs" must be a list of texts', references);
  // A test set without answers has `[null]`; RULER scores it 0, and here there is nothing to score.
  if (references.every((reference) => reference === null)) return { prediction: pred, references: [], ...id };
  const odd = references.find((reference) => typeof reference !== "string");
  if (odd !== undefined) throw refuse(number, '"outputs" must be a list of texts', odd);
  if (distractors === undefined) return { prediction: pred, references, ...id };
  const isAsLong = Array.isArray(distractors) && distractors.length === references.length;
  if (!isAsLong || distractors.some((distractor) => typeof distractor !== "string")) {
    throw refuse(
      number,
      `"distractors" must be a list of ${references.length} texts, one for each output`,
      distractors,
    );
  }
  return { prediction: pred, references, distractors, ...id };
}

/** RULER's code takes `others["id"]`, or else `index`. */
function readId(index: unknown, others: unknown): Pick<Prediction, "id"> {
  const id = (others as { readonly id?: unknown } | null | undefined)?.id ?? index;
  return typeof id === "string" || typeof id === "number" ? { id } : {};
}

/** The most of a bad line that a message shows; a line can hold a whole prompt. */
const SHOWN = 60;

function refuse(number: number, wanted: string, value: unknown): SyntaxError {
  const text = value === undefined ? "none" : JSON.stringify(value);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new SyntaxError(`Cannot read line ${number} of the predictions as ${wanted}: current value is ${shown}`);
}

/** The scores of a prediction file. */
export interface FileScore {
  /** The task or family that was asked for. */
  readonly task: string;
  /** The scorer's name, such as `all` where all references are needed. */
  readonly scoring: string;
  /** Lines scored. */
  readonly n: number;
  /** The task's score in percent, to two decimals; `null` if no line has references. */
  readonly score: number | null;
  /** How many predictions are empty, as RULER writes it: `k/n`. They score 0. */
  readonly nulls: string;
  /** The score of each line, in the order of the file. */
  readonly scores: readonly Score[];
  /** What each line is called. */
  readonly ids: readonly (string | number)[];
}

/** The task whose predictions are scored. */
export interface ScoredTask {
  /** Its name. */
  readonly task: string;
  readonly scorer: Scorer;
}

/**
 * Scores predictions by a task's scorer: those of RULER's tasks as its evaluate.py does.
 *
 * @param predictions What {@linkcode readPredictions} gives; they are not kept.
 * @throws {RangeError} If there is no prediction, or one lacks the wrong answers on which its score depends.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { allFound } from "@/lib/scorers/mod.ts";
 *
 * const lines = ['{"pred": "It is ABCDE.", "outputs": ["ABCDE", "FGHIJ"]}', '{"pred": " ", "outputs": ["KLMNO"]}'];
 * const { score, nulls } = await scorePredictions(readPredictions(lines), { task: "vt", scorer: allFound });
 * equal(score, 25);
 * equal(nulls, "1/2");
 * ```
 */
export async function scorePredictions(
  predictions: Iterable<Prediction> | AsyncIterable<Prediction>,
  { task, scorer }: ScoredTask,
): Promise<FileScore> {
  const scores: Score[] = [];
  const ids: (string | number)[] = [];
  for await (const { prediction, references, distractors, id = ids.length } of predictions) {
    ids.push(id);
    const isKnown = references.length > 0 || scorer.allowsEmpty === true;
    const item = scorer.needsDistractors && distractors !== undefined ? { references, distractors } : { references };
    if (isKnown && scorer.needsDistractors && distractors === undefined) {
      throw new RangeError(
        `Cannot score prediction ${scores.length + 1} as "distractors" must be the wrong answer in the text for each ` +
          `output, on which ${task} depends: current value is none`,
      );
    }
    scores.push(isKnown ? scorer.grade(prediction, item).score : stringMatchAll(prediction, references));
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
  const sum = values.reduce((total, value) => total + value, 0);
  return values.length === 0 ? null : roundToHundredths(sum / values.length * 100);
}

/** Rounds as Python's `round(value, 2)` does: exactly on the binary number, ties to the even digit (0.125 gives 0.12). */
function roundToHundredths(value: number): number {
  // A number can lie exactly between two hundredths only if it is an odd multiple of an eighth; `toFixed` rounds those up.
  const isTie = Number.isInteger(value * 8) && value * 8 % 2 !== 0;
  if (!isTie) return Number(value.toFixed(2));
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}
