import type { Score } from "./scorer.ts";
import { stringMatchAll, stringMatchPart } from "./string_match.ts";

/** One line of a prediction file. */
export interface Prediction {
  /** What the model wrote. */
  readonly prediction: string;
  /** The right answers; empty if the file has none for this line. */
  readonly references: readonly string[];
}

/**
 * Reads RULER's prediction file: one JSON object per line, of which `pred` and `outputs` are used (`output` if a line has a
 * single reference). Empty lines are skipped.
 *
 * @param lines The lines of the file.
 * @throws {SyntaxError} If a line is not such an object; the message gives its number, from 1.
 */
export async function* readPredictions(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Prediction> {
  let number = 0;
  for await (const line of lines) {
    number++;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() !== "") yield readPrediction(text, number);
  }
}

function readPrediction(line: string, number: number): Prediction {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refuse(number, "the line must be one JSON object", line);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse(number, "the line must be one JSON object", line);
  }
  const { pred, outputs, output } = value as Readonly<Record<string, unknown>>;
  if (typeof pred !== "string") throw refuse(number, '"pred" must be a text', pred);
  const references = outputs ?? (output === undefined ? undefined : [output]);
  if (!Array.isArray(references)) throw refuse(number, '"outputs" must be a list of texts', references);
  // A test set without answers has `[null]`; RULER scores it 0, and here there is nothing to score.
  if (references.every((reference) => reference === null)) return { prediction: pred, references: [] };
  const odd = references.find((reference) => typeof reference !== "string");
  if (odd !== undefined) throw refuse(number, '"outputs" must be a list of texts', odd);
  return { prediction: pred, references };
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
  /** Whether all references are needed or any one. */
  readonly scoring: "all" | "any";
  /** Lines scored. */
  readonly n: number;
  /** RULER's task score in percent, to two decimals; `null` if no line has references. */
  readonly score: number | null;
  /** How many predictions are empty, as RULER writes it: `k/n`. They score 0. */
  readonly nulls: string;
  /** The score of each line, in the order of the file. */
  readonly scores: readonly Score[];
}

/**
 * Scores predictions as RULER's evaluate.py does for a task.
 *
 * @param predictions What {@linkcode readPredictions} gives; they are not kept.
 * @param task A task or family, such as `vt`.
 * @throws {RangeError} If the task is unknown, or there is no prediction.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const lines = ['{"pred": "It is ABCDE.", "outputs": ["ABCDE", "FGHIJ"]}', '{"pred": " ", "outputs": ["KLMNO"]}'];
 * const { score, nulls } = await scorePredictions(readPredictions(lines), "vt");
 * equal(score, 25);
 * equal(nulls, "1/2");
 * ```
 */
export async function scorePredictions(
  predictions: Iterable<Prediction> | AsyncIterable<Prediction>,
  task: string,
): Promise<FileScore> {
  const scoring = scoringOf(task);
  const match = scoring === "all" ? stringMatchAll : stringMatchPart;
  const scores: Score[] = [];
  for await (const { prediction, references } of predictions) scores.push(match(prediction, references));
  if (scores.length === 0) {
    throw new RangeError("Cannot score predictions as their number must be at least 1: current value is 0");
  }
  const empty = scores.filter(({ answer }) => answer === "").length;
  return { task, scoring, n: scores.length, score: taskScore(scores), nulls: `${empty}/${scores.length}`, scores };
}

/** RULER's families, by the names of its tasks and by those in its code. */
const FAMILIES: Readonly<Record<"all" | "any", readonly string[]>> = {
  all: ["niah", "vt", "variable_tracking", "cwe", "common_words_extraction", "fwe", "freq_words_extraction"],
  any: ["qa"],
};

function scoringOf(task: string): "all" | "any" {
  const isOf = (family: string): boolean => task === family || task.startsWith(`${family}_`);
  if (FAMILIES.all.some(isOf)) return "all";
  if (FAMILIES.any.some(isOf)) return "any";
  const choices = [...FAMILIES.all, ...FAMILIES.any].join(", ");
  throw new RangeError(`Cannot score predictions as task must be of ${choices}: current value is "${task}"`);
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
